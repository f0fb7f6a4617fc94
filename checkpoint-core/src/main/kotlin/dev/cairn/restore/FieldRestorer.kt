package dev.cairn.restore

import dev.cairn.checkpoint.FramePool
import dev.cairn.checkpoint.StoredState
import dev.cairn.grid.Box
import dev.cairn.item.CellBlock
import dev.cairn.redistribution.Cells
import dev.cairn.redistribution.FieldPlan
import dev.cairn.redistribution.Frame
import dev.cairn.redistribution.Image
import dev.cairn.redistribution.Piece
import dev.cairn.redistribution.Runs
import java.nio.ByteBuffer
import java.util.TreeSet

/** The stored cells of a field, or of a column of a table: their key, and the size of each in bytes. */
internal class StoredCells(val name: String, val key: Int, val elementSize: Int)

/**
 * One rank's part in the redistribution of one field: it reads its share of the frames one by one, assigns its own cells from
 * them, and packs those that other ranks request. Its functions are not collective; [exchangeFrames] calls them.
 *
 * @param assigned is called with all cells that were assigned in a block of this rank, while they are in the cache
 */
internal class FieldRestorer(
    private val rank: Int,
    private val stored: StoredState,
    private val source: StoredCells,
    private val blocks: List<CellBlock>,
    private val plan: FieldPlan,
    private val pool: FramePool,
    private val assigned: (CellBlock, Box) -> Unit = { _, _ -> },
) {
    private val share = plan.share(rank)

    val name: String get() = source.name

    /** The ranks that read for this one. */
    val sources: List<Int> get() = share.sources()

    /**
     * The ranks for which this one reads; known after [readUnshared]. Each of them expects a message in every round, though it
     * may be empty.
     */
    val targets: Set<Int> get() = foundTargets
    private val foundTargets = TreeSet<Int>()

    /** Reads the frames of which no other rank requests cells; returns the sizes of the remaining ones by their numbers. */
    suspend fun readUnshared(): Map<Long, Int> {
        val shared = LinkedHashMap<Long, Int>()
        for (number in share.reads()) {
            val frame = plan.frame(number)
            val others = frame.pieces.map { it.rank }.filter { it != rank }
            if (others.isEmpty()) {
                read(frame) { assignOwn(frame, it) }
            } else {
                shared[number] = frame.size
                foundTargets += others
            }
        }
        return shared
    }

    fun frame(number: Long): Frame = plan.frame(number)

    /** The number of bytes of [frame] that the rank [target] requests. */
    fun sizeFor(frame: Frame, target: Int): Int = frame.pieces.filter { it.rank == target }.sumOf(::size)

    /** Reads [frame], assigns the cells of this rank, and calls [use] with the pieces of each rank and the bytes of the frame. */
    suspend fun readShared(frame: Frame, use: (target: Int, pieces: List<Piece>, bytes: ByteBuffer) -> Unit) =
        read(frame) { bytes ->
            assignOwn(frame, bytes)
            for ((target, pieces) in frame.pieces.groupBy { it.rank }) use(target, pieces, bytes)
        }

    private suspend inline fun read(frame: Frame, use: (ByteBuffer) -> Unit) =
        pool.borrow(stored.position(frame.writer, source.key, Math.toIntExact(frame.index))) { bytes ->
            bytes.limit(frame.size)
            stored.readFrame(frame.writer, source.key, Math.toIntExact(frame.index), bytes)
            use(bytes.flip())
        }

    private fun assignOwn(frame: Frame, bytes: ByteBuffer) =
        frame.pieces.filter { it.rank == rank }.forEach { assign(it, bytes, it.source) }

    /** Puts the cells of [pieces], one after another, from a frame's [bytes] into a [message]. */
    fun pack(pieces: List<Piece>, bytes: ByteBuffer, message: ByteBuffer) {
        val cells = Cells.of(bytes, source.elementSize)
        for (piece in pieces) {
            cells.copyTo(message, Runs.of(piece.cells, piece.source, Image.of(piece.cells)))
            message.position(message.position() + size(piece))
        }
    }

    /** Assigns this rank's pieces of frame [number] from [rest], where they are packed from its position on. */
    fun assign(number: Long, rest: ByteBuffer) {
        for (piece in plan.pieces(number, rank)) {
            assign(piece, rest, Image.of(piece.cells))
            rest.position(rest.position() + size(piece))
        }
    }

    /** In steps, so that the cells are still in the cache when [assigned] is called. */
    private fun assign(piece: Piece, bytes: ByteBuffer, image: Image) {
        val block = blocks[piece.boxNumber]
        for (start in 0 until piece.cells.cellCount() step STEP_CELLS) {
            for (part in Image.of(piece.cells).between(start, start + STEP_CELLS)) {
                block.assign(part.box, bytes, image)
                assigned(block, part.box)
            }
        }
    }

    private fun size(piece: Piece) = Math.toIntExact(piece.cells.cellCount() * source.elementSize)

    private companion object {
        const val STEP_CELLS = 8192L
    }
}
