package dev.cairn.run

import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import java.util.function.Consumer
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * The progress of a running simulation in one line: its step, its rate, the time left, the last save, and the work under way. The
 * rank that owns the store updates it; any thread may read the [text].
 */
internal class ProgressLine(private val name: String, private val clock: TimeSource = TimeSource.Monotonic) :
    Consumer<CheckpointEvent> {
    private val begin = clock.markNow()
    private val recent = ArrayDeque<Passed>()
    private var until = 0L
    private var saved: String? = null
    private var savedAt = Duration.ZERO
    private var underWay: String? = null

    /** After [step] of the steps [until] the end of a loop. */
    @Synchronized
    fun reach(step: Long, until: Long) {
        val now = begin.elapsedNow()
        if (this.until != until || recent.lastOrNull().let { it != null && it.step > step }) recent.clear()
        this.until = until
        // The last one may be replaced, so that few are kept however short the steps are.
        if (recent.size > 1 && now - recent[recent.size - 2].time < SPACING) recent.removeLast()
        recent += Passed(step, now)
        while (recent.size > 2 && now - recent[1].time > WINDOW) recent.removeFirst()
    }

    @Synchronized
    override fun accept(event: CheckpointEvent) {
        when (event) {
            is CheckpointEvent.Begun -> underWay = "saving ${event.number}"
            is SaveOutcome.Copied -> underWay = "writing save ${event.number}"
            is SaveOutcome.Sealed -> underWay = "draining save ${event.number}"
            is Saved -> end("save ${event.number}")
            is Restored -> end("restored save ${event.number}")
            is SaveOutcome.Failed -> end("a save FAILED")
            is SaveOutcome.Skipped -> end("a save was skipped")
            else -> return
        }
    }

    private fun end(outcome: String) {
        saved = outcome
        savedAt = begin.elapsedNow()
        underWay = null
    }

    @Synchronized
    fun text(): String {
        val now = begin.elapsedNow()
        val save = saved?.let { "$it, ${spanText(now - savedAt)} ago" } ?: "no save yet"
        return (listOf(name) + progress() + listOfNotNull(underWay) + save).joinToString("  ")
    }

    private fun progress(): List<String> {
        val last = recent.lastOrNull() ?: return listOf("starts")
        // A loop of the program's own may not say where it ends.
        if (until == Long.MAX_VALUE) return listOf("step ${last.step}") + listOfNotNull(rate()?.let(::rateText))
        val share = if (until == 0L) 100 else (100.0 * last.step / until).toInt()
        val rate = rate() ?: return listOf("step ${last.step}/$until $share%")
        val left = ((until - last.step) / rate).coerceAtMost(MOST_SECONDS).seconds
        return listOf("step ${last.step}/$until $share%", rateText(rate), "${spanText(left)} left")
    }

    /** Recent steps per second; null if not known yet. */
    private fun rate(): Double? {
        val time = recent.last().time - recent.first().time
        val steps = recent.last().step - recent.first().step
        return if (steps > 0 && time.isPositive()) steps / (time / 1.seconds) else null
    }

    private class Passed(val step: Long, val time: Duration)

    private companion object {
        val SPACING = 1.seconds
        val WINDOW = 30.seconds
        const val MOST_SECONDS = 1e9

        fun rateText(rate: Double): String =
            if (rate >=
                1
            ) {
                "%.0f steps/s".format(java.util.Locale.ROOT, rate)
            } else {
                "${spanText((1 / rate).seconds)}/step"
            }

        /** `7s`, `1:05`, `2:00:09`. */
        fun spanText(span: Duration): String =
            span.toComponents { hours, minutes, seconds, _ ->
                when {
                    hours > 0 -> "%d:%02d:%02d".format(hours, minutes, seconds)
                    minutes > 0 -> "%d:%02d".format(minutes, seconds)
                    else -> "${seconds}s"
                }
            }
    }
}
