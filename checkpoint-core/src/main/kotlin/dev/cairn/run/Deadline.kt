package dev.cairn.run

import dev.cairn.event.secondsText
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** The consequence of the end of the job at a meeting of the ranks. */
internal enum class Urgency {
    NONE,

    /** A save, since no save so far shows how long the last one will take. */
    SAVE,

    /** The last save, and the end. */
    STOP,
}

/**
 * The time before the end of the job at which a program must begin its last save, from the times of saves and of the work between two
 * meetings. Pure: the caller measures.
 *
 * @param total the time that was left when the program began
 */
internal class Deadline(total: Duration) {
    private val saves = RecentTimes()
    private val works = RecentTimes()
    private val estimate = total * UNMEASURED_SHARE
    private var savesInBackground = false
    private var isTried = false

    /** For the end of the program after its last save: outputs, MPI, the virtual machine. */
    private val ending = minOf(LONGEST_ENDING, total * UNMEASURED_SHARE)

    /** The longest one of the recent saves; null if there was none. */
    val longestSave: Duration? get() = saves.longest

    /** An upper estimate of the work until the next meeting: the longest time so far plus the spread of the recent ones. */
    private val nextWork: Duration
        get() {
            val longest = works.longest ?: Duration.ZERO
            return longest + (if (works.count > 1) longest - works.shortest else longest)
        }

    private val save: Duration get() = saves.longest ?: estimate

    /** The time left when the last save begins. */
    val kept: Duration get() = save * CAUTION + (if (savesInBackground) save else Duration.ZERO) + nextWork + ending

    /** The time left when a save is made only to measure it. */
    val keptUntried: Duration get() = kept + save * TRIED_SAVES

    /** The ranks have worked for [time] between two meetings, without the saves. */
    fun worked(time: Duration) = works.add(time)

    /** A save was committed, [time] after it had begun. */
    fun saved(time: Duration) = saves.add(time)

    /** Saves run in the background, so the last one may have to wait for the one before. */
    fun savedInBackground() {
        savesInBackground = true
    }

    /**
     * The action at a meeting when [left] is left.
     *
     * @param isSaving whether a save is due anyway, after which the rest must be enough for another one
     */
    fun urgency(left: Duration, isSaving: Boolean): Urgency {
        if (left <= needed(isSaving)) return Urgency.STOP
        if (saves.count > 0 || isTried || left > keptUntried) return Urgency.NONE
        isTried = true
        return Urgency.SAVE
    }

    /** The time [kept], and if a save is made anyway, the time for another one after it. */
    fun needed(isSaving: Boolean): Duration = kept + (if (isSaving) save else Duration.ZERO)

    /** The parts of [needed], in words. */
    fun partsOfNeeded(isSaving: Boolean): String =
        if (isSaving) "$this; ${spanText(save)} for a save before the last one" else "$this"

    /** The parts of [kept], in words. */
    override fun toString(): String {
        val ofSave =
            saves.longest?.let { "${spanText(it)} for a save, the longest lately" } ?: "$ESTIMATE ${spanText(estimate)}"
        val overlap = if (savesInBackground) ", as much again for one that may be under way" else ""
        val others = "${spanText(nextWork)} for the next steps; ${spanText(ending)} for the end"
        return "$ofSave, and half of it more$overlap; $others"
    }

    private companion object {
        /** Before the first save, a save is assumed to take this share of the time. */
        const val UNMEASURED_SHARE = 0.05
        const val ESTIMATE = "no save has shown yet how long it takes:"

        /** A save may take longer than those before. */
        const val CAUTION = 1.5

        /** A first save may take twice as long as expected and still leave time for the last one. */
        const val TRIED_SAVES = 2.0
        val LONGEST_ENDING = 20.seconds
    }
}

/** `1.250 s`, and from a minute on `59m 12s`. */
internal fun spanText(time: Duration): String =
    if (time < SHORT) secondsText(time) else "${time.inWholeSeconds.seconds}"

private val SHORT = 60.seconds

/** The last few durations of a kind of work. */
internal class RecentTimes {
    private val times = ArrayDeque<Duration>()

    val count: Int get() = times.size
    val longest: Duration? get() = times.maxOrNull()
    val shortest: Duration get() = times.min()

    /** Null if there was none. */
    val mean: Duration? get() = if (times.isEmpty()) null else times.fold(Duration.ZERO, Duration::plus) / times.size

    fun add(time: Duration) {
        if (times.size == MOST) times.removeFirst()
        times += time
    }

    private companion object {
        const val MOST = 8
    }
}
