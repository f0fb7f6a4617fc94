package dev.cairn.testing

import dev.cairn.reading.StoredCheckpoint
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.SaveNames
import dev.cairn.store.name
import dev.cairn.store.readWhole
import dev.cairn.store.writeNew
import java.nio.file.Path

/**
 * The files of the checkpoints of a run, which the program may delete, so that a trial can say in which values two runs differ.
 * They take a bounded share of the memory: those of steps up to [leastStep] make room for later ones.
 */
internal class KeptData(private val leastStep: Long) {
    private class Kept(val step: Long, val files: Map<Path, ByteArray>) {
        val size = files.values.sumOf { it.size.toLong() }
    }

    private val saves = LinkedHashMap<Path, Kept>()

    /** Keeps the checkpoint in [directory]. */
    fun keep(step: Long, directory: Path, files: BlockStore) {
        val parts = files.list(directory).filter { SaveNames.isData(it.name) || it.name == SaveNames.MANIFEST }
        val bytes = parts.mapNotNull { part -> files.readWhole(part, MOST_KEPT)?.let { part to it } }.toMap()
        if (bytes.size < parts.size) return
        val kept = Kept(step, bytes)
        saves.entries.removeIf { it.value.step <= leastStep && size() + kept.size > MOST_KEPT }
        if (size() + kept.size <= MOST_KEPT) saves[directory] = kept
    }

    /** Calls [read] with the checkpoint in [directory]; null if it is not kept. */
    fun <T> read(directory: Path, read: (StoredCheckpoint) -> T): T? {
        val kept = saves[directory] ?: return null
        val files = SimulatedDisk().host("kept")
        files.makeDirectories(directory)
        kept.files.forEach { (file, bytes) -> files.writeNew(file, bytes) }
        val number = checkNotNull(SaveNames.numberOf(directory.name))
        return StoredCheckpoints(checkNotNull(directory.parent), files).open(number).use(read)
    }

    private fun size() = saves.values.sumOf { it.size }
}

private const val MOST_KEPT = 64 shl 20

/** Makes [directory] and those in which it lies, as far as they do not exist. */
internal fun BlockStore.makeDirectories(directory: Path) {
    if (exists(directory)) return
    directory.parent?.let(::makeDirectories)
    makeDirectory(directory)
}
