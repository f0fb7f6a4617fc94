package dev.cairn.multifile

import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.TaskSlot
import dev.cairn.sion.TaskUsage
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

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

/** One of the arguments that must be the same on all ranks. */
internal class Argument(
    private val name: String,
    val value: Any,
) {
    override fun toString() = "$name $value"
}

internal fun MultifileSpec.sharedArguments(): List<Argument> =
    listOf(
        Argument("path", path()),
        Argument("block size", if (blockSize().isPresent) blockSize().asInt else "of the file system"),
        Argument("mapping", mapping()),
        Argument("dialect", dialect()),
        Argument("content", content()),
        Argument("byte order", userDataOrder()),
        Argument("force policy", forcePolicy()),
    )

/** FNV-1a over the values' texts. Every rank takes one of its own, so it makes no copies of them. */
internal fun fingerprint(arguments: List<Argument>): Long {
    var sum = FNV_BASIS
    for (argument in arguments) {
        for (letter in argument.value.toString()) sum = (sum xor letter.code.toLong()) * FNV_PRIME
        sum = (sum xor SEPARATOR) * FNV_PRIME
    }
    return sum
}

private const val FNV_BASIS = -0x340d631b7bdddcdbL
private const val FNV_PRIME = 0x100000001b3L
private const val SEPARATOR = 0xffffL

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
