package dev.cairn.report

import dev.cairn.event.CheckpointEvent
import dev.cairn.event.EventLine
import dev.cairn.event.SaveOutcome
import dev.cairn.event.Saved
import java.time.Duration
import java.time.Instant
import java.time.temporal.ChronoUnit

/** One save, from its beginning to its end as far as the [lines] of its events tell; there is at least one. */
internal class SaveHistory(
    private val lines: List<EventLine>,
) {
    private val place = checkNotNull(lines.first().event.savePlace)

    /** Null for a save that was skipped or failed before it had one. */
    val number: Int? get() = place.number
    val step: Long get() = place.step
    val phase: String get() = place.phase

    /** When its first event was written. */
    val begin: Instant get() = lines.first().time

    /** When it was complete on the disks of the hosts; null if no event says so. */
    val sealed: Instant? get() = lines.firstOrNull { it.event is SaveOutcome.Sealed }?.time

    /** When the program went on with a copy; null if no event says so. */
    val copied: Instant? get() = lines.firstOrNull { it.event is SaveOutcome.Copied }?.time

    private val ending = lines.lastOrNull { it.event is SaveOutcome && it.event !is SaveOutcome.UnderWay }

    /** When it was committed, or came to another end; null if no event says so. */
    val end: Instant? get() = ending?.time

    val outcome: SaveOutcome? get() = ending?.event as SaveOutcome?

    val committed: Saved? get() = outcome as? Saved

    /** How it ended, in a word that is also its style in a picture. */
    val state: String
        get() =
            when (outcome) {
                is Saved -> "committed"
                is SaveOutcome.Skipped -> "skipped"
                is SaveOutcome.Failed -> "failed"
                is SaveOutcome.Superseded -> "superseded"
                is SaveOutcome.UnderWay, null -> "unknown"
            }

    /** Why it was not committed, or what is not known of it; empty if all is said. */
    val remark: String
        get() =
            when (val outcome = outcome) {
                is SaveOutcome.Skipped -> outcome.reason
                is SaveOutcome.Failed -> outcome.reason
                is SaveOutcome.Superseded -> "superseded by save ${outcome.by}"
                is Saved -> ""
                is SaveOutcome.UnderWay, null -> if (sealed == null) "begun, no end known" else "sealed, no end known"
            }

    companion object {
        /** All values of [state]. */
        val STATES = listOf("committed", "skipped", "failed", "superseded", "unknown")
    }
}

/** Where a save stands in its program, and its number if it has one. */
internal class SavePlace(
    val number: Int?,
    val step: Long,
    val phase: String,
)

/** Null for events that are not of a save. */
internal val CheckpointEvent.savePlace: SavePlace?
    get() =
        when (this) {
            is CheckpointEvent.Begun -> SavePlace(number, step, phase)
            is SaveOutcome.Copied -> SavePlace(number, step, phase)
            is SaveOutcome.Sealed -> SavePlace(number, step, phase)
            is SaveOutcome.Superseded -> SavePlace(number, step, phase)
            is SaveOutcome.Skipped -> SavePlace(number, step, phase)
            is SaveOutcome.Failed -> SavePlace(number, step, phase)
            is Saved -> SavePlace(number, step, phase)
            else -> null
        }

/** The time from one moment to another in seconds; clocks that were set back make none negative. */
internal fun secondsBetween(
    from: Instant,
    to: Instant,
): Double = (Duration.between(from, to).toNanos() / NANOS).coerceAtLeast(0.0)

/** As people read it: in UTC, to the millisecond. */
internal fun timeText(time: Instant): String = "${time.truncatedTo(ChronoUnit.MILLIS)}"

private const val NANOS = 1e9
