package dev.cairn.job

import java.time.Instant
import java.time.ZoneId
import java.time.format.DateTimeFormatter.ISO_OFFSET_DATE_TIME
import java.time.temporal.ChronoUnit

/** When the job of this program ends, and its [source] in words. */
internal class JobEnd(
    val time: Instant,
    val source: String,
) {
    override fun toString(): String = "${timeText(time)} ($source)"
}

/** The moment at a number of seconds since 1970; null for other texts, and for times far beyond any job. */
internal fun epochSecond(text: String): Instant? =
    if (SECONDS.matches(text)) Instant.ofEpochSecond(text.toLong()) else null

private val SECONDS = Regex("[0-9]{1,11}")

/** `2026-11-24T00:40:00+01:00`, in the time zone of this process. */
internal fun timeText(time: Instant): String =
    ISO_OFFSET_DATE_TIME.format(time.truncatedTo(ChronoUnit.SECONDS).atZone(ZoneId.systemDefault()))
