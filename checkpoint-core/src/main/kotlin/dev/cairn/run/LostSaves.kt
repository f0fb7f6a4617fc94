package dev.cairn.run

import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.event.CheckpointException.Damaged
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.CheckpointException.Unreadable
import dev.cairn.options.LostLocal
import dev.cairn.ranks.Worker
import dev.cairn.store.Entry
import dev.cairn.store.OwnedStore
import java.lang.System.Logger.Level.WARNING

/** On rank 0: handles a sealed save whose files cannot be had whole, by the option [lostLocal]. */
internal class LostSaves(
    private val lostLocal: LostLocal,
    private val owned: OwnedStore?,
    private val worker: Worker,
) {
    /** Throws, unless the option lets the run continue without the save; then it removes the seal. */
    suspend fun refuseOrUnseal(sealed: Entry.Sealed, sentence: String, advice: String = "") {
        if (lostLocal == LostLocal.REFUSE) {
            throw Damaged(
                Details(
                    "$sentence. $advice$GIVE_UP: $THEN",
                    path = sealed.path,
                    reason = Reason.LOST_ON_HOSTS,
                ),
            )
        }
        val directory = checkNotNull(owned).resume(sealed)
        worker.await { directory.abandon("It was given up by the setting lost-local: $sentence") }
        LOG.log(WARNING, "$sentence. It is given up by the setting lost-local")
    }

    /** Also if the run may continue without a lost save: this one may be good. */
    fun unreadable(sealed: Entry.Sealed, sentence: String, advice: String) =
        Unreadable(
            Details(
                "$sentence. $advice$GIVE_UP and without ranks on these hosts: $THEN",
                path = sealed.path,
            ),
        )

    private companion object {
        const val GIVE_UP = "To give the save up for good, start with the setting lost-local = go-on"
        const val THEN = "then a restart continues from the newest checkpoint, or begins anew if there is none."
        val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
    }
}
