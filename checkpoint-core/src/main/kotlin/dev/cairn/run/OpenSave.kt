package dev.cairn.run

import dev.cairn.options.Wait
import dev.cairn.save.SaveUnderWay
import dev.cairn.store.SaveDirectory
import kotlin.time.TimeMark
import kotlin.time.TimeSource

/** A save that has begun and not ended, at this [position] of the program, which waits as [wait] says. */
internal class OpenSave(
    val position: LoopPosition,
    val wait: Wait,
) {
    val begin: TimeMark = TimeSource.Monotonic.markNow()

    /** What the ranks have agreed on; null before that. */
    var agreed: AgreedSave? = null

    val number: Int? get() = agreed?.number

    /** Whether it goes to the shared store at once, since the hosts have no room for it. */
    var isShared: Boolean = false

    /** Only on the rank that owns the store. */
    var directory: SaveDirectory? = null

    /** Whether all ranks know that a restart can complete the save from the disks of its hosts. */
    var isSealed: Boolean = false

    /** What the worker does; null before the state is copied, and for a save that keeps the program. */
    var work: SaveUnderWay? = null

    /** How the save ended, or how far it has come since it was begun; null before that. */
    var attempt: Attempt? = null

    /** Deletes the data of this save, if it has not been committed, and is not sealed. */
    fun abandonAfter(failure: Exception) {
        val directory = directory?.takeIf { it.isUnderWay } ?: return
        if (directory.isSealed) return directory.leaveSealed()
        try {
            directory.abandon(failure.message ?: failure.toString())
        } catch (another: Exception) {
            failure.addSuppressed(another)
        }
    }
}
