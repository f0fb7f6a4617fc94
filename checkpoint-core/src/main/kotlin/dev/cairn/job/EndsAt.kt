package dev.cairn.job

import java.time.DateTimeException
import java.time.Instant
import java.time.OffsetDateTime

/** What the setting `ends-at` says of the end of the job. */
internal sealed interface EndsAt {
    /** The job system is asked. */
    data object Auto : EndsAt

    /** The program runs as if its job had no end, whatever else says one. */
    data object Never : EndsAt

    data class At(
        val time: Instant,
    ) : EndsAt

    companion object {
        private const val AUTO = "auto"
        private const val NEVER = "none"

        /** Later times cannot be printed in any time zone. */
        private val LAST = Instant.parse("9999-12-30T00:00:00Z")

        fun print(endsAt: EndsAt): String =
            when (endsAt) {
                is Auto -> AUTO
                is Never -> NEVER
                is At -> "${endsAt.time}"
            }

        fun parse(text: String): EndsAt =
            when {
                text == AUTO -> Auto
                text == NEVER -> Never
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
