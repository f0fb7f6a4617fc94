package dev.cairn.options

import java.math.MathContext
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit

/**
 * A kind of values that people write: its description, and its conversion to and from text.
 *
 * @property allowed the allowed values, as a continuation of "It is"
 * @property placeholder the placeholder of a value in a list of options; empty if the option needs none
 * @property isAllowed whether a value is allowed
 * @property print the text of a value, which [read] turns into the same value
 * @property read the value of a text; throws [IllegalArgumentException] if it has none
 */
internal class ValueKind<T>(
    val allowed: String,
    val placeholder: String,
    val isAllowed: (T) -> Boolean = { true },
    val print: (T) -> String = { "$it" },
    val read: (String) -> T,
)

/** These, and one [word] more, which stands for null. */
internal fun <T : Any> ValueKind<T>.or(word: String): ValueKind<T?> =
    ValueKind(
        "$allowed, or $word",
        placeholder,
        { it == null || isAllowed(it) },
        { if (it == null) word else print(it) },
        { if (it == word) null else read(it) },
    )

internal fun counts(): ValueKind<Int> =
    ValueKind("a whole number of at least 1", "N", { it >= 1 }, read = String::toInt)

internal fun stepCounts(): ValueKind<Long> =
    ValueKind("a whole number of at least 1", "N", { it >= 1 }, read = String::toLong)

internal fun seconds(): ValueKind<Duration> =
    ValueKind(
        "a number of seconds above 0",
        "SECONDS",
        { it.isPositive() && it.isFinite() },
        { plain(it.toDouble(DurationUnit.SECONDS)) },
        { text -> minOf(text.toDouble().also { require(it.isFinite()) }, LONGEST_SECONDS).seconds },
    )

/** Longer is as good as for ever, and no sum of such times overflows. */
private const val LONGEST_SECONDS = 1e12

/** Shares between none and all, which are written in percent. */
internal fun shares(): ValueKind<Double> =
    ValueKind(
        "a share above 0% and below 100%",
        "SHARE",
        { it > 0 && it < 1 },
        { "${plain(it * PERCENT, SHARE_DIGITS)}%" },
    ) {
        require(it.endsWith('%'))
        it.removeSuffix("%").trim().toDouble() / PERCENT
    }

private const val PERCENT = 100
private val SHARE_DIGITS = MathContext(10)

/** Without an exponent. What is no decimal number is not allowed either, and this text is for the refusal. */
private fun plain(number: Double, digits: MathContext = MathContext.UNLIMITED): String =
    if (number.isFinite()) {
        number
            .toBigDecimal()
            .round(digits)
            .stripTrailingZeros()
            .toPlainString()
    } else {
        "$number"
    }

/** Sizes of at least [least] and at most [most] bytes. */
internal fun byteSizes(least: Long, most: Long = Long.MAX_VALUE): ValueKind<Long> =
    ValueKind(
        "a number of bytes from ${ByteSize.print(least)} ${upTo(most)}, such as 4096, 64KiB, 32MiB or 2GiB",
        "BYTES",
        { it in least..most },
        ByteSize::print,
        ByteSize::read,
    )

private fun upTo(most: Long): String = if (most == Long.MAX_VALUE) "on" else "to ${ByteSize.print(most)}"

internal fun switches(): ValueKind<Boolean> = ValueKind("true or false", "", read = String::toBooleanStrict)

/** One word for each value. */
internal fun <T> words(vararg values: Pair<String, T>): ValueKind<T> {
    val byWord = mapOf(*values)
    val words = byWord.keys.toList()
    return ValueKind(
        "${words.dropLast(1).joinToString()} or ${words.last()}",
        byWord.keys.joinToString("|"),
        print = { value -> byWord.entries.first { it.value == value }.key },
        read = { byWord.getValueOrRefuse(it) },
    )
}

/** One word for each constant of an enum, after its name: `go-on` for `GO_ON`. */
internal inline fun <reified T : Enum<T>> constants(): ValueKind<T> =
    words(*enumValues<T>().map { it.name.lowercase().replace('_', '-') to it }.toTypedArray())

private fun <T> Map<String, T>.getValueOrRefuse(word: String): T {
    require(word in this)
    return getValue(word)
}

/** Numbers of bytes, with or without a unit of 1024 bytes and its powers. */
private object ByteSize {
    private val UNITS = listOf("TiB" to 40, "GiB" to 30, "MiB" to 20, "KiB" to 10)
    private val SHAPE = Regex("([0-9]{1,19}) ?([KMGT]iB)?")

    fun print(size: Long): String {
        val (unit, shift) = UNITS.find { (_, shift) -> size != 0L && size % (1L shl shift) == 0L } ?: return "$size"
        return "${size shr shift}$unit"
    }

    fun read(text: String): Long {
        val (number, unit) = requireNotNull(SHAPE.matchEntire(text)).destructured
        val shift = UNITS.toMap()[unit] ?: 0
        val size = number.toLong()
        require(size <= Long.MAX_VALUE shr shift)
        return size shl shift
    }
}
