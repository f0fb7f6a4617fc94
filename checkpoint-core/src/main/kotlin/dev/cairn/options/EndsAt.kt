package dev.cairn.options

import java.time.DateTimeException
import java.time.Instant
import java.time.OffsetDateTime

/** The value of the setting `ends-at`. */
internal sealed interface EndsAt {
    /** The end is queried from the job system. */
    data object Auto : EndsAt {
        override fun toString() = "auto"
    }

    /** The program runs as if its job had no end, whatever the job system reports. */
    data object Never : EndsAt {
        override fun toString() = "none"
    }

    data class At(val time: Instant) : EndsAt {
        override fun toString() = "$time"
    }

    companion object {
        /** Later times cannot be printed in any time zone. */
        private val LAST = Instant.parse("9999-12-30T00:00:00Z")

        fun parse(text: String): EndsAt =
            when (text) {
                "$Auto" -> Auto
                "$Never" -> Never
                else -> At(epochSecond(text) ?: instantOf(text))
            }.also { require(it !is At || it.time <= LAST) }

        /** A time without an offset would mean another moment on a host in another time zone. */
        private fun instantOf(text: String): Instant =
            try {
                OffsetDateTime.parse(text).toInstant()
            } catch (unfit: DateTimeException) {
                throw IllegalArgumentException(unfit.message, unfit)
            }
    }
}

/** The moment at a number of seconds since 1970; null for other texts, and for times far beyond any job. */
internal fun epochSecond(text: String): Instant? =
    if (SECONDS.matches(text)) Instant.ofEpochSecond(text.toLong()) else null

private val SECONDS = Regex("[0-9]{1,11}")
