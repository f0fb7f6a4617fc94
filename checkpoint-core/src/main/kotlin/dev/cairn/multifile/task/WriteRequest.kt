package dev.cairn.multifile.task

import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.TaskGroup
import dev.cairn.sion.TaskSlot
import dev.cairn.sion.TaskUsage
import java.nio.ByteBuffer
import java.nio.ByteOrder.BIG_ENDIAN
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.util.Optional
import java.util.OptionalInt

// What ranks tell each other about a multifile, as bytes. All of it is small: there may be very many ranks.

/**
 * What one rank asks for.
 *
 * @property fingerprint of all arguments that must be the same on all ranks
 * @property choice what the rank's own mapping says of its task
 * @property note what rank 0 must know to plan the extra task
 */
internal data class WriteRequest(
    val fingerprint: Long,
    val chunkSize: Long,
    val choice: Int,
    val note: ByteBuffer,
) {
    fun toPayload(): ByteBuffer =
        payload(2 * Long.SIZE_BYTES + Int.SIZE_BYTES + note.remaining()) {
            putLong(fingerprint).putLong(chunkSize).putInt(choice).put(note.duplicate())
        }

    companion object {
        fun of(payload: ByteBuffer) =
            WriteRequest(payload.getLong(), payload.getLong(), payload.getInt(), payload.slice().order(LITTLE_ENDIAN))
    }
}

/**
 * What one rank has written.
 *
 * @property note what rank 0 must know to write the extra task
 */
internal class Brought(
    val usage: TaskUsage,
    val note: ByteBuffer = NOTHING,
) {
    fun toPayload(): ByteBuffer =
        payload(Int.SIZE_BYTES + Math.multiplyExact(usage.blockCount(), Long.SIZE_BYTES) + note.remaining()) {
            putInt(usage.blockCount())
            repeat(usage.blockCount()) { putLong(usage.bytesInBlock(it)) }
            put(note.duplicate())
        }

    companion object {
        fun of(payload: ByteBuffer): Brought {
            val usage = TaskUsage.of(*LongArray(payload.getInt()) { payload.getLong() })
            return Brought(usage, payload.slice().order(LITTLE_ENDIAN))
        }
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
        Argument("grouping", grouping()),
        Argument("chunk limit", chunkLimit()),
        Argument("levels of buddies", buddyLevels()),
        Argument("dialect", dialect()),
        Argument("content", content()),
        Argument("byte order", userDataOrder()),
        Argument("byte order of meta data", metaDataOrder()),
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

internal fun TaskSlot.toPayload(): ByteBuffer = payload(SLOT_SIZE) { putSlot(this@toPayload) }

private fun ByteBuffer.putSlot(slot: TaskSlot) {
    putInt(slot.task()).putInt(slot.fileNumber())
    putLong(slot.start()).putLong(slot.stride()).putLong(slot.chunkSize())
    putInt(if (slot.metaDataOrder() == LITTLE_ENDIAN) 0 else 1)
    val group = slot.group().orElse(NO_GROUP)
    putInt(group.collector()).putInt(group.taskCount())
    putLong(group.start()).putLong(group.size())
    putInt(group.mergedPieceSize().orElse(0))
}

internal fun ByteBuffer.getSlot() =
    TaskSlot(getInt(), getInt(), getLong(), getLong(), getLong(), getOrder(), getGroup())

private fun ByteBuffer.getOrder() = if (getInt() == 0) LITTLE_ENDIAN else BIG_ENDIAN

private fun ByteBuffer.getGroup(): Optional<TaskGroup> {
    val group = TaskGroup(getInt(), getInt(), getLong(), getLong(), getPieceSize())
    return if (group == NO_GROUP) Optional.empty() else Optional.of(group)
}

private fun ByteBuffer.getPieceSize() = getInt().let { if (it == 0) OptionalInt.empty() else OptionalInt.of(it) }

/** A group has at least one task, so this stands for none. */
private val NO_GROUP = TaskGroup(0, 0, 0, 0, OptionalInt.empty())

private const val SLOT_SIZE = 6 * Int.SIZE_BYTES + 5 * Long.SIZE_BYTES

internal fun TaskSeat.toPayload(): ByteBuffer {
    val buddySize = SLOT_SIZE + 3 * Int.SIZE_BYTES
    return payload(SLOT_SIZE + (1 + others.size) * Int.SIZE_BYTES + buddies.size * buddySize) {
        putSlot(slot)
        putInt(others.size)
        others.forEach(::putInt)
        for (buddy in buddies) {
            putSlot(buddy.slot)
            putInt(buddy.writer).putInt(buddy.keptFile).putInt(buddy.keptSender)
        }
    }
}

internal fun ByteBuffer.toSeat(): TaskSeat =
    TaskSeat(
        getSlot(),
        List(getInt()) { getInt() },
        buildList { while (hasRemaining()) add(BuddySeat(getSlot(), getInt(), getInt(), getInt())) },
    )

internal fun TaskUsage.toPayload(): ByteBuffer =
    payload(Math.multiplyExact(blockCount(), Long.SIZE_BYTES)) {
        repeat(blockCount()) { putLong(bytesInBlock(it)) }
    }

/** A usage has at least one block, so nothing stands for a task that failed. */
internal fun ByteBuffer.toUsage(): TaskUsage? =
    if (hasRemaining()) TaskUsage.of(*LongArray(remaining() / Long.SIZE_BYTES) { getLong() }) else null

internal inline fun payload(
    size: Int,
    fill: ByteBuffer.() -> Unit,
): ByteBuffer =
    ByteBuffer
        .allocate(size)
        .order(LITTLE_ENDIAN)
        .apply(fill)
        .flip()
