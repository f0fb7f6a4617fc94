package dev.cairn

import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.Origin
import dev.cairn.options.Settings
import dev.cairn.options.Triggers
import dev.cairn.options.Wait
import dev.cairn.options.WhenBusy
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.clock
import dev.cairn.run.HeldRanks
import dev.cairn.run.LoopSurroundings
import dev.cairn.run.RunRequest
import dev.cairn.run.SavePace
import dev.cairn.run.SaveSchedule
import dev.cairn.run.loopOf
import dev.cairn.run.savePace
import dev.cairn.save.LoopPosition
import dev.cairn.store.inform
import kotlinx.coroutines.awaitCancellation
import java.lang.System.Logger.Level.WARNING

/**
 * The safe points between the steps of a program, where its ranks save, carry out requests, and learn that they stop. They are the same
 * in a loop that Cairn keeps and in one of the program's own. Each rank has one, made by [of].
 */
internal class SafePoints private constructor(
    private val checkpoints: Checkpoints,
    private val triggers: Triggers,
    private val surroundings: LoopSurroundings,
    pace: SavePace?,
) {
    private val schedule =
        SaveSchedule(triggers, surroundings.requests, checkpoints.ranks.clock, surroundings.job) { pace }

    /** Whether the program stops early, after a save. */
    var isStopped = false
        private set

    /** A stop came at the last step of a loop. If no other loop follows, there is nothing to stop. */
    var isToStopBeforeLoop = false
        private set

    /** A loop [until] a last step begins, or goes on, after [step]. */
    fun begin(step: Long, until: Long) {
        schedule.begin(step)
        reach(step, until)
        warnOfHold(schedule.passedHold(), "begins after step $step")
        if (step >= until) warnOfHold(schedule.missedHold(step), "ends at step $until")
    }

    /** Warns if the loop ends [until] a step before that of [restored], where it begins. */
    fun warnIfBeyond(restored: Restored, until: Long) {
        if (restored.step <= until || checkpoints.ranks.rank != ROOT) return
        LOG.log(
            WARNING,
            "${checkpoints.directory}: save ${restored.number} was made after ${restored.step} steps, but " +
                "${loopOf(restored.phase)} ends at step $until. No step is done, and the state is that after step " +
                "${restored.step}.",
        )
    }

    /** Logs that the program does no step, since it had ended the loop of [restored] there. */
    fun logFinished(restored: Restored) {
        if (checkpoints.ranks.rank != ROOT) return
        val end = "the program finished its loop after ${restored.step} steps: none is left"
        LOG.inform(checkpoints.files, "$end. To continue the loop, set go-on = true")
        warnOfHold(schedule.missedHold(restored.step), "ended after step ${restored.step}")
    }

    /** The program stops before its next loop, since it was asked to at the end of the one before. */
    fun stop() {
        isStopped = true
    }

    /** Whether the safe point after [step], which is not the last one, needs no communication: then nothing is to be done. */
    fun isIdle(step: Long): Boolean = !isStopped && !isToStopBeforeLoop && !schedule.isDue(step)

    /**
     * Collective: passes the safe point at [position]. Most steps are [idle][isIdle].
     *
     * @param isOver whether no step of the loop follows
     */
    suspend fun pass(position: LoopPosition, until: Long, isOver: Boolean) {
        val step = position.step
        reach(step, until)
        val asked = if (schedule.isMeeting(step)) checkpoints.meet(step, schedule) else RunRequest.NONE
        val isToStop = asked == RunRequest.STOP || isToStopBeforeLoop
        val isLast = schedule.isStop(step)
        if (schedule.isHold(step)) {
            hold(position)
        } else if (isOver || isToStop || isLast) {
            saveLast(position)
        } else if (asked == RunRequest.SAVE) {
            // It was asked for, so it is never skipped.
            save(position) { trySave(it, whenBusy = WhenBusy.WAIT) }
        } else if (asked == RunRequest.DUE || schedule.isSave(step)) {
            save(position) { trySave(it) }
        }
        if (isOver) warnOfHold(schedule.missedHold(step), "ends after step $step")
        // A program whose last loop has ended has nothing to stop: it ends as if there were no request.
        if (isToStop && isOver) isToStopBeforeLoop = true
        if ((isToStop && !isOver) || isLast) stop()
    }

    /** No step comes after the last one, so there a save is committed, or tried again at once. */
    private suspend fun saveLast(position: LoopPosition) {
        val way: suspend Checkpoints.(LoopPosition) -> SaveOutcome = { trySave(it, Wait.COMMITTED) }
        if (save(position, way) !is Saved) save(position, way)
    }

    /**
     * A trial that kills the program, or looks into its heap, finds it at this point at any speed, with nothing done after it. A program
     * whose heap was taken goes on to its next step, and is held again.
     */
    private suspend fun hold(position: LoopPosition) {
        saveLast(position)
        if (checkpoints.lastSave !is Saved) return schedule.goOn()
        // An answer to a signal would promise a save and an end.
        surroundings.requests.giveBack()
        val heaps = triggers.holdHeap
        if (heaps != null) return HeldRanks.awaitTaken(checkpoints.ranks, heaps, checkpoints.files)
        if (checkpoints.ranks.rank == ROOT) {
            LOG.inform(checkpoints.files, "hold-at: the program waits after step ${position.step} to be killed")
        }
        awaitCancellation()
    }

    /** A trial that waits until the program holds at the step [holdAt], of which there is none, would wait for ever. */
    private fun warnOfHold(holdAt: Long?, flaw: String) {
        if (holdAt == null || checkpoints.ranks.rank != ROOT) return
        LOG.log(
            WARNING,
            "${checkpoints.directory}: hold-at is $holdAt, but this loop $flaw, so the program does not wait in it " +
                "to be killed. Set hold-at to a step of the loop.",
        )
    }

    private suspend fun save(
        position: LoopPosition,
        way: suspend Checkpoints.(LoopPosition) -> SaveOutcome,
    ): SaveOutcome = schedule.save(position.step) { checkpoints.way(position) }

    private fun reach(step: Long, until: Long) {
        surroundings.shown?.progress?.reach(step, until)
    }

    companion object {
        /**
         * Collective: the safe points of a program with these [checkpoints], whose first loop goes [until] a step.
         */
        suspend fun of(
            checkpoints: Checkpoints,
            triggers: Triggers,
            surroundings: LoopSurroundings,
            until: Long,
        ): SafePoints {
            val ranks = checkpoints.ranks
            if (ranks.rank == ROOT && !triggers.arePeriodic) logFewSaves(checkpoints, surroundings, until)
            if (ranks.rank == ROOT && triggers.auto == null) checkpoints.options.logUnused()
            return SafePoints(checkpoints, triggers, surroundings, triggers.auto?.let { ranks.savePace(it) })
        }

        private fun logFewSaves(checkpoints: Checkpoints, surroundings: LoopSurroundings, until: Long) {
            val isEndKnown = until != Long.MAX_VALUE
            val moments =
                listOfNotNull(
                    "before its job ends".takeIf { surroundings.job != null },
                    "at its end".takeIf { isEndKnown },
                )
            val own = if (moments.isEmpty()) "" else "${moments.joinToString()} and "
            val reason = if (isEndKnown) "" else ", and its loop has not said where it ends"
            LOG.inform(
                checkpoints.files,
                "${checkpoints.directory}: the program saves only ${own}on request, since neither every nor " +
                    "every-seconds is set$reason. If it is killed before, all steps since its beginning are lost.",
            )
        }

        private fun CheckpointOptions.logUnused() {
            for (setting in listOf(Settings.MTBF, Settings.OVERHEAD)) {
                val origin = configuration.originOf(setting)
                if (origin == Origin.DEFAULT) continue
                LOG.log(
                    WARNING,
                    "$origin: ${setting.name} has no effect, since it says how often " +
                        "every = auto saves, and every is something else. Set every = auto, or leave ${setting.name} out.",
                )
            }
        }
    }
}

private val LOG: System.Logger = System.getLogger(Simulation::class.java.name)
