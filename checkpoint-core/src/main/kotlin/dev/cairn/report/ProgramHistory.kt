package dev.cairn.report

import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.EventLine

/**
 * One program from its start to its end, as recorded in the [lines] of its events, at least one. A restart is a program of its own.
 *
 * @property number its place in the report, from 1
 */
internal class ProgramHistory(val number: Int, lines: List<EventLine>) {
    private val events = Moment.of(lines)

    /** Null if the events before were lost. */
    val started: CheckpointEvent.Started? = events.first().event as? CheckpointEvent.Started

    val begin: Moment = events.first().moment

    /** The moment of the last event. */
    val last: Moment = events.last().moment

    /** Null if no event records the end. */
    val ended: CheckpointEvent.Ended? = events.firstNotNullOfOrNull { it.event as? CheckpointEvent.Ended }

    val restored: Restored? = events.firstNotNullOfOrNull { it.event as? Restored }

    val passedOver: List<CheckpointEvent.Rejected> = events.mapNotNull { it.event as? CheckpointEvent.Rejected }

    val takenOver: CheckpointEvent.TakenOver? = events.firstNotNullOfOrNull { it.event as? CheckpointEvent.TakenOver }

    val saves: List<SaveHistory> = savesIn(events)

    val seconds: Double get() = last.seconds

    /** The steps done, at the moments of events. */
    val progress: List<StepMoment> = events.mapNotNull { at -> stepsOf(at.event)?.let { StepMoment(at.moment, it) } }

    /** Its end in a word, which is also its style in a picture. */
    fun state(isRunning: Boolean): String =
        when {
            ended != null -> ended.how.name.lowercase()
            isRunning -> "running"
            else -> "unknown"
        }

    companion object {
        /** The programs that wrote these lines, in the order of their first ones. */
        fun of(lines: List<EventLine>): List<ProgramHistory> =
            lines.groupBy { it.program }.values.mapIndexed { place, its -> ProgramHistory(place + 1, its) }

        private fun savesIn(events: List<TimedEvent>): List<SaveHistory> {
            val ofSaves = events.withIndex().filter { it.value.event.savePlace != null }
            // A save without a number has a single event.
            val groups =
                ofSaves.groupBy {
                    it.value.event.savePlace
                        ?.number ?: -1 - it.index
                }
            return groups.values.map { group -> SaveHistory(group.map { it.value }) }
        }

        /** Null for the end of a save, whose step is that of its beginning, while the program has gone on. */
        private fun stepsOf(event: CheckpointEvent): Long? =
            when (event) {
                is Restored -> event.step
                is CheckpointEvent.Begun -> event.step
                is CheckpointEvent.Ended -> event.step
                else -> null
            }
    }
}

/** After [step] steps at the [moment]. */
internal class StepMoment(val moment: Moment, val step: Long)
