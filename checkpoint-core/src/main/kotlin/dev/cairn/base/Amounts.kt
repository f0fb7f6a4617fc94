package dev.cairn.base

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
internal fun rateText(
    byteCount: Long,
    time: Duration,
): String = "${sizeText((byteCount / time.toDouble(DurationUnit.SECONDS).coerceAtLeast(SHORTEST)).toLong())}/s"

private const val SHORTEST = 1e-9
