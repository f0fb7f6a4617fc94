package dev.cairn.testing

import dev.cairn.item.ReadBackItem
import dev.cairn.reading.StoredCheckpoint
import dev.cairn.save.LoopPosition
import dev.cairn.store.Manifest

/** A checkpoint, as described by its manifest, with the digests of the watched outputs when its state was taken. */
internal class Waymark(val manifest: Manifest, val outputs: Map<String, String>) {
    val step get() = manifest.step
    val position get() = LoopPosition(manifest.step, manifest.phase)
}

/**
 * All checkpoints that a program has made in a place of its own, in their order, and what else it has left. It is played once, or
 * twice: until it is killed, and from its last checkpoint on.
 */
internal abstract class TrialHistory {
    abstract val saves: List<Waymark>

    /** The values of the witnesses of each rank at a save; empty if they were not read. */
    open fun witnessed(position: LoopPosition): Map<Int, Map<String, ByteArray>> = emptyMap()

    /** The ranks that have got rows back in another order than they have saved them, by the names of the tables. */
    open val outOfOrder: Map<String, List<Int>> get() = emptyMap()

    /** What reads the stream of this name purely, if the program has declared that and runs here. */
    open fun readerOf(stream: String): ReadBackItem? = null

    /** The names of files among the outputs that the program has read. */
    open val inputs: Set<String> get() = emptySet()

    /** The outputs when the program had ended, by their names. */
    var finishedFiles = emptyMap<String, ByteArray>()
        private set

    /** As [play], to the end of the program. */
    suspend fun playToEnd(rankCount: Int) {
        play(rankCount)
        finishedFiles = presentFiles()
    }

    /** Begins, or continues from the last checkpoint that was not lost. If there is a [stopAt], it ends when it has saved that step. */
    abstract suspend fun play(rankCount: Int, stopAt: Long? = null)

    /** As if the program had been killed before it had committed the save of [step]. */
    abstract fun loseFrom(step: Long)

    /** The outputs as they are now, by their names. */
    protected abstract fun presentFiles(): Map<String, ByteArray>

    /** Calls [read] with a checkpoint; null if its data are not kept. */
    abstract fun <T> read(save: Waymark, read: (StoredCheckpoint) -> T): T?
}
