package dev.cairn.testing

import dev.cairn.item.ReadBackItem
import dev.cairn.reading.StoredCheckpoint
import dev.cairn.save.LoopPosition
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.SaveNames

/** A history on a simulated disk in memory. It begins without any [outputs]. */
internal class MemoryHistory(
    private val outputs: WatchedOutputs,
    breakAt: Long,
    private val program: suspend (rankCount: Int, RestartTrial.Attempt) -> Unit,
) : TrialHistory() {
    private val files =
        TriedStore(SimulatedDisk().host("trial"), outputs.apply { remove() }, KeptData(leastStep = breakAt))

    override val saves: List<Waymark> get() = files.marks.map { (_, mark) -> mark }

    override fun witnessed(position: LoopPosition) = files.witnessed[position].orEmpty()

    override val outOfOrder get() = files.outOfOrder.mapValues { (_, ranks) -> ranks.sorted() }

    override fun readerOf(stream: String): ReadBackItem? = files.readableItems[stream]

    override suspend fun play(rankCount: Int, stopAt: Long?) = program(rankCount, RestartTrial.Attempt(stopAt, files))

    override fun loseFrom(step: Long) {
        while (saves.isNotEmpty() && saves.last().step >= step) {
            val (manifest, _) = files.marks.removeLast()
            files.rename(manifest, manifest.resolveSibling(SaveNames.NEW_MANIFEST))
        }
    }

    override fun presentFiles() = files.declaredFiles() + outputs.contents(except = files.declaredPaths)

    override fun <T> read(save: Waymark, read: (StoredCheckpoint) -> T): T? {
        val (manifest, _) = files.marks.first { (_, mark) -> mark === save }
        return files.kept.read(checkNotNull(manifest.parent), read)
    }
}
