package dev.cairn.run

import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.event.sentence
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.ChangeOutcome
import dev.cairn.store.OwnedStore
import dev.cairn.store.OwnerRequest
import dev.cairn.store.OwnerRequests
import dev.cairn.store.SaveChange
import dev.cairn.store.carryOut
import java.io.IOException
import java.lang.System.Logger.Level.INFO
import java.lang.System.Logger.Level.WARNING

/**
 * Handles requests of other programs to the owner of a store: to pin a checkpoint, to unpin it or to delete it. Rank 0 looks for
 * requests between two steps. A failed request does not end the run.
 */
internal class OwnerRequestHandler(private val owned: OwnedStore, files: BlockStore) {
    private val requests = OwnerRequests(files, owned.store.directory)
    private var isUnreadable = false

    /** Whether there is a request. */
    val areThere: Boolean
        get() =
            try {
                requests.areThere
            } catch (failure: IOException) {
                false.also { warn(failure) }
            }

    /** Carries out all new requests and answers them. */
    fun answer() {
        try {
            requests.answerAll(::carryOut)
            isUnreadable = false
        } catch (failure: IOException) {
            warn(failure)
        }
    }

    private fun carryOut(request: OwnerRequest): ChangeOutcome {
        val outcome =
            when {
                request.owner != owned.identity -> ChangeOutcome(false, OF_ANOTHER)
                isSealed(request) -> ChangeOutcome(false, drains(request.number))
                isNeeded(request) -> refused(request.number)
                else -> owned.carryOut(request.change, request.number)
            }
        LOG.log(INFO, "requested by another program: ${outcome.sentence}")
        return outcome
    }

    /** Whether a restart of this program would continue from the checkpoint that is to be deleted. */
    private fun isNeeded(request: OwnerRequest): Boolean =
        request.change == SaveChange.REMOVE &&
            owned.store
                .survey()
                .saves
                .firstOrNull()
                ?.number == request.number

    /** Whether the save to be deleted may be in a drain of this program, or be the one from which a restart continues. */
    private fun isSealed(request: OwnerRequest): Boolean =
        request.change == SaveChange.REMOVE &&
            owned.store
                .survey()
                .sealed
                .any { it.number == request.number }

    private fun drains(number: Int) =
        "save $number of ${owned.store.directory} is on the disks of its hosts, and the program that runs there " +
            "may commit it. It is not deleted while that program runs."

    private fun refused(number: Int) =
        ChangeOutcome(
            false,
            "save $number of ${owned.store.directory} is the newest one, from which a restart of the program that " +
                "runs there would continue. It is not deleted while that program runs.",
        )

    /** Logged once, since requests are looked for a few times a second. */
    private fun warn(failure: IOException) {
        if (!isUnreadable) {
            LOG.log(
                WARNING,
                "requests of other programs cannot be read or answered: ${failure.sentence()}",
            )
        }
        isUnreadable = true
    }

    private companion object {
        const val OF_ANOTHER = "the request was made to another program, which has ended."
        val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
    }
}
