package dev.cairn.restore

import dev.cairn.cells.Cells
import dev.cairn.cells.Image
import dev.cairn.cells.Runs
import dev.cairn.comm.Communicator
import dev.cairn.comm.allReduce
import dev.cairn.comm.collectively
import dev.cairn.grid.Box
import dev.cairn.reading.StoredState
import dev.cairn.redistribution.FieldPlan
import dev.cairn.redistribution.Frame
import dev.cairn.redistribution.Piece
import dev.cairn.state.FieldItem
import dev.cairn.state.FramePool
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.util.TreeSet

/** The cells of a field, or of a column of a table, as they are stored: by which key, and how large each is. */
internal class StoredCells(
    val name: String,
    val key: Int,
    val elementSize: Int,
)

/**
 * Brings one field to the ranks that want it. Each rank reads its frames one by one, and takes its own cells from them. Those
 * of which others want cells, too, it reads in rounds, so that memory stays bounded, and sends the others theirs.
 *
 * @param taken is told of all cells that have arrived in a block of this rank, while they are in the cache
 */
internal class FieldRestorer(
    private val ranks: Communicator,
    private val stored: StoredState,
    private val source: StoredCells,
    private val blocks: List<FieldItem.Block>,
    private val plan: FieldPlan,
    private val pool: FramePool,
    private val taken: (FieldItem.Block, Box) -> Unit = { _, _ -> },
) {
    private val share = plan.share(ranks.rank)
    private val sharedFrames = ArrayList<Long>()
    private val targets = TreeSet<Int>()

    /** Collective. */
    suspend fun run() {
        ranks.collectively("read '${source.name}'") { share.reads().forEach { readUnlessShared(it) } }
        val rounds = sharedFrames.chunked(ROUND_FRAMES)
        val roundCount = ranks.allReduce(rounds.size.toLong(), Math::max)
        for (round in 0 until roundCount.toInt()) {
            val frames = rounds.getOrElse(round) { emptyList() }
            val messages = ranks.collectively("read '${source.name}'") { readRound(frames) }
            for ((target, message) in messages) ranks.send(target, TAG, message)
            for (source in share.sources()) assign(ranks.receive(source, TAG))
        }
    }

    /**
     * Finds out to whom this rank sends. They know, too, so in every round each of them gets a message, though it may be
     * empty.
     */
    private suspend fun readUnlessShared(number: Long) {
        val frame = plan.frame(number)
        val others = frame.pieces.map { it.rank }.filter { it != ranks.rank }
        if (others.isEmpty()) {
            read(frame) { takeOwn(frame, it) }
        } else {
            sharedFrames += number
            targets += others
        }
    }

    private suspend fun readRound(numbers: List<Long>): Map<Int, ByteBuffer> {
        val frames = numbers.associateWith(plan::frame)
        val sizes = targets.associateWith { messageSize(frames.values, it) }
        val messages = sizes.mapValues { (_, size) -> ByteBuffer.allocate(size).order(LITTLE_ENDIAN) }
        for ((number, frame) in frames) {
            read(frame) { bytes ->
                takeOwn(frame, bytes)
                for ((target, pieces) in frame.pieces.groupBy { it.rank }) {
                    messages[target]?.let { pack(number, pieces, bytes, it) }
                }
            }
        }
        return messages.mapValues { (_, message) -> message.flip() }
    }

    private suspend inline fun read(
        frame: Frame,
        use: (ByteBuffer) -> Unit,
    ) = pool.borrow { bytes ->
        bytes.limit(frame.size)
        stored.readFrame(frame.writer, source.key, Math.toIntExact(frame.index), bytes)
        use(bytes.flip())
    }

    private fun takeOwn(
        frame: Frame,
        bytes: ByteBuffer,
    ) = frame.pieces.filter { it.rank == ranks.rank }.forEach { assign(it, bytes, it.source) }

    /** Of each frame there is its number, and the cells of its pieces, one after another. */
    private fun pack(
        number: Long,
        pieces: List<Piece>,
        bytes: ByteBuffer,
        message: ByteBuffer,
    ) {
        val cells = Cells.of(bytes, source.elementSize)
        message.putLong(number)
        for (piece in pieces) {
            cells.copyTo(message, Runs.of(piece.cells, piece.source, Image.of(piece.cells)))
            message.position(message.position() + size(piece))
        }
    }

    private fun messageSize(
        frames: Collection<Frame>,
        target: Int,
    ): Int =
        frames.map { frame -> frame.pieces.filter { it.rank == target } }.filter { it.isNotEmpty() }.sumOf { pieces ->
            Long.SIZE_BYTES + pieces.sumOf(::size)
        }

    private fun assign(message: ByteBuffer) {
        val rest = message.duplicate().order(LITTLE_ENDIAN)
        while (rest.hasRemaining()) {
            for (piece in plan.pieces(rest.getLong(), ranks.rank)) {
                assign(piece, rest, Image.of(piece.cells))
                rest.position(rest.position() + size(piece))
            }
        }
    }

    /** In steps, so that cells that are taken are in the cache. */
    private fun assign(
        piece: Piece,
        bytes: ByteBuffer,
        image: Image,
    ) {
        val block = blocks[piece.boxNumber]
        for (start in 0 until piece.cells.cellCount() step STEP_CELLS) {
            for (part in Image.of(piece.cells).between(start, start + STEP_CELLS)) {
                block.assign(part.box, bytes, image)
                taken(block, part.box)
            }
        }
    }

    private fun size(piece: Piece) = Math.toIntExact(piece.cells.cellCount() * source.elementSize)

    private companion object {
        const val ROUND_FRAMES = 4
        const val STEP_CELLS = 8192L

        /** The communicator is our own, so any tag will do. */
        const val TAG = 1
    }
}
