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

    /** Only on the rank that owns the store. */
    var directory: SaveDirectory? = null

    /** What the worker does; null before the state is copied, and for a save that keeps the program. */
    var work: SaveUnderWay? = null

    /** How the save ended; null while it is under way. */
    var attempt: Attempt? = null

    /** Deletes the data of this save, if it has not been committed. */
    fun abandonAfter(failure: Exception) {
        val directory = directory?.takeIf { it.isUnderWay } ?: return
        try {
            directory.abandon(failure.message ?: failure.toString())
        } catch (another: Exception) {
            failure.addSuppressed(another)
        }
    }
}
