package dev.cairn.report

import dev.cairn.event.EventLine
import java.time.Duration
import kotlin.time.toKotlinDuration

/**
 * A sentence for each of the [lines] whose time is before that of the line before it, in the order in which they were written. Each
 * line follows the last one of its program. The first line of a program follows any other: a program that is stopped and taken over
 * may write between the lines of its successor.
 */
internal fun setBacksIn(lines: List<EventLine>): List<String> {
    val last = linkedMapOf<String, EventLine>()
    return lines.zip(listOf(null) + lines).mapNotNull { (line, before) ->
        val own = last.put(line.program, line)
        val number = last.keys.indexOf(line.program) + 1
        if (own != null) setBackWithin(number, own, line) else before?.let { setBackAtStart(number, it, line) }
    }
}

private fun setBackWithin(number: Int, before: EventLine, line: EventLine): String? =
    stepBack(before, line)?.let {
        "Program $number: its clock was set back by at least $it between two events, of ${timeText(before.time)} and " +
            "${timeText(line.time)}. The picture continues there, and durations across that point are unknown."
    }

/** Its host may be another one. */
private fun setBackAtStart(number: Int, before: EventLine, line: EventLine): String? =
    stepBack(before, line)?.let {
        "Program $number: it began at ${timeText(line.time)}, at least $it before the event of " +
            "${timeText(before.time)} that was written before it. The clock was set back, or the program ran on a " +
            "host with another clock."
    }

private fun stepBack(before: EventLine, line: EventLine) =
    Duration.between(line.time, before.time).toKotlinDuration().takeIf { it.isPositive() }
