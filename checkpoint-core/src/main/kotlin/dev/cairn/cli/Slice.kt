package dev.cairn.cli

import dev.cairn.event.counted
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import picocli.CommandLine.ITypeConverter
import picocli.CommandLine.TypeConversionException

/** A part of an array in NumPy's notation: `10:20,:` are rows 10 to 19, and all columns. There are no steps. */
internal class Slice private constructor(private val text: String, private val ranges: List<Range>) {
    private class Range(val start: Long, val end: Long?)

    /** These cells of an array; otherwise an [IllegalArgumentException] gives the reason. */
    fun of(shape: Shape): Box {
        require(ranges.size == shape.dimensions()) {
            "the slice $text has ${counted(ranges.size, "dimension")}, but the shape $shape has ${shape.dimensions()}."
        }
        val ends = LongArray(ranges.size) { ranges[it].end ?: shape.extent(it) }
        val starts = LongArray(ranges.size) { ranges[it].start }
        require(ranges.indices.all { starts[it] <= ends[it] && ends[it] <= shape.extent(it) }) {
            "the slice $text does not lie in the shape $shape."
        }
        return Box.of(starts, LongArray(ranges.size) { ends[it] - starts[it] })
    }

    override fun toString(): String = text

    class Converter : ITypeConverter<Slice> {
        override fun convert(text: String): Slice =
            Slice(text, text.split(',').map { rangeOf(it) ?: throw TypeConversionException(advice(text)) })

        private fun rangeOf(text: String): Range? {
            val (start, end) = RANGE.matchEntire(text)?.destructured ?: return null
            return Range(start.ifEmpty { "0" }.toLong(), end.ifEmpty { null }?.toLong())
        }

        private fun advice(text: String) = "'$text' is not a slice: give START:END for each dimension, as in 10:20,:"

        private companion object {
            val RANGE = Regex("([0-9]{0,18}):([0-9]{0,18})")
        }
    }
}
