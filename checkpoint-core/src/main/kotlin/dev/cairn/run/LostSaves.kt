package dev.cairn.run

import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.event.CheckpointException.Damaged
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.options.LostLocal
import dev.cairn.store.Entry
import dev.cairn.store.OwnedStore
import java.lang.System.Logger.Level.WARNING

/** What rank 0 does with a sealed save that cannot be had whole, as the option [lostLocal] says. */
internal class LostSaves(
    private val lostLocal: LostLocal,
    private val owned: OwnedStore?,
) {
    /** Throws, unless the user has said that the run goes on without the save; then it takes the seal off. */
    fun refuseOrUnseal(
        sealed: Entry.Sealed,
        sentence: String,
        advice: String = "",
    ) {
        if (lostLocal == LostLocal.REFUSE) {
            throw Damaged(
                Details(
                    "$sentence. ${advice}To give the save up for good, start with --lost-local go-on: then a restart " +
                        "continues from the newest checkpoint, or begins anew if there is none.",
                    path = sealed.path,
                    reason = Reason.LOST_ON_HOSTS,
                ),
            )
        }
        checkNotNull(owned).resume(sealed).abandon("It was given up, as lost-local says: $sentence")
        LOG.log(WARNING, "$sentence. It is given up, as lost-local says")
    }

    private companion object {
        val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
    }
}
