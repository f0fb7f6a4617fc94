package dev.cairn.java

import dev.cairn.PendingSave
import dev.cairn.event.SaveOutcome
import dev.cairn.event.Saved
import dev.cairn.failure.CheckpointException
import dev.cairn.failure.RankFailedException

/** [PendingSave] for Java; belongs to the thread of its rank, and owns nothing. */
public class BlockingPendingSave internal constructor(
    private val ranks: BlockingCommunicator,
    private val save: PendingSave,
) {
    /** How the save ended, or that it is under way; see [PendingSave.outcome]. */
    public fun outcome(): SaveOutcome = save.outcome

    /** Collective: waits until the save is committed; see [PendingSave.await]. */
    @Throws(RankFailedException::class, CheckpointException::class)
    public fun await(): Saved = ranks.call { save.await() }

    override fun toString(): String = save.toString()
}
