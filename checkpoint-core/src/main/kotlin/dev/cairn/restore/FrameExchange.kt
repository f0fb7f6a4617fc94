package dev.cairn.restore

import dev.cairn.checkpoint.TableOfContents
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.MessageTags
import dev.cairn.ranks.atStep
import dev.cairn.ranks.collectively
import dev.cairn.ranks.largest
import dev.cairn.redistribution.Frame
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/**
 * Collective: moves the cells of all [planned] fields to the ranks that request them. Each rank first reads the frames of which
 * it alone requests cells, one by one. It reads its shared frames in rounds of at most [ROUND_BYTES], and sends each rank its
 * cells of them. The number of rounds depends on the bytes, and not on the number of fields.
 *
 * @param planned the same fields in the same order on all ranks; a failure if this rank could not plan
 */
internal suspend fun Communicator.exchangeFrames(step: String, planned: Result<List<FieldRestorer>>) {
    note(step)
    val prepared = planned.mapCatching { FrameExchange(it).apply { readOwn() } }
    val roundCount = largest(step, prepared.map { it.roundCount })
    val exchange = prepared.getOrThrow()
    for (round in 0 until roundCount.toInt()) {
        // All ranks settle in each round, so that no rank runs ahead of those to which it sends.
        val messages = collectively(step) { exchange.read(round) }
        for ((target, message) in messages) send(target, MessageTags.CELLS, message)
        for (source in exchange.sources) exchange.assign(receive(source, MessageTags.CELLS))
    }
}

/** One rank's part in the rounds. */
private class FrameExchange(private val fields: List<FieldRestorer>) {
    /** A frame that this rank reads, and of which other ranks request cells. */
    private class Shared(val field: Int, val number: Long, val byteCount: Int)

    private val rounds = mutableListOf<List<Shared>>()
    private val targets get() = fields.flatMap { it.targets }.toSortedSet()
    val sources = fields.flatMap { field -> field.sources.toList() }.toSortedSet()
    val roundCount get() = rounds.size.toLong()

    suspend fun readOwn() {
        val shared =
            fields.flatMapIndexed { index, field ->
                val sizes = atStep("read '${field.name}'") { field.readUnshared() }
                sizes.map { Shared(index, it.key, it.value) }
            }
        var bytesLeft = 0L
        var round = mutableListOf<Shared>()
        for (frame in shared) {
            bytesLeft -= frame.byteCount
            if (bytesLeft < 0) {
                round = mutableListOf<Shared>().also { rounds += it }
                bytesLeft = ROUND_BYTES - frame.byteCount
            }
            round += frame
        }
    }

    /** Reads the frames of one round, and returns a message for each target, which may be empty. */
    suspend fun read(round: Int): Map<Int, ByteBuffer> {
        val frames = rounds.getOrElse(round) { emptyList() }.map { it to fields[it.field].frame(it.number) }
        val messages =
            targets.associateWith { target ->
                val size = frames.sumOf { (shared, frame) -> messageSize(fields[shared.field], frame, target) }
                ByteBuffer.allocate(size).order(LITTLE_ENDIAN)
            }
        for ((shared, frame) in frames) {
            fields[shared.field].readShared(frame) { target, pieces, bytes ->
                messages[target]?.let { message ->
                    message.putInt(shared.field).putLong(shared.number)
                    fields[shared.field].pack(pieces, bytes, message)
                }
            }
        }
        return messages.mapValues { (_, message) -> message.flip() }
    }

    private fun messageSize(field: FieldRestorer, frame: Frame, target: Int): Int {
        val cells = field.sizeFor(frame, target)
        return if (cells == 0) 0 else Int.SIZE_BYTES + Long.SIZE_BYTES + cells
    }

    /** Assigns the cells in a message of another rank: for each frame its field, its number, and the cells of its pieces. */
    fun assign(message: ByteBuffer) {
        val rest = message.duplicate().order(LITTLE_ENDIAN)
        while (rest.hasRemaining()) fields[rest.getInt()].assign(rest.getLong(), rest)
    }
}

private const val ROUND_BYTES = 4L * TableOfContents.FRAME_SIZE
