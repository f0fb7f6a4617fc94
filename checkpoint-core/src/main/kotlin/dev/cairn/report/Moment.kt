package dev.cairn.report

import dev.cairn.event.CheckpointEvent
import dev.cairn.event.EventLine
import java.time.Duration
import java.time.Instant

/**
 * The moment of an event of a program.
 *
 * @property clock the time of the clock
 * @property elapsed the time since the first event, without the steps of a clock that was set back, so that no moment comes before
 *   an earlier one
 * @property setBackCount how often the clock was set back since the first event
 */
internal class Moment private constructor(
    val clock: Instant,
    private val elapsed: Duration,
    private val setBackCount: Int,
) {
    val seconds: Double get() = secondsOf(elapsed)

    /** The seconds since [earlier]; null if the clock was set back in between. */
    fun secondsSince(earlier: Moment): Double? =
        if (setBackCount == earlier.setBackCount) secondsOf(elapsed - earlier.elapsed) else null

    private fun next(time: Instant): Moment {
        val step = Duration.between(clock, time)
        return if (step.isNegative) {
            Moment(time, elapsed, setBackCount + 1)
        } else {
            Moment(time, elapsed + step, setBackCount)
        }
    }

    companion object {
        private const val NANOS = 1e9

        /** The events of one program in the order in which it wrote them. */
        fun of(lines: List<EventLine>): List<TimedEvent> {
            var moment = Moment(lines.first().time, Duration.ZERO, setBackCount = 0)
            return lines.map { line ->
                moment = moment.next(line.time)
                TimedEvent(moment, line.event)
            }
        }

        private fun secondsOf(time: Duration) = time.seconds + time.nano / NANOS
    }
}

/** An [event] and when it happened. */
internal class TimedEvent(val moment: Moment, val event: CheckpointEvent)
