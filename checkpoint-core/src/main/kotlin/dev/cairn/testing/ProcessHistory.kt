package dev.cairn.testing

import dev.cairn.reading.StoredCheckpoint
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestFormat
import dev.cairn.store.SaveNames
import dev.cairn.store.name
import dev.cairn.store.readWhole
import java.nio.file.NotDirectoryException
import java.nio.file.Path

/**
 * A history of a program whose runs are processes. It lies in a [directory] of its own, where the program has a working directory,
 * whose files are its outputs.
 */
internal class ProcessHistory(
    private val directory: Path,
    private val command: ProgramCommand,
    private val outputs: WatchedOutputs,
) : TrialHistory() {
    private val files = FileBlockStore()
    private val store = directory.resolve("trial.cairn")
    private val work = directory.resolve("work").also(files::makeDirectories)
    private var lost = Long.MAX_VALUE

    init {
        require(files.list(work).isEmpty() && !files.exists(store)) {
            "$directory holds an earlier trial already: give each trial a directory of its own"
        }
        outputs.remove()
    }

    /** Those that led to the newest one. */
    override val saves: List<Waymark>
        get() {
            val newest = newest() ?: return emptyList()
            return numbers()
                .filter { it in newest.history || it == newest.save }
                .map { Waymark(manifest(it), emptyMap()) }
                .filter { it.step < lost }
        }

    override suspend fun play(rankCount: Int, stopAt: Long?) {
        val from =
            saves
                .lastOrNull()
                ?.manifest
                ?.save
                .takeIf { lost < Long.MAX_VALUE }
        lost = Long.MAX_VALUE
        val options = listOf("--dir", "$store", "--ranks", "$rankCount", "--every", "1", "--keep-last", "$ALL")
        val start = from?.let { listOf("--from", "$it") }.orEmpty()
        command.run(work, options + start) { stopAt != null && newest().let { it != null && it.step >= stopAt } }
    }

    /**
     * The program may have been killed at any later step: the next run continues from the save before [step], and has none if there
     * is no such save.
     */
    override fun loseFrom(step: Long) {
        lost = step
        if (saves.isNotEmpty()) return
        delete(store)
        lost = Long.MAX_VALUE
    }

    private fun delete(path: Path) {
        entriesOf(path)?.forEach(::delete)
        files.delete(path)
    }

    /** Without the notes of locks, which name processes. */
    override fun presentFiles(): Map<String, ByteArray> =
        filesIn(work)
            .filterNot { it.name.endsWith(".lock") }
            .associate { "${work.relativize(it)}" to bytesOf(it) } + outputs.contents()

    private fun filesIn(path: Path): List<Path> = entriesOf(path)?.flatMap(::filesIn) ?: listOf(path)

    /** Null for a file. */
    private fun entriesOf(path: Path): List<Path>? =
        try {
            files.list(path)
        } catch (_: NotDirectoryException) {
            null
        }

    private fun bytesOf(file: Path): ByteArray =
        checkNotNull(files.readWhole(file, MOST_BYTES)) { "$file is too large for a trial" }

    override fun <T> read(save: Waymark, read: (StoredCheckpoint) -> T): T? =
        StoredCheckpoints(store).open(save.manifest.save).use(read)

    private fun numbers(): List<Int> =
        if (files.exists(store)) files.list(store).mapNotNull { SaveNames.numberOf(it.name) }.sorted() else emptyList()

    private fun newest(): Manifest? = numbers().lastOrNull { files.exists(manifestOf(it)) }?.let(::manifest)

    private fun manifest(number: Int): Manifest = ManifestFormat.read(files, manifestOf(number)).manifest

    private fun manifestOf(number: Int) = store.resolve(SaveNames.directory(number)).resolve(SaveNames.MANIFEST)
}

private const val ALL = Int.MAX_VALUE
