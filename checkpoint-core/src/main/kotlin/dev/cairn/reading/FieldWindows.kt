package dev.cairn.reading

import dev.cairn.cells.Cells
import dev.cairn.cells.Image
import dev.cairn.cells.Runs
import dev.cairn.redistribution.Distribution
import dev.cairn.redistribution.FieldPlan
import dev.cairn.state.Coverage
import java.nio.ByteBuffer
import java.util.BitSet

/**
 * A stored field cut into windows of consecutive global numbers, so that a field of any size is read in its own order, and in
 * bounded memory, whoever stored which part of it. Fields of one shape and type are cut alike.
 *
 * A frame that reaches into several windows is read for each of them.
 */
internal class FieldWindows(
    private val field: StoredField,
    windowSize: Int = WINDOW_SIZE,
) {
    private val cellsPerWindow = (windowSize / field.type.size).toLong()
    private val cellCount = field.shape.cellCount()

    /** How many windows there are; they are numbered from 0. */
    val count: Int = Math.toIntExact((cellCount + cellsPerWindow - 1) / cellsPerWindow)

    private val windows =
        Image.of(field.shape.box()).let { whole -> List(count) { whole.between(firstCell(it), firstCell(it + 1)) } }

    private val plan: FieldPlan =
        field.planFor(Distribution.of(windows.map { window -> window.map { it.box } }))

    /** The global number of the first cell of [window]. */
    fun firstCell(window: Int): Long = minOf(cellCount, window * cellsPerWindow)

    /**
     * The cells of [window] in the order of their global numbers. Those that no rank stored are zero: [storedPlaces] tells
     * which ones were.
     */
    fun read(window: Int): ByteBuffer {
        val cells = firstCell(window + 1) - firstCell(window)
        val target = ByteBuffer.allocate(Math.toIntExact(cells * field.type.size))
        framesOf(window).forEach { copyFrame(it, window, target) }
        return target
    }

    /** The places in [window] whose cells some rank stored; null if all were, since the field is not sparse. */
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

    private fun framesOf(window: Int): List<Long> {
        val share = plan.share(window)
        return (share.sources() + window).flatMap { share.from(it).asList() }.sorted()
    }

    private fun copyFrame(
        number: Long,
        window: Int,
        target: ByteBuffer,
    ) {
        val source = Cells.of(field.read(plan.frame(number)), field.type.size)
        for (piece in plan.pieces(number, window)) {
            source.copyTo(target, Runs.of(piece.cells, piece.source, windows[window][piece.boxNumber]))
        }
    }

    companion object {
        /** Large, because a frame that was cut from columns reaches into many windows. */
        const val WINDOW_SIZE = 32 shl 20
    }
}
