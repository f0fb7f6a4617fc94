package dev.cairn

import dev.cairn.cli.CairnCommand
import dev.cairn.event.ExitCode
import dev.cairn.java.play
import dev.cairn.proof.log.loggedBy
import dev.cairn.proof.log.printedBy
import dev.cairn.sion.cli.Shell
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.Operation
import dev.cairn.sion.store.Operation.Kind
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption.APPEND
import java.nio.file.StandardOpenOption.CREATE
import kotlin.io.path.appendText
import kotlin.io.path.createDirectory
import kotlin.io.path.deleteExisting
import kotlin.io.path.exists
import kotlin.io.path.moveTo
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** The outputs of programs whose loop Cairn keeps: each line is in its file once, however the program was broken. */
class SimulationOutputsSpec :
    FunSpec({
        val parent = tempdir().toPath()
        var count = 0

        fun newRun() = OutputRun(Files.createDirectory(parent.resolve("run${count++}")))

        test("killed before the first save and started again, each line is there once, and the older file is kept") {
            val run = newRun()
            run.playUntilKilledIn(step = 5)
            run.text shouldBe lines(0..5)
            val log = loggedBy { run.play() shouldBe ExitCode.FINISHED }
            run.text shouldBe lines(0..19)
            run.aside(1).readText() shouldBe lines(0..5)
            log.filter { "begins anew" in it } shouldBe
                listOf(
                    "INFO: ${run.file}: the output 'log' begins anew, since it is in no restored checkpoint; the " +
                        "existing file is now ${run.aside(1)}",
                )
        }

        test("an output that is kept beyond its simulation takes no more lines") {
            val file = newRun().file
            var kept: Output? = null
            runSimulation("kept", arrayOf("--dir", "$file.cairn")) {
                val log by output(file)
                kept = log
                for (step in steps(until = 1)) log.line("step $step")
            } shouldBe ExitCode.FINISHED
            shouldThrow<IOException> { kept?.line("late") }.message shouldBe
                "$file: the output has ended with its simulation, so these bytes were not appended to the file. " +
                "Append while the simulation runs."
            file.readText() shouldBe "step 0\n"
        }

        test("with --fresh it begins anew, and each older file is kept under the first free number") {
            val run = newRun()
            run.play()
            run.file.appendText("a remark\n")
            run.play("--fresh")
            run.aside(2).writeText("of last year")
            run.play("--fresh", header = "# once")
            run.text shouldBe "# once\n" + lines(0..19)
            run.aside(1).readText() shouldBe lines(0..19) + "a remark\n"
            run.aside(2).readText() shouldBe "of last year"
            run.aside(3).readText() shouldBe lines(0..19)
        }

        test("an output that the restored checkpoint does not know begins anew") {
            val run = newRun()
            run.play(hasOutput = false, until = 10)
            run.file.writeText("of another program\n")
            run.play()
            run.text shouldBe lines(10..19)
            run.aside(1).readText() shouldBe "of another program\n"
        }

        test("an empty file, or none, is not kept") {
            val run = newRun()
            run.file.writeText("")
            run.play()
            run.text shouldBe lines(0..19)
            run.aside(1).exists() shouldBe false
        }

        test("what is appended before the first step and after the last one is there once, however it was broken") {
            val run = newRun()
            run.playUntilKilledIn(step = 13, "--every", "5", header = "# once")
            run.text shouldBe "# once\n" + lines(0..13)
            run.play(header = "# once", footer = "# the end")
            run.play(header = "# once", footer = "# the end")
            run.text shouldBe "# once\n" + lines(0..19) + "# the end\n"
            run.aside(1).exists() shouldBe false
        }

        test("a program without a loop has an output, too") {
            val run = newRun()
            run.file.writeText("before\n")
            run.simulate {
                val log by output(run.file)
                log.line("alone")
            } shouldBe ExitCode.FINISHED
            run.text shouldBe "alone\n"
            run.aside(1).readText() shouldBe "before\n"
        }

        test("a directory that does not exist is refused before the first step") {
            val missing = parent.resolve("nowhere")
            val run = newRun()
            val file = missing.resolve("log.txt")
            run.refusalOf(file) shouldBe
                "$file: the output 'log' should begin here, but its directory does not exist. Name another file, or " +
                "correct that, and start again."
        }

        test("a device, and a link that leads nowhere, are refused before the first step") {
            val link = Files.createSymbolicLink(parent.resolve("link.txt"), parent.resolve("nowhere/log.txt"))
            newRun().refusalOf(link) shouldContain "but it is a symbolic link to a place that does not exist."
            for (device in listOf("/dev/null", "/dev/full")) {
                newRun().refusalOf(Path.of(device)) shouldContain
                    "$device: the output 'log' should begin here, but java.nio.file.FileSystemException: $device: it " +
                    "is a pipe or a device"
            }
        }

        test("a restart that needs the file which was kept aside says so, and goes on when it is back") {
            val run = newRun()
            run.play("--every", "5", until = 10)
            run.playUntilKilledIn(step = 2, "--fresh")
            val said = printedBy { run.play() shouldBe ExitCode.REFUSED }
            said shouldContain
                "${run.file}: the output 'log' should have the 70 bytes that it had when the checkpoint was made, " +
                "but it has only 21. Nothing was cut: ${run.aside(1)} has them; it was kept when the output began " +
                "anew. Rename it to log.txt, and start again."
            run.aside(1).moveTo(run.file, overwrite = true)
            run.play() shouldBe ExitCode.FINISHED
            run.text shouldBe lines(0..19)
        }

        test("two outputs of one file are refused, by whatever path they lead there") {
            val run = newRun()
            val failure =
                shouldThrow<Exception> {
                    run.simulate {
                        val log by output(run.file)
                        state { output("other", run.file.resolveSibling("./${run.file.name}")) }
                        for (step in steps(until = 3)) log.line("$step")
                    }
                }
            "${failure.message}" shouldContain "the outputs 'log' and 'other' are the same file"
        }

        test("a disk that is full for a while costs the saves of that time, and no line") {
            val run = newRun()
            val trouble = FailingText()
            val log =
                loggedBy {
                    run.play("--every", "4", files = trouble) { trouble.isThere = it in 5..10 } shouldBe
                        ExitCode.FINISHED
                }
            run.text shouldBe lines(0..19)
            log.first { "are not in the file" in it } shouldBe
                "WARNING: ${run.file}: 7 bytes that the program appended are not in the file, because " +
                "java.io.IOException: planned: no space left. They wait in memory, and no save is made without them; " +
                "when 16777216 bytes wait, the program ends"
            log.first { "save 2 at step 8 failed" in it } shouldContain
                "${run.file}: 21 bytes that the program appended are not in the file"
        }

        test("a torn line is made whole") {
            val run = newRun()
            val trouble = FailingText(tornBytes = 3)
            run.play(files = trouble) { trouble.isThere = it == 7L }
            run.text shouldBe lines(0..19)
        }

        test("a disk that stays full is told by the exit code, and a restart writes what is missing") {
            for (until in listOf(10L, 20L)) {
                val run = newRun()
                val trouble = FailingText()
                run.play("--every", "4", files = trouble) { trouble.isThere = it >= until - 1 } shouldBe
                    ExitCode.UNSAVED
                run.text shouldBe lines(0..until.toInt() - 2)
                run.play() shouldBe ExitCode.FINISHED
                run.text shouldBe lines(0..19)
            }
        }

        test("a last line that cannot be written after the loop is told by the exit code") {
            val run = newRun()
            val trouble = FailingText()
            run.play(files = trouble, footer = "# the end", beforeFooter = { trouble.isThere = true }) shouldBe
                ExitCode.UNSAVED
            run.play(footer = "# the end") shouldBe ExitCode.FINISHED
            run.text shouldBe lines(0..19) + "# the end\n"
        }

        test("when too much waits for the disk the program ends, and a restart writes it") {
            val run = newRun()
            val trouble = FailingText()
            val failure =
                shouldThrow<Exception> {
                    run.simulate(files = trouble) {
                        val log by output(run.file)
                        for (step in steps(until = 5)) {
                            trouble.isThere = true
                            log.append(ByteBuffer.allocate(1 shl 23))
                        }
                    }
                }
            "${failure.message}" shouldContain "16777216 bytes that the program appended are not in the file"
            "${failure.message}" shouldContain "no space left"
        }

        test("an output that was deleted or rotated is refused, and begins anew when the user says so") {
            val harms =
                mapOf<String, (Path) -> Unit>(
                    "is gone" to { it.deleteExisting() },
                    "has only 9" to { it.writeText("step 100\n") },
                    "has other bytes before that length" to { it.writeText(lines(50..99)) },
                )
            for ((found, harm) in harms) {
                withClue(found) {
                    val run = newRun()
                    run.play(until = 10)
                    harm(run.file)
                    val before = if (run.file.exists()) run.text else null
                    run.play() shouldBe ExitCode.REFUSED
                    (if (run.file.exists()) run.text else null) shouldBe before

                    val log = loggedBy { run.play("--lost-outputs", "begin-anew", header = "# on") }
                    log.single { "begins anew" in it } shouldContain
                        "since it had 70 bytes in the checkpoint, but $found"
                    run.text shouldBe "# on\n" + lines(10..19)
                    (if (run.aside(1).exists()) run.aside(1).readText() else null) shouldBe before
                    run.play() shouldBe ExitCode.FINISHED
                    run.text shouldBe "# on\n" + lines(10..19)
                }
            }
        }

        test("an output that is as the checkpoint knows it is cut back, although others may begin anew") {
            val run = newRun()
            run.playUntilKilledIn(step = 13, "--every", "5")
            run.play("--lost-outputs", "begin-anew")
            run.text shouldBe lines(0..19)
        }

        test("a file that is moved away while the program runs keeps what it has, and a new one gets the rest") {
            val run = newRun()
            val moved = run.file.resolveSibling("moved.txt")
            val log = loggedBy { run.play("--every", "4") { if (it == 10L) run.file.moveTo(moved) } }
            moved.readText() + run.text shouldBe lines(0..19)
            log.single { "moved away" in it } shouldContain "WARNING: ${run.file}: the file was moved away"
            run.play("--every", "4") shouldBe ExitCode.FINISHED
            moved.readText() + run.text shouldBe lines(0..19)
        }

        test("an owner that goes on after a takeover writes into no file of its successor, whenever it wakes up") {
            for (stopped in 0L..19L) {
                withClue("stopped in step $stopped") {
                    val run = newRun()
                    val wokenUp =
                        runCatching {
                            run.play("--every", "5", header = "# once", footer = "# the end") {
                                if (it == stopped) {
                                    run.inAnother {
                                        play("--every", "4", "--take-over", header = "# once", footer = "# the end")
                                    } shouldBe ExitCode.FINISHED
                                }
                            }
                        }
                    (wokenUp.getOrNull() ?: ExitCode.REFUSED) shouldBe ExitCode.REFUSED
                    run.text shouldBe "# once\n" + lines(0..19) + "# the end\n"
                }
            }
        }

        test("a store that a command took over from a living owner is safe from it, too") {
            val run = newRun()
            run.play("--every", "5") {
                if (it == 12L) {
                    run.cairn("pin", "--take-over", "${run.store}", "2") shouldBe 0
                    run.store.resolve("displaced").exists() shouldBe true
                    run.inAnother { play() } shouldBe ExitCode.FINISHED
                    run.store.resolve("displaced").exists() shouldBe false
                }
            } shouldBe ExitCode.REFUSED
            run.text shouldBe lines(0..19)
        }

        test("an owner that keeps its own handle open writes into no file of its successor either") {
            val run = newRun()
            run.playByHand("--every", "5") {
                if (it == 12L) run.inAnother { playByHand("--every", "4", "--take-over") } shouldBe ExitCode.FINISHED
            } shouldBe ExitCode.REFUSED
            run.text shouldBe lines(0..19)
        }

        test(
            "a file into which something else writes is in no save, until it is moved away or the program starts again",
        ) {
            val run = newRun()
            val log =
                loggedBy {
                    run.play("--every", "4") { if (it == 10L) run.file.appendText("alien\n") } shouldBe ExitCode.UNSAVED
                }
            log.first { "save 3 at step 12 failed" in it } shouldContain
                "${run.file}: the file has 76 bytes, but this program wrote it up to byte 70: another program " +
                "writes into it"
            run.play("--every", "4") shouldBe ExitCode.FINISHED
            run.text shouldBe lines(0..19)
        }

        test("a file into which something else writes is moved away, and the run saves again") {
            val run = newRun()
            val moved = run.file.resolveSibling("moved.txt")
            run.play("--every", "4") {
                if (it == 10L) run.file.appendText("alien\n")
                if (it == 14L) run.file.moveTo(moved)
            } shouldBe ExitCode.FINISHED
            moved.readText() + run.text shouldBe lines(0..9) + "alien\n" + lines(10..19)
        }

        test("a program that opens its output itself hears that it must empty it when nothing is restored") {
            val run = newRun()
            run.file.writeText("step 0\n")
            val log =
                loggedBy {
                    run.simulate {
                        var sum by replicated(0L)
                        state { output("log", run.file) }
                        for (step in steps(until = 2)) sum += step
                    }
                }
            log.single { "empty the file" in it } shouldBe
                "WARNING: ${run.file}: the output 'log' has 7 bytes, which no restored checkpoint covers. If an " +
                "earlier run wrote them, the program must empty the file now: otherwise it will contain lines twice."
            run.text shouldBe "step 0\n"
            loggedBy {
                run.simulate {
                    var sum by replicated(0L)
                    state { output("log", run.file) }
                    for (step in steps(until = 2)) sum += step
                }
            }.filter { "empty the file" in it }.shouldBeEmpty()
        }
    })

private fun lines(steps: IntRange) = steps.joinToString("") { "step $it\n" }

/** A program that appends a line in each step, in a [directory] of its own. */
private class OutputRun(
    private val directory: Path,
) {
    val file: Path = directory.resolve("out").createDirectory().resolve("log.txt")
    val text get() = file.readText()
    val store: Path = directory.resolve("store")

    /** What another process does, while the program of this one stands still. */
    fun <T> inAnother(body: suspend OutputRun.() -> T): T = runBlocking(Dispatchers.IO) { this@OutputRun.body() }

    fun cairn(vararg arguments: String): Int = CairnCommand.run(Shell.ofThisProcess(), *arguments)

    fun aside(number: Int): Path = file.resolveSibling("${file.name}.$number")

    suspend fun play(
        vararg options: String,
        until: Long = 20,
        hasOutput: Boolean = true,
        header: String? = null,
        footer: String? = null,
        files: BlockStore = FileBlockStore(),
        beforeFooter: () -> Unit = {},
        inStep: (Long) -> Unit = {},
    ): ExitCode =
        simulate(*options, files = files) {
            var sum by replicated(0L)
            val log = if (hasOutput) output(file).named("log").value else null
            header?.let { log?.line(it) }
            for (step in steps(until)) {
                if (rank == 0) inStep(step)
                sum += step
                log?.append(ByteBuffer.wrap(lines(step.toInt()..step.toInt()).encodeToByteArray()))
            }
            if (rank == 0) beforeFooter()
            footer?.let { log?.line(it) }
        }

    /** A program that opens the file itself, when it has been cut. */
    suspend fun playByHand(
        vararg options: String,
        inStep: (Long) -> Unit = {},
    ): ExitCode =
        simulate(*options) {
            var sum by replicated(0L)
            state { output("log", file) }
            val target by lazy { Files.newOutputStream(file, CREATE, APPEND) }
            for (step in steps(until = 20)) {
                sum += step
                if (rank != 0) continue
                inStep(step)
                target.write(lines(step.toInt()..step.toInt()).encodeToByteArray())
            }
        }

    /** It saves nothing on its way down, as if it had been killed. */
    suspend fun playUntilKilledIn(
        step: Long,
        vararg options: String,
        header: String? = null,
    ) {
        shouldThrow<Exception> {
            simulate(*options) {
                var sum by replicated(0L)
                val log by output(file)
                header?.let(log::line)
                for (now in steps(until = 20)) {
                    sum += now
                    log.append(ByteBuffer.wrap(lines(now.toInt()..now.toInt()).encodeToByteArray()))
                    if (now == step) error("killed")
                }
            }
        }
    }

    /** What the program says that cannot append to [output]. */
    suspend fun refusalOf(output: Path): String =
        printedBy {
            simulate {
                val log by output(output)
                for (step in steps(until = 3)) error("step $step: ${log.file}")
            } shouldBe ExitCode.UNREADABLE
        }.lines().single { it.startsWith("lines: ") }.removePrefix("lines: ")

    suspend fun simulate(
        vararg options: String,
        files: BlockStore = FileBlockStore(),
        body: suspend Simulation.() -> Unit,
    ): ExitCode =
        runSimulation(
            "lines",
            arrayOf("--dir", "$store", "--ranks", "2", *options),
            files,
            body = body,
        )
}

/** While it [isThere], nothing can be written to files of text; the first [tornBytes] bytes go through. */
private class FailingText(
    private val tornBytes: Int = 0,
) : ForwardingStore(FileBlockStore()) {
    @Volatile var isThere = false

    override fun onOperation(operation: Operation) {
        if (!isThere || operation.kind() != Kind.WRITE || !operation.path().name.endsWith(".txt")) return
        if (tornBytes > 0) {
            FileBlockStore().open(operation.path(), Access.READ_WRITE).use {
                it.write(it.size(), ByteBuffer.allocate(tornBytes))
            }
        }
        throw IOException("planned: no space left")
    }
}
