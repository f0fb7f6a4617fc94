package dev.cairn.run

import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.concentrate.Concentrators
import dev.cairn.concentrate.DedicatedRanks
import dev.cairn.concentrate.dedicate
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.RankFailedException
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.event.shouldThrowFor
import dev.cairn.faces.JournalInJava
import dev.cairn.java.BlockingCheckpoints
import dev.cairn.java.BlockingCommunicator
import dev.cairn.java.BlockingRanks
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.Wait
import dev.cairn.proof.log.loggedBy
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.runSimulation
import dev.cairn.sion.store.FileBlockStore
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.Flushable
import java.io.IOException
import java.io.OutputStream
import java.io.PrintStream
import java.io.UncheckedIOException
import java.io.Writer
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption.APPEND
import java.nio.file.StandardOpenOption.CREATE
import java.nio.file.StandardOpenOption.TRUNCATE_EXISTING
import kotlin.io.path.createDirectory
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** Programs that open the file of an output themselves, and keep it open. */
class FlushedOutputsSpec :
    FunSpec({
        val directory = tempdir().toPath()
        var count = 0

        fun newJournal(): Path = directory.resolve("run${count++}").createDirectory().resolve("journal.txt")

        fun lines(steps: LongRange) = steps.joinToString("") { "step $it\n" }

        fun optionsOf(journal: Path, wait: Wait) =
            CheckpointOptions {
                this.wait = wait
                local = journal.resolveSibling("disk")
            }

        for (wait in Wait.entries) {
            test("a killed program that keeps its writer open ends with the file of an unbroken one: wait = $wait") {
                val journal = newJournal()
                val options = optionsOf(journal, wait)
                for (killedIn in listOf(8L, 17L)) {
                    shouldThrow<Exception> { ranks(3) { write(journal, options, killedIn) } }
                }
                ranks(2) { write(journal, options) }
                journal.readText() shouldBe lines(1L..20L)
            }
        }

        test("so does one with dedicated ranks") {
            val journal = newJournal()

            suspend fun run(killedIn: Long) =
                ranks(3) {
                    dedicate(Concentrators.ranks(2), FileBlockStore()) {
                        write(journal, CheckpointOptions(), killedIn, it)
                    }
                }
            shouldThrow<Exception> { run(killedIn = 13) }
            run(killedIn = NEVER)
            journal.readText() shouldBe lines(1L..20L)
        }

        test("so does a simulation") {
            val journal = newJournal()

            suspend fun run(killedIn: Long) =
                runSimulation("lines", arrayOf("--dir", "$journal.cairn", "--ranks", "2", "--every", "5")) {
                    var log: Writer? = null
                    var sum by replicated(0L)
                    appendedFile("journal", journal) { log?.flush() }
                    for (step in steps(until = 20)) {
                        sum += step
                        if (rank == 0) log = (log ?: open(journal, step)).also { it.write("step ${step + 1}\n") }
                        check(step != killedIn) { "killed" }
                    }
                    log?.close()
                }
            shouldThrow<Exception> { run(killedIn = 13) }
            run(killedIn = NEVER)
            journal.readText() shouldBe lines(1L..20L)
        }

        test("so do programs in Java, with a loop of their own and with one of Cairn's") {
            val own = newJournal()
            val simulated = newJournal()
            for (killedIn in listOf(13L, NEVER)) {
                runCatching { BlockingRanks.run(2) { JournalInJava(own, killedIn).run(it) } }
                runCatching { BlockingRanks.run(2) { JournalInJava(simulated, killedIn).simulate(it) } }
            }
            val expected = (0L..19L).joinToString("") { "step $it: ${(0..it).sum()}\n" }
            own.readText() shouldBe expected
            simulated.readText() shouldBe expected
        }

        test("a writer that is open before the restore loses what it holds, as the file loses what no save covers") {
            val journal = newJournal()
            for (killedIn in listOf(8L, 13L, NEVER)) {
                runCatching { BlockingRanks.run(1) { JournalInJava.passWriter(it, journal, killedIn) } }
            }
            journal.readText() shouldBe "the journal\n" + (0L..19L).joinToString("") { "step $it\n" }
        }

        test("a writer that is open before the restore is refused where the output goes on in another file") {
            val journal = newJournal()
            val store = journal.resolveSibling("store")
            ranks(1) {
                checkpoints(store) { appendedFile("journal", journal) }.use {
                    for (step in 1L..2L) {
                        journal.add("step $step\n")
                        it.save(step)
                    }
                }
                Files.newBufferedWriter(journal, APPEND).use { open ->
                    val refusal =
                        shouldThrow<CheckpointException.InvalidDeclaration> {
                            checkpoints(store) { appendedFile("journal", journal, open) }.use { it.restore(1) }
                        }
                    refusal.message shouldBe
                        "$journal: the output 'journal' goes on in a new file of this name, but the program has " +
                        "opened the old one before it restores, and would write into that. Open the file after the " +
                        "restore, and declare a function that flushes it."
                }
            }
            journal.readText() shouldBe lines(1L..2L)
        }

        test("a save fails if the program cannot flush, with the file and the reason, and the next one succeeds") {
            val journal = newJournal()
            val harms =
                mapOf(
                    IOException("No space left on device") to "No space left on device",
                    UncheckedIOException(IOException("Stream closed.")) to "Stream closed",
                )
            for ((harm, reason) in harms) {
                var failing = true
                ranks(2) {
                    checkpoints(journal.resolveSibling("store")) {
                        appendedFile("journal", journal) { if (failing) throw harm }
                    }.use {
                        val failed = it.trySave(1).shouldBeInstanceOf<SaveOutcome.Failed>()
                        failed.reason shouldContain
                            "$journal: the output 'journal' could not be flushed: $reason. No save is made without " +
                            "the bytes that wait: make room for them, or correct the writer of the program"
                        barrier()
                        failing = false
                        it.trySave(2).shouldBeInstanceOf<Saved>()
                    }
                }
            }
        }

        test("a stream that keeps its errors to itself is asked for them") {
            val journal = newJournal()
            val full =
                object : OutputStream() {
                    override fun write(byte: Int) = throw IOException("No space left on device")
                }
            val printed = PrintStream(full).apply { println("a line") }
            ranks(1) {
                checkpoints(journal.resolveSibling("store")) { appendedFile("journal", journal, printed) }.use {
                    val failed = it.trySave(1).shouldBeInstanceOf<SaveOutcome.Failed>()
                    failed.reason shouldContain
                        "$journal: the output 'journal' could not be flushed: its stream has failed to write, and " +
                        "does not say why. "
                }
            }
        }

        test("another error of the function ends the program, and a call of the communicator is refused") {
            val journal = newJournal()
            ranks(2) {
                checkpoints(
                    journal.resolveSibling("store"),
                ) { appendedFile("journal", journal) { error("not open") } }.use {
                    shouldThrowFor<CheckpointException.NotSaved>(Reason.PROGRAM) { it.trySave(1) }.message shouldContain
                        "the output 'journal' cannot be saved: the program's own code for it threw " +
                        "java.lang.IllegalStateException: not open. "
                }
            }
            BlockingRanks.run(1) { own -> refuseCalls(own, journal) }
        }

        test("a plain output whose file grows only now and then is told of once") {
            for (options in listOf(CheckpointOptions(), CheckpointOptions { verifySnapshot = true })) {
                val journal = newJournal()
                journal.writeText("# the journal\n")
                warningsOf(journal, options) { if (it in setOf(3L, 4L, 7L)) add("step $it\n") }.single() shouldBe
                    "$journal: the file of the output 'journal' was not longer at one save than at the save before, " +
                    "although it grew at other times. $ADVICE"
            }
        }

        test("a plain output of which a writer keeps the end is told of at the first such save") {
            val journal = newJournal()
            val writer = Files.newBufferedWriter(journal)
            warningsOf(journal) { step -> repeat(2700) { writer.write("step $step\n") } }.single() shouldBe
                "$journal: the file of the output 'journal' ends within a line at this save, after 8192 bytes, which " +
                "are whole buffers of the usual size. $ADVICE"
        }

        test("a plain output of which a writer keeps all is told of at the second save") {
            val journal = newJournal()
            val writer = Files.newBufferedWriter(journal)
            warningsOf(journal) { step -> writer.write("step $step\n") }.single() shouldBe
                "$journal: the file of the output 'journal' is there, but was empty at two saves. $ADVICE"
        }

        test("files that programs close before each save are told of in no warning") {
            val block = "x".repeat(8191)
            val binaryBlock = ByteArray(8192) { ((it + 1) % 2 * 10).toByte() }
            val programs =
                mapOf<String, Path.(Long) -> Unit>(
                    "lines" to { add("step $it\n") },
                    "nothing at first" to { if (it > 5) add("step $it\n") },
                    "whole lines of the size of a buffer" to { add("$block\n") },
                    "binary blocks" to { Files.write(this, binaryBlock, CREATE, APPEND) },
                    "line ends first" to { add("\nstep $it") },
                    "nothing" to { },
                )
            for ((program, append) in programs) {
                withClue(program) { warningsOf(newJournal(), append = append).shouldBeEmpty() }
            }
            val twice = newJournal()
            loggedBy {
                ranks(1) {
                    checkpoints(twice.resolveSibling("store")) { appendedFile("journal", twice) }.use {
                        for (step in 1L..5L) {
                            twice.add("step $step\n")
                            repeat(2) { _ -> it.save(step) }
                        }
                    }
                }
            }.filter { it.startsWith("WARNING") }.shouldBeEmpty()
        }
    })

private const val NEVER = Long.MAX_VALUE

private const val ADVICE =
    "If the program keeps the file open, bytes that wait in its buffer are in no save, and a kill loses them: " +
        "declare the output with what must be flushed, as in appendedFile(name, file, writer), or close the file " +
        "before each save."

private fun Path.add(text: String): Path = Files.writeString(this, text, CREATE, APPEND)

private fun open(journal: Path, first: Long): Writer =
    Files.newBufferedWriter(journal, CREATE, if (first == 0L) TRUNCATE_EXISTING else APPEND)

/** Writes a line in each of 20 steps, and saves after each fifth. If it is killed, its writer is not closed. */
private suspend fun Communicator.write(
    journal: Path,
    options: CheckpointOptions,
    killedIn: Long = NEVER,
    dedicated: DedicatedRanks? = null,
) {
    var log: Writer? = null
    var sum = 0L
    val declare: StateBuilder.() -> Unit = {
        replicated("sum", { sum }, { sum = it })
        appendedFile("journal", journal) { log?.flush() }
    }
    checkpoints(journal.resolveSibling("store"), options, FileBlockStore(), dedicated, declare).use {
        val first = it.restore()?.step ?: 0
        sum shouldBe (1..first).sum()
        if (rank == 0) log = open(journal, first)
        for (step in first + 1..20) {
            sum += step
            log?.write("step $step\n")
            check(step != killedIn) { "killed" }
            if (step % 5 == 0L) it.trySave(step)
        }
        it.awaitSaves()
        log?.close()
    }
}

private fun refuseCalls(own: BlockingCommunicator, journal: Path) {
    val calling = Flushable { own.barrier() }
    BlockingCheckpoints
        .open(own, journal.resolveSibling("calls")) { it.appendedFile("journal", journal, calling) }
        .use {
            shouldThrow<RankFailedException> { it.save(1) }.cause?.message shouldBe
                "the program calls Cairn inside the output 'journal' while Cairn saves it. It is in the middle of " +
                "that call and would wait for itself: make the call before it or after it."
        }
}

/** What is said while a program of ten steps saves after each, in which it does [append]. */
private suspend fun warningsOf(
    journal: Path,
    options: CheckpointOptions = CheckpointOptions(),
    append: Path.(Long) -> Unit,
): List<String> =
    loggedBy {
        ranks(2) {
            checkpoints(journal.resolveSibling("store"), options) { appendedFile("journal", journal) }.use {
                for (step in 1L..10L) {
                    if (rank == 0) journal.append(step)
                    it.save(step)
                }
            }
        }
    }.filter { it.startsWith("WARNING: ") }.map { it.removePrefix("WARNING: ") }
