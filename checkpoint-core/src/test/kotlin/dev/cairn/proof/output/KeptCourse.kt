package dev.cairn.proof.output

import dev.cairn.Output
import dev.cairn.SoloCheckpoints
import dev.cairn.checkpoint.checkpointStore
import dev.cairn.cli.HeatCheckpoints
import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.item.numberedName
import dev.cairn.options.CheckpointOptions
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.DIRECTORY
import dev.cairn.store.PARENT
import dev.cairn.store.SaveNames
import dev.cairn.store.name
import dev.cairn.store.readWhole
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.random.Random

/** A program that is started again and again, with one output in [files], and what that output has at each of its saves in [store]. */
internal class KeptCourse(val files: BlockStore, private val store: Path = DIRECTORY) {
    val saved = mutableMapOf<Int, String>()

    /** What the output had when the last save began. */
    private var coming = ""

    val text get() = if (files.exists(LOG)) textOf(LOG) else ""

    /** The saves that are there. */
    val numbers get() =
        checkpointStore(files, store)
            .survey()
            .saves
            .map { it.number }
            .sorted()

    /** The files of the output, by the ends of their names. */
    val texts get() =
        files
            .list(PARENT)
            .filter { it.name.startsWith(LOG.name) && !it.name.endsWith(".lock") }
            .associate { it.name.removePrefix(LOG.name) to textOf(it) }

    /** As [texts], in one line each. */
    val outputs get() = texts.mapValues { it.value.replace("\n", " ").trim() }

    fun exists(ending: String) = files.exists(PARENT.resolve("${LOG.name}$ending"))

    val hasRecords get() = files.exists(store.resolve(SaveNames.KEPT_OUTPUTS))

    /** Starts the program, which makes [saves], each after a line of its own. Returns what the output had after the restore. */
    suspend fun start(
        line: String,
        saves: Int = 0,
        unsaved: String? = null,
        options: CheckpointOptions.Builder.() -> Unit = {},
    ): String {
        var step = 0
        lateinit var log: Output
        val chosen =
            CheckpointOptions {
                keepLast = 99
                options()
            }
        SoloCheckpoints
            .open(store, chosen, files) {
                value("step", { step }, { step = it })
                log = output("log", LOG)
            }.use {
                it.restore()
                val restored = text
                repeat(saves) { _ ->
                    log.line("$line${++step}")
                    coming = text
                    saved[it.save(step.toLong()).number] = coming
                }
                unsaved?.let(log::line)
                return restored
            }
    }

    /** As the user does: [start] again, if it is refused, when a file with the lines of [expected] has the name of the output. */
    suspend fun orRenamed(expected: String, start: suspend () -> String): String =
        try {
            start()
        } catch (refused: Mismatch) {
            val fitting = texts.filterValues { it.startsWith(expected) }.keys.firstOrNull() ?: throw refused
            if (files.exists(LOG)) files.rename(LOG, files.numberedName(LOG))
            files.rename(LOG.resolveSibling(LOG.name + fitting), LOG)
            files.forceDirectory(PARENT)
            start()
        }

    /** Each save that is there finds its lines, in any order. */
    suspend fun requireAll(random: Random) {
        for (number in (numbers + numbers).shuffled(random)) {
            val expected = saved.getValue(number)
            withClue("save $number, $outputs") {
                orRenamed(expected) { start("d") { from = number } } shouldBe expected
            }
        }
    }

    /** The same program with other [files], such as a crash has left. A save may have been committed that it did not learn of. */
    fun on(files: BlockStore): KeptCourse {
        val next = KeptCourse(files, store)
        next.saved += next.numbers.associateWith { saved[it] ?: coming }
        return next
    }

    fun cairn(vararg arguments: String): List<String> = HeatCheckpoints(files).cairn(*arguments).lines

    fun rm(number: Int) = cairn("rm", "$store", "$number")

    /** What `cairn ls` shows below the saves. */
    fun listed() = cairn("ls", "$store").filter { "kept for" in it }

    private fun textOf(file: Path) = checkNotNull(files.readWhole(file, 1 shl 20)).decodeToString()

    companion object {
        val LOG: Path = PARENT.resolve("log.txt")
    }
}
