package dev.cairn.concentrate

import dev.cairn.sion.stripe.SubFileLayout

/**
 * A logical file in sub-files, each of which one concentrator serves. Alike on all ranks. Pure.
 *
 * Ranks go through the logical file window by window. A concentrator holds the bytes of one window, and those that come early for the
 * next one.
 *
 * @property concentrators the ranks that serve sub-files
 * @param windowSize the bytes of a window of the logical file
 * @property frameSize what is read at least, since it has one checksum; a window and a stripe have a whole number of frames
 * @param length the bytes of the logical file, where the last frame may end early
 */
internal class ServedFile(
    val layout: SubFileLayout,
    concentrators: List<Int>,
    private val windowSize: Long,
    val frameSize: Long = 1,
    private val length: Long = Long.MAX_VALUE,
) {
    /** Of no use are concentrators without a sub-file. */
    val concentrators = concentrators.take(layout.subFileCount())

    /** Which of the [concentrators] serves [subFile]. */
    fun serverOf(subFile: Int): Int = subFile % concentrators.size

    /** The number of the window that holds byte [offset]. */
    fun windowOf(offset: Long): Long = offset / windowSize

    /** The frames that hold the bytes of [span]. */
    fun framesOf(span: Span): Span {
        val rest = (span.to % frameSize).let { if (it == 0L) 0 else frameSize - it }
        return Span(span.from - span.from % frameSize, if (rest > length - span.to) length else span.to + rest)
    }

    /** Where window [number] begins. */
    fun startOf(number: Long): Long = number * windowSize

    /**
     * The parts of window [number] in [span], for each of the [concentrators], in the order of sub-files and of places in them.
     */
    fun partsOf(
        number: Long,
        span: Span,
    ): List<List<Part>> {
        val start = maxOf(span.from, startOf(number))
        val end = minOf(span.to, startOf(number) + windowSize)
        val parts = mutableListOf<Part>()
        layout.forEachRun(start, end - start) { subFile, local, offset, length ->
            parts += Part(subFile, local, offset, length)
        }
        val byServer = parts.sortedWith(compareBy({ it.subFile }, { it.local })).groupBy { serverOf(it.subFile) }
        return concentrators.indices.map { byServer[it].orEmpty() }
    }

    /** The bytes [from] one offset [to] another, outside of which no rank has any in this call. */
    class Span(
        val from: Long,
        val to: Long,
    )

    /** The [length] bytes from [offset] on, which lie at [local] in [subFile]. */
    class Part(
        val subFile: Int,
        val local: Long,
        val offset: Long,
        val length: Long,
    ) {
        val end: Long get() = offset + length
    }
}
