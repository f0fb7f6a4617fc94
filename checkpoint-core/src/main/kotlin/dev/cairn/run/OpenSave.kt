package dev.cairn.run

import dev.cairn.options.Wait
import dev.cairn.save.Save
import dev.cairn.store.SaveDirectory
import kotlin.time.TimeMark

/**
 * A save that has begun and not ended, at this [position] of the program.
 *
 * @property begin when the program called for it
 * @property directory only on the rank that owns the store
 */
internal class OpenSave(
    agreed: AgreedSave,
    val position: LoopPosition,
    val begin: TimeMark,
    val directory: SaveDirectory?,
    private val requireAgreement: () -> Unit,
) {
    val number: Int = agreed.number

    /** Until when the program waits, as rank 0 says: so all ranks make the same calls until one is refused. */
    val wait: Wait = agreed.wait

    /** The earlier saves that hosts still keep. */
    val sealedBefore: List<Int> = agreed.sealed

    /** Whether it goes to the shared store at once, since the hosts have no room for it. */
    var isShared: Boolean = false

    /** Whether all ranks know that a restart can complete the save from the disks of its hosts. */
    var isSealed: Boolean = false

    /** The rest of its way, once it is planned and written, or being written. */
    lateinit var work: Save

    /** Whether this rank, which is rank 0, has committed it. */
    val isCommittedHere: Boolean get() = ::work.isInitialized && work.committed != null

    /** How the save ended, or how far it has come since it was begun; null before that. */
    var attempt: Attempt? = null

    /** Throws on a rank that saves something else than rank 0. */
    fun requireAgreed() = requireAgreement()
}

/** Deletes the data of a save that has failed by [failure], if it has not been committed, and is not sealed. */
internal fun SaveDirectory.abandonAfter(failure: Exception) {
    if (!isUnderWay) return
    if (isSealed) return leaveSealed()
    try {
        abandon(failure.message ?: failure.toString())
    } catch (another: Exception) {
        failure.addSuppressed(another)
    }
}
