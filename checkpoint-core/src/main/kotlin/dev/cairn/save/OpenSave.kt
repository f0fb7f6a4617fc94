package dev.cairn.save

import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.options.Wait
import dev.cairn.store.Manifest
import dev.cairn.store.SaveDirectory
import kotlin.time.TimeMark

/**
 * A save that has a number and has not ended, at this [position] of the program.
 *
 * @property begin when the program called for it
 * @property directory only on the rank that owns the store
 * @property manifestOf describes what all ranks have written, on the rank that owns the store
 * @property requireAgreed throws on a rank that saves something else than rank 0
 */
internal class OpenSave(
    agreed: AgreedSave,
    val position: LoopPosition,
    val begin: TimeMark,
    val directory: SaveDirectory?,
    val manifestOf: (WrittenState) -> Manifest,
    val requireAgreed: () -> Unit,
) {
    val number: Int = agreed.number

    /** Until when the program waits, as rank 0 says: so all ranks make the same calls until one is refused. */
    val wait: Wait = agreed.wait

    /** The earlier saves that hosts still keep. */
    val sealedBefore: List<Int> = agreed.sealed

    /** Its directory, on the rank that owns the store. */
    val inStore: SaveDirectory
        get() = checkNotNull(directory) { "only the rank that owns the store has the directory of save $number" }

    /** Whether it goes to the shared store at once, since the hosts have no room for it. */
    var isShared: Boolean = false

    /** Whether all ranks know that a restart can complete the save from the disks of its hosts. */
    var isSealed: Boolean = false

    /** The rest of its way, once it is planned and written, or being written. */
    lateinit var work: Save

    /** What rank 0 has committed; null if it has not, and on the other ranks. */
    val committedHere: Saved? get() = if (::work.isInitialized) work.committed else null

    /** The data of all ranks, on rank 0, when they are complete. */
    val complete: CompleteSave? get() = if (::work.isInitialized) work.complete else null

    /** How the save ended, or how far it has come since it was begun; null before that. */
    var attempt: Attempt? = null
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
