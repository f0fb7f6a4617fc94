package dev.cairn.report

import dev.cairn.event.CheckpointEvent
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import java.time.Instant
import java.time.temporal.ChronoUnit

/** One save, from its beginning to its end, as recorded in its [events], at least one. */
internal class SaveHistory(private val events: List<TimedEvent>) {
    private val place = checkNotNull(events.first().event.savePlace)

    /** Null for a save that was skipped or failed before it had one. */
    val number: Int? get() = place.number
    val step: Long get() = place.step
    val phase: String get() = place.phase

    /** When its first event was written. */
    val begin: Moment get() = events.first().moment

    /** When it began; null if earlier events were lost. A save without a number was skipped or failed before it began. */
    val began: Moment? get() = begin.takeIf { number == null || events.first().event is CheckpointEvent.Begun }

    /** When it was complete on the disks of the hosts; null if no event records it. */
    val sealed: Moment? get() = events.firstOrNull { it.event is SaveOutcome.Sealed }?.moment

    private val ending = events.lastOrNull { it.event is SaveOutcome && it.event !is SaveOutcome.UnderWay }

    /** When it was committed or ended otherwise; null if no event records it. */
    val end: Moment? get() = ending?.moment

    val outcome: SaveOutcome? get() = ending?.event as SaveOutcome?

    val committed: Saved? get() = outcome as? Saved

    /** The outcome in a word, which is also its style in a picture. */
    val state: String
        get() =
            when (outcome) {
                is Saved -> "committed"
                is SaveOutcome.Skipped -> "skipped"
                is SaveOutcome.Failed -> "failed"
                is SaveOutcome.Superseded -> "superseded"
                is SaveOutcome.UnderWay, null -> "unknown"
            }

    /** The reason for a missing commit, or a note on a missing end; empty otherwise. */
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

/** The position of a save in its program, and its number if it has one. */
internal class SavePlace(val number: Int?, val step: Long, val phase: String)

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

/** The text of a time in UTC, to the millisecond. */
internal fun timeText(time: Instant): String = "${time.truncatedTo(ChronoUnit.MILLIS)}"
