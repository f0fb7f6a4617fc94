package dev.cairn.reading

import dev.cairn.checkpoint.digestFormula
import dev.cairn.grid.Box
import dev.cairn.item.Coverage
import dev.cairn.redistribution.Cells
import dev.cairn.redistribution.Distribution
import dev.cairn.redistribution.FieldPlan
import dev.cairn.redistribution.Image
import dev.cairn.redistribution.Piece
import dev.cairn.redistribution.Runs
import java.nio.ByteBuffer
import java.util.BitSet

/**
 * A box of a stored field, or all of it, cut into windows of consecutive cells in row-major order. So a field of any size is read
 * in its own order and in bounded memory, independently of its distribution over the ranks. Fields of the same shape and type
 * have the same windows.
 *
 * A frame that overlaps several windows is read once for each.
 */
internal class FieldWindows(
    private val field: StoredField,
    private val box: Box = field.shape.box(),
    windowSize: Int = WINDOW_SIZE,
) {
    init {
        field.requireSound()
    }

    private val cellsPerWindow = (windowSize / field.elementType.size).toLong()
    private val cellCount = box.cellCount()

    /** The number of windows; they are numbered from 0. */
    val count: Int = Math.toIntExact((cellCount + cellsPerWindow - 1) / cellsPerWindow)

    private val windows =
        Image.of(box).let { whole -> List(count) { whole.between(firstCell(it), firstCell(it + 1)) } }

    private val plan: FieldPlan =
        field.planFor(Distribution.of(windows.map { window -> window.map { it.box } }))

    /** Calls [use] with all windows in their order, and then compares the digest if they are the whole field. */
    fun forEach(use: (window: Int, cells: ByteBuffer) -> Unit) {
        val digester = field.digestFormula.cells()
        for (window in 0 until count) use(window, read(window) { frame, piece -> field.digest(frame, piece, digester) })
        if (box == field.shape.box()) field.requireDigest(digester.digest())
    }

    /** The number of the first cell of [window] in the box. */
    fun firstCell(window: Int): Long = minOf(cellCount, window * cellsPerWindow)

    /** The cells of [window] in their order. Cells that no rank stored are zero: [storedPlaces] has the stored ones. */
    fun read(window: Int, look: (frame: ByteBuffer, piece: Piece) -> Unit = { _, _ -> }): ByteBuffer {
        val size = field.elementType.size
        val cells = firstCell(window + 1) - firstCell(window)
        val target = ByteBuffer.allocate(Math.toIntExact(cells * size))
        field.forEachPiece(plan, window) { frame, piece ->
            look(frame, piece)
            Cells.of(frame, size).copyTo(target, Runs.of(piece.cells, piece.source, windows[window][piece.boxNumber]))
        }
        return target
    }

    /** The places in [window] whose cells were stored; null if the field is not sparse, so that all were. */
    fun storedPlaces(window: Int): BitSet? {
        if (field.coverage == Coverage.WHOLE) return null
        val places = BitSet()
        for (image in windows[window]) {
            for (box in field.stored.boxesIn(image.box)) {
                val runs = Runs.of(box, image, Image.of(box))
                runs.forEach { here, _, count -> places.set(here.toInt(), here.toInt() + count) }
            }
        }
        return places
    }

    companion object {
        /** Large, because a frame of a rank that has columns of the field overlaps many windows. */
        const val WINDOW_SIZE = 32 shl 20
    }
}
