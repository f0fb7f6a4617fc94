package dev.cairn.report

import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.EventLine

/**
 * One program from its start to its end, as far as the [lines] of its events tell; there is at least one. A restart is a program of
 * its own.
 *
 * @property number its place in the report, from 1
 */
internal class ProgramHistory(
    val number: Int,
    lines: List<EventLine>,
) {
    private val told = Moment.of(lines)

    /** Null if the events before were lost. */
    val started: CheckpointEvent.Started? = told.first().event as? CheckpointEvent.Started

    val begin: Moment = told.first().moment

    /** The last moment of which an event tells. */
    val last: Moment = told.last().moment

    /** Null if no event tells of its end. */
    val ended: CheckpointEvent.Ended? = told.firstNotNullOfOrNull { it.event as? CheckpointEvent.Ended }

    val restored: Restored? = told.firstNotNullOfOrNull { it.event as? Restored }

    val passedOver: List<CheckpointEvent.Rejected> = told.mapNotNull { it.event as? CheckpointEvent.Rejected }

    val takenOver: CheckpointEvent.TakenOver? = told.firstNotNullOfOrNull { it.event as? CheckpointEvent.TakenOver }

    val saves: List<SaveHistory> = savesIn(told)

    val seconds: Double get() = last.seconds

    /** The steps that were done, at moments of which events tell. */
    val progress: List<StepMoment> = told.mapNotNull { at -> stepsOf(at.event)?.let { StepMoment(at.moment, it) } }

    /** In which it ended, which is also its style in a picture. */
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

        private fun savesIn(told: List<ToldEvent>): List<SaveHistory> {
            val ofSaves = told.withIndex().filter { it.value.event.savePlace != null }
            // One without a number has a single event.
            val groups =
                ofSaves.groupBy {
                    it.value.event.savePlace
                        ?.number ?: -1 - it.index
                }
            return groups.values.map { group -> SaveHistory(group.map { it.value }) }
        }

        /** Null for the end of a save, which has the step of its beginning, while the program is further. */
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
internal class StepMoment(
    val moment: Moment,
    val step: Long,
)
