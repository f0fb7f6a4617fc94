package dev.cairn.concentrate

import dev.cairn.sion.stripe.SubFileLayout

/**
 * A logical file in sub-files, each of which one concentrator serves. Alike on all ranks. Pure.
 *
 * Ranks go through the sub-files window by window: in each, a rank sends a concentrator one message. A concentrator writes a window
 * slice by slice, and holds the bytes of two slices, the messages of one window, and those that come early for the next one.
 *
 * @property concentrators the ranks that serve sub-files
 * @param windowDepth the bytes of a window in each sub-file
 * @param sliceDepth the bytes of a slice in each sub-file
 * @property frameSize what is read at least, since it has one checksum; a window and a stripe have a whole number of frames
 * @param length the bytes of the logical file, where the last frame may end early
 */
internal class ServedFile(
    val layout: SubFileLayout,
    concentrators: List<Int>,
    private val windowDepth: Long,
    val frameSize: Long = 1,
    private val length: Long = Long.MAX_VALUE,
    private val sliceDepth: Long = windowDepth,
) {
    /** Of no use are concentrators without a sub-file. */
    val concentrators = concentrators.take(layout.subFileCount())

    /** Which of the [concentrators] serves [subFile]. */
    fun serverOf(subFile: Int): Int = subFile % concentrators.size

    /** The frames that hold the bytes of [span]. */
    fun framesOf(span: Span): Span {
        val rest = (span.to % frameSize).let { if (it == 0L) 0 else frameSize - it }
        return Span(span.from - span.from % frameSize, if (rest > length - span.to) length else span.to + rest)
    }

    /** The windows that clients send without a grant: the first one that holds a byte of [span], and the next. */
    fun freeWindows(span: Span): LongRange {
        var first = Long.MAX_VALUE
        layout.forEachLocal(span.from, span.length) { _, local, _ -> first = minOf(first, local / windowDepth) }
        return first..first + 1
    }

    /** Visits the pieces of [span], in ascending order, each with its window and which of the [concentrators] serves it. */
    inline fun forEachPiece(span: Span, crossinline visit: (server: Int, window: Long, from: Long, to: Long) -> Unit) =
        layout.forEachRun(span.from, span.length) { subFile, local, offset, length ->
            val behind = local + length
            var next = local
            while (next < behind) {
                val window = next / windowDepth
                val end = if (behind / windowDepth > window) (window + 1) * windowDepth else behind
                visit(serverOf(subFile), window, offset + next - local, offset + end - local)
                next = end
            }
        }

    /** What [server] has of window [number] in [span]. */
    fun windowOf(server: Int, number: Long, span: Span): WindowSlice =
        sliceOf(server, number * windowDepth, windowDepth, span)

    /** The same, slice by slice, of which some may be empty. */
    fun slicesOf(server: Int, number: Long, span: Span): List<WindowSlice> =
        (0 until windowDepth step sliceDepth).map {
            sliceOf(server, number * windowDepth + it, minOf(sliceDepth, windowDepth - it), span)
        }

    private fun sliceOf(server: Int, local: Long, depth: Long, span: Span): WindowSlice {
        val parts = mutableListOf<WindowSlice.Part>()
        for (subFile in server until layout.subFileCount() step concentrators.size) {
            layout.forEachRunOf(subFile, local, depth) { _, start, offset, length ->
                val from = maxOf(offset, span.from)
                val to = minOf(offset + length, span.to)
                if (from < to) parts += WindowSlice.Part(subFile, start + from - offset, from, to - from)
            }
        }
        return WindowSlice(parts)
    }

    /** The bytes [from] one offset [to] another, outside of which no rank has any in this call. */
    class Span(val from: Long, val to: Long) {
        val length: Long get() = to - from
    }
}
