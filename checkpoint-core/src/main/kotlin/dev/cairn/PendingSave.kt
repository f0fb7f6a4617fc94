package dev.cairn

import dev.cairn.event.CheckpointException
import dev.cairn.event.RankFailedException
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.run.notDrained
import dev.cairn.save.Attempt

/** A save that was begun by [Checkpoints.saveAsync]; belongs to the coroutine of its rank, and owns nothing. */
public class PendingSave internal constructor(private val checkpoints: Checkpoints, private val begun: Attempt) {
    /** How the save ended, or that it is under way, as the ranks know it since their last meeting: the same on all of them. */
    public val outcome: SaveOutcome get() = attempt.outcome

    private val attempt get() = begun.latest

    /**
     * Collective: waits until the save is committed. If it failed or found no room, all ranks throw the same [CheckpointException]
     * or [RankFailedException]. Disk errors of other saves are not thrown here. It may be called again, and after other saves.
     *
     * @throws CheckpointException.NotSaved if the save was skipped because another one was under way, as [outcome] shows before. Or if it
     *     is sealed on the disks of the hosts and, by the option [drain][dev.cairn.options.CheckpointOptions.Builder.drain], not committed
     *     while the program runs
     * @throws IllegalStateException if the checkpoints were closed while the save was under way
     */
    public suspend fun await(): Saved {
        if (attempt is Attempt.UnderWay && !checkpoints.isClosed) {
            checkpoints.awaitEnd(begun)
            if (outcome is SaveOutcome.Sealed) throw notDrained(outcome)
        }
        return attempt.requireCommitted()
    }

    override fun toString(): String = outcome.toString()
}
