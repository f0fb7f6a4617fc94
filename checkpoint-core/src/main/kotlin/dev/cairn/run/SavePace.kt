package dev.cairn.run

import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.event.counted
import dev.cairn.options.AutoSaves
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.allReduce
import java.lang.System.Logger.Level.INFO
import java.util.Locale
import kotlin.time.Duration

/** Collective: the pace of automatic saves, on rank 0; null on other ranks, which do not decide. */
internal suspend fun Communicator.savePace(auto: AutoSaves): SavePace? {
    val isFirstOfHost = hostGroup().rank == ROOT
    val hostCount = allReduce(if (isFirstOfHost) 1L else 0L, Long::plus)
    return if (rank == ROOT) SavePace(auto, hostCount) else null
}

/** How often a run saves whose setting `every` is `auto`. Only rank 0 has one. */
internal class SavePace(auto: AutoSaves, hostCount: Long) {
    private val failures = auto.hostFailures / hostCount.toDouble()
    private val source = "one of ${counted(hostCount, "host")} fails every ${spanText(failures)}"
    private val interval = SaveInterval(failures, auto.overhead)
    private var logged: Duration? = null

    /** The time from one save to the next. */
    val length: Duration get() = interval.length

    /** A save has ended, or continues in the background; it has blocked the program for [waited]. */
    fun ended(outcome: SaveOutcome, waited: Duration) {
        if (outcome is Saved) interval.committed(maxOf(waited, outcome.time))
        // The wait for a save in the background was counted before.
        if (waited.isPositive() && (outcome is Saved || outcome is SaveOutcome.UnderWay)) interval.waited(waited)
    }

    /** Logs the interval when it is first known, and whenever it differs by a quarter from the logged one. */
    fun logChange() {
        val wait = interval.wait ?: return
        val present = interval.length
        if (logged?.let { present in it / CHANGE..it * CHANGE } == true) return
        logged = present
        val share = "%.2f".format(Locale.ROOT, interval.share * PERCENT)
        LOG.log(
            INFO,
            "from now on a save is made every ${spanText(
                present,
            )}: one blocks the program for ${spanText(wait)}, so saves " +
                "take $share % of the time, and $source",
        )
    }

    private companion object {
        const val CHANGE = 1.25
        const val PERCENT = 100
        val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
    }
}
