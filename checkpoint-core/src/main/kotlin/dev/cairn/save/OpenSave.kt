package dev.cairn.save

import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.options.Wait
import dev.cairn.store.Manifest
import dev.cairn.store.SaveDirectory
import kotlin.time.TimeMark

/**
 * A save that has a number and has not ended, at this [position] of the program.
 *
 * @property begin the time of the program's call
 * @property directory only on the rank that owns the store
 * @property manifestOf the manifest of the written state, on the rank that owns the store
 * @property requireAgreed throws on a rank with another save than that of rank 0
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

    /** The wait of rank 0, so that all ranks make the same calls until a rank with another wait is refused. */
    val wait: Wait = agreed.wait

    /** The earlier saves that hosts still keep. */
    val sealedBefore: List<Int> = agreed.sealed

    /** Its directory, on the rank that owns the store. */
    val inStore: SaveDirectory
        get() = checkNotNull(directory) { "only the rank that owns the store has the directory of save $number" }

    /** Whether the save goes to the shared store at once, since the hosts have no room for it. */
    var isShared: Boolean = false

    /** Whether hosts may hold files of the save that no restart completes. */
    var isUnsealedOnHosts: Boolean = false

    /** Whether all ranks know that a restart can complete the save from the disks of its hosts. */
    var isSealed: Boolean = false

    /** The rest of its [Route], from the time when the ranks write. */
    lateinit var work: Save

    /** On rank 0, the committed save; null before the commit, and on the other ranks. */
    val committedHere: Saved? get() = if (::work.isInitialized) work.committed else null

    /** On rank 0, the data of all ranks, once complete. */
    val complete: CompleteSave? get() = if (::work.isInitialized) work.complete else null

    /** The outcome of the save, or its progress so far; null before it was begun. */
    var attempt: Attempt? = null
}

/** Deletes the data of a save that ended with [failure], unless the save is committed or sealed. */
internal fun SaveDirectory.abandonAfter(failure: Exception) {
    if (!isUnderWay) return
    if (isSealed) return leaveSealed()
    try {
        abandon(failure.message ?: failure.toString())
    } catch (another: Exception) {
        failure.addSuppressed(another)
    }
}
