package dev.cairn.event

import kotlinx.serialization.SerializationException
import java.nio.ByteBuffer
import java.nio.charset.CharacterCodingException
import java.util.Locale
import kotlin.time.Duration
import kotlin.time.DurationUnit

// Sizes, times and rates as people read them.

private val UNITS = listOf("KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
private const val STEP = 1024.0

/** `1 byte`, `1023 bytes`, `3.2 GiB`. */
internal fun sizeText(byteCount: Long): String {
    if (byteCount < STEP) return if (byteCount == 1L) "1 byte" else "$byteCount bytes"
    var amount = byteCount / STEP
    var unit = 0
    while (amount >= STEP) {
        amount /= STEP
        unit++
    }
    return "%.1f %s".format(Locale.ROOT, amount, UNITS[unit])
}

/** `0.012 s`. */
internal fun secondsText(time: Duration): String = "%.3f s".format(Locale.ROOT, time.toDouble(DurationUnit.SECONDS))

/** `1.2 GiB/s`. */
internal fun rateText(byteCount: Long, time: Duration): String =
    "${sizeText((byteCount / time.toDouble(DurationUnit.SECONDS).coerceAtLeast(SHORTEST)).toLong())}/s"

private const val SHORTEST = 1e-9

/** `1 rank`, `2 ranks`. */
internal fun counted(count: Number, noun: String, plural: String = noun + "s"): String =
    if (count.toLong() == 1L) "1 $noun" else "$count $plural"

// Text in UTF-8, without Java's default replacement of unencodable or undecodable parts by question marks.

/**
 * The bytes of [text]; [what] describes it in error messages.
 *
 * @throws SerializationException if [text] has an unpaired surrogate
 */
internal inline fun utf8Of(text: String, what: () -> String = { "a text" }): ByteArray =
    try {
        // The strict conversion makes an encoder each time; texts without surrogates do not need it.
        val hasSurrogates = text.any { it.isSurrogate() }
        if (hasSurrogates) text.encodeToByteArray(throwOnInvalidSequence = true) else text.encodeToByteArray()
    } catch (half: CharacterCodingException) {
        throw SerializationException("${what()} has an unpaired surrogate, which is not a character", half)
    }

/**
 * The text whose bytes remain in [bytes]; [what] describes it in error messages.
 *
 * @throws SerializationException if they are not UTF-8
 */
internal inline fun textOfUtf8(bytes: ByteBuffer, what: () -> String = { "a text" }): String =
    try {
        "${Charsets.UTF_8.newDecoder().decode(bytes.duplicate())}"
    } catch (malformed: CharacterCodingException) {
        throw SerializationException("${what()} is not UTF-8", malformed)
    }
