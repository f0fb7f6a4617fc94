package dev.cairn.run

import dev.cairn.event.SaveOutcome
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.broadcastLong
import dev.cairn.ranks.clock
import dev.cairn.ranks.collectively
import kotlin.time.ComparableTimeMark
import kotlin.time.Duration

/** Whether the job ends soon, for programs with a loop of their own. Every rank has one; rank 0's clock decides for all. */
internal class JobQuestion(private val ranks: Communicator, private val options: CheckpointOptions) {
    private val clock = ranks.clock
    private var hasEnd: Boolean? = null
    private var watch: JobWatch? = null
    private var lastAsked: ComparableTimeMark? = null
    private var savedSince = Duration.ZERO

    /** The last result of [endsSoon]; false before the first call. */
    var isEnding = false
        private set

    /** Collective. The first call queries the job system; if the job has no end, later calls send no message. */
    suspend fun endsSoon(): Boolean {
        val isWatched = hasEnd ?: look().also { hasEnd = it }
        isEnding = isWatched && ranks.broadcastLong(ROOT, if (watch?.let(::isNear) == true) YES else NO) == YES
        return isEnding
    }

    private suspend fun look(): Boolean {
        ranks.collectively("look for the end of the job") { watch = ranks.jobWatch(options) }
        watch?.announceAnswer()
        return ranks.broadcastLong(ROOT, if (watch == null) NO else YES) == YES
    }

    /** The program may save after this call whatever the result is, so there must be time for another save after that one. */
    private fun isNear(watch: JobWatch): Boolean {
        lastAsked?.let { watch.worked(it.elapsedNow() - savedSince) }
        lastAsked = clock.markNow()
        savedSince = Duration.ZERO
        return watch.request("the program is asked to save and stop", isSaving = true) == RunRequest.STOP
    }

    /** A save has ended, or continues in the background; it has blocked the program for [waited]. */
    fun ended(outcome: SaveOutcome, waited: Duration = Duration.ZERO) {
        savedSince += waited
        watch?.ended(outcome, waited)
    }

    private companion object {
        const val YES = 1L
        const val NO = 0L
    }
}
