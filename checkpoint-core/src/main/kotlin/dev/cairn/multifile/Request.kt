package dev.cairn.multifile

import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.TaskSlot
import dev.cairn.sion.TaskUsage
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.util.zip.CRC32
import java.util.zip.CRC32C

// What ranks tell each other about a multifile, as bytes. All of it is small: there may be very many ranks.

/**
 * What one rank asks for.
 *
 * @property fingerprint of all arguments that must be the same on all ranks
 * @property choice what the rank's own mapping says of its task
 */
internal data class Request(
    val fingerprint: Long,
    val chunkSize: Long,
    val choice: Int,
) {
    fun toPayload(): ByteBuffer =
        payload(2 * Long.SIZE_BYTES + Int.SIZE_BYTES) { putLong(fingerprint).putLong(chunkSize).putInt(choice) }

    companion object {
        fun of(payload: ByteBuffer) = Request(payload.getLong(), payload.getLong(), payload.getInt())
    }
}

/** The arguments that must be the same on all ranks, one a line. */
internal fun MultifileSpec.sharedArguments(): List<String> =
    listOf(
        "path ${path()}",
        "block size " + if (blockSize().isPresent) blockSize().asInt else "of the file system",
        "mapping ${mapping()}",
        "dialect ${dialect()}",
        "content ${content()}",
        "byte order ${userDataOrder()}",
        "force policy ${forcePolicy()}",
    )

/** Two checksums, since one of 32 bits might be the same by accident. */
internal fun fingerprint(arguments: List<String>): Long {
    val bytes = arguments.joinToString("\n").encodeToByteArray()
    return (CRC32().apply { update(bytes) }.value shl Int.SIZE_BITS) or CRC32C().apply { update(bytes) }.value
}

internal fun TaskSlot.toPayload(): ByteBuffer =
    payload(SLOT_SIZE) {
        putInt(task())
            .putInt(fileNumber())
            .putLong(start())
            .putLong(stride())
            .putLong(chunkSize())
    }

internal fun ByteBuffer.toSlot() = TaskSlot(getInt(), getInt(), getLong(), getLong(), getLong())

internal const val SLOT_SIZE = 2 * Int.SIZE_BYTES + 3 * Long.SIZE_BYTES

internal fun TaskUsage.toPayload(): ByteBuffer =
    payload(Math.multiplyExact(blockCount(), Long.SIZE_BYTES)) {
        repeat(blockCount()) { putLong(bytesInBlock(it)) }
    }

/** A usage has at least one block, so nothing stands for a task that failed. */
internal val NO_USAGE: ByteBuffer = ByteBuffer.allocate(0)

internal fun ByteBuffer.toUsage(): TaskUsage? =
    if (hasRemaining()) TaskUsage.of(*LongArray(remaining() / Long.SIZE_BYTES) { getLong() }) else null

private inline fun payload(
    size: Int,
    fill: ByteBuffer.() -> Unit,
): ByteBuffer =
    ByteBuffer
        .allocate(size)
        .order(LITTLE_ENDIAN)
        .apply(fill)
        .flip()
