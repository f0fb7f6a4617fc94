package dev.cairn.testing

import dev.cairn.options.Setting
import dev.cairn.options.Settings
import dev.cairn.reading.StoredCheckpoint
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestFormat
import dev.cairn.store.SaveNames
import dev.cairn.store.name
import dev.cairn.store.readWhole
import dev.cairn.store.writeNew
import java.nio.file.NotDirectoryException
import java.nio.file.Path

/**
 * A history of a program whose runs are processes. It lies in a [directory] of its own, where the program has a working directory,
 * whose files are its outputs, or those in it that are [compared].
 */
internal class ProcessHistory(
    private val directory: Path,
    private val trial: RestartTrial,
    private val command: ProgramCommand,
    private val outputs: WatchedOutputs,
    val compared: Set<Path> = emptySet(),
) : TrialHistory() {
    private val files = FileBlockStore()
    val store: Path = directory.resolve("trial.cairn")
    val work: Path = directory.resolve("work").also(files::makeDirectories)
    private var lost = Long.MAX_VALUE

    /** Of the virtual machine that plays next. */
    var options = emptyList<String>()
    override val inputs = mutableSetOf<String>()

    init {
        require(files.list(work).isEmpty() && !files.exists(store)) {
            "$directory holds an earlier trial already: give each trial a directory of its own"
        }
        outputs.remove()
        trial.inputs.forEach(::copyInput)
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

    /** Also a directory, with all that it has. */
    private fun copyInput(input: Path) {
        require(files.exists(input)) { "$input: there is no such input of the program. Check its name." }
        val source = input.toAbsolutePath()
        for (file in filesIn(source)) {
            val copy = work.resolve("${source.resolveSibling("").relativize(file)}")
            files.makeDirectories(checkNotNull(copy.parent))
            files.writeNew(copy, bytesOf(file))
            inputs += "${work.relativize(copy)}"
        }
    }

    override suspend fun play(rankCount: Int, stopAt: Long?) {
        val settings = settings(rankCount, start(), stopAt)
        val end = command(rankCount, options).run(work, settings) { stopAt != null && newestStep() >= stopAt }
        check(stopAt == null || end == ProgramCommand.End.KILLED) {
            "the program ended before it waited after step $stopAt to be killed: let it pass saveIfDue after each " +
                "step, and do the same steps in each run"
        }
        check(newest() != null) {
            "the program ended without a checkpoint in $store, which the environment names in CAIRN_DIR: let it open " +
                "its checkpoints there, as simulation and SoloCheckpoints do without the option --dir"
        }
    }

    /**
     * Begins or continues as [play] does. At [step], and at the one after it, the program is held, and its processes write their heaps into
     * the directory [heaps]. Each time this [look]s at it, and takes the files. There are fewer looks if the program ends before.
     */
    fun <T : Any> hold(step: Long, heaps: Path, options: List<String>, look: () -> T?): List<T> {
        val settings = settings(trial.rankCount, start(), step) + (Settings.HOLD_HEAP to "$heaps")
        return command(trial.rankCount, options).look(work, settings, times = 2, look)
    }

    private fun command(rankCount: Int, options: List<String>) =
        command.withOptions(options).launchedBy(trial.launcher, rankCount)

    /** The save from which the program continues; null if it begins, or takes the newest one. */
    private fun start(): Int? {
        val from = saves.lastOrNull()?.manifest?.save
        return from.takeIf { lost < Long.MAX_VALUE }.also { lost = Long.MAX_VALUE }
    }

    /** What could make two runs differ by the time that they take is switched off. */
    private fun settings(rankCount: Int, from: Int?, holdAt: Long?): Map<Setting<*>, String> =
        buildMap {
            put(Settings.DIR, "$store")
            put(Settings.RANKS, "$rankCount")
            put(Settings.EVERY, "${trial.every}")
            put(Settings.EVERY_SECONDS, "never")
            put(Settings.WHEN_BUSY, "wait")
            put(Settings.ENDS_AT, "none")
            put(Settings.KEEP_LAST, "$ALL")
            if (from != null) put(Settings.FROM, "$from")
            if (holdAt != null) put(Settings.HOLD_AT, "$holdAt")
        }

    /** The next run continues from the save before [step], and has none if there is no such save. */
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
            .map(work::relativize)
            .filter { if (compared.isEmpty()) !it.name.endsWith(".lock") else it in compared }
            .associate { "$it" to bytesOf(work.resolve(it)) } + outputs.contents()

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

    fun newestStep(): Long = newest()?.step ?: 0

    private fun manifest(number: Int): Manifest = ManifestFormat.read(files, manifestOf(number)).manifest

    private fun manifestOf(number: Int) = store.resolve(SaveNames.directory(number)).resolve(SaveNames.MANIFEST)
}

private const val ALL = Int.MAX_VALUE
