package dev.cairn.benchmarks.report

import picocli.CommandLine.ITypeConverter
import picocli.CommandLine.TypeConversionException

private val units = listOf("" to 0, "K" to 10, "M" to 20, "G" to 30)
private val pattern = Regex("([1-9][0-9]{0,9})([KMG]?)")

/** Reads `4096`, `64K`, `1M` or `2G`. */
internal class SizeConverter : ITypeConverter<Long> {
    override fun convert(text: String): Long {
        val parts =
            pattern.matchEntire(text) ?: throw TypeConversionException("'$text' is not a size such as 64K or 1M")
        val (number, letter) = parts.destructured
        return number.toLong() shl units.first { it.first == letter }.second
    }
}

/** The largest unit in which [byteCount] is a whole number. */
internal fun textOf(byteCount: Long): String {
    val (letter, shift) = units.last { (_, shift) -> byteCount and ((1L shl shift) - 1) == 0L }
    return "${byteCount shr shift} ${if (letter.isEmpty()) "bytes" else letter + "iB"}"
}
