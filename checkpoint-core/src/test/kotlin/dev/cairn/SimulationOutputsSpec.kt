package dev.cairn

import dev.cairn.event.ExitCode
import dev.cairn.proof.log.loggedBy
import dev.cairn.proof.log.printedBy
import dev.cairn.proof.output.FailingText
import dev.cairn.proof.output.OutputRun
import dev.cairn.proof.output.stepLines
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.FileBlockStore
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.appendText
import kotlin.io.path.createDirectory
import kotlin.io.path.deleteExisting
import kotlin.io.path.exists
import kotlin.io.path.moveTo
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** The outputs of programs whose loop Cairn keeps: each line is in its file once, however the program was stopped. */
class SimulationOutputsSpec :
    FunSpec({
        val parent = tempdir().toPath()
        var count = 0

        fun newRun() = OutputRun(Files.createDirectory(parent.resolve("run${count++}")))

        test("killed before the first save and started again, each line is there once, and the older file is kept") {
            val run = newRun()
            run.playUntilKilledIn(step = 5)
            run.text shouldBe stepLines(0..5)
            val log = loggedBy { run.play() shouldBe ExitCode.FINISHED }
            run.text shouldBe stepLines(0..19)
            run.aside(1).readText() shouldBe stepLines(0..5)
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
                "$file: the output has ended with its run, so these bytes were not appended to the file. " +
                "Append before the checkpoints are closed."
            file.readText() shouldBe "step 0\n"
        }

        test("with --fresh it begins anew, and each older file is kept under the first free number") {
            val run = newRun()
            run.play()
            run.file.appendText("a remark\n")
            run.play("--fresh", header = "# another")
            run.aside(2).writeText("of last year")
            run.play("--fresh", header = "# once")
            run.text shouldBe "# once\n" + stepLines(0..19)
            run.aside(1).readText() shouldBe stepLines(0..19) + "a remark\n"
            run.aside(2).readText() shouldBe "of last year"
            run.aside(3).readText() shouldBe "# another\n" + stepLines(0..19)
        }

        test("of runs that are killed before their first save, and write the same lines, the longest file is kept") {
            val run = newRun()
            listOf(5L, 3L, 9L, 9L, 2L).forEach { run.playUntilKilledIn(step = it) }
            val log = loggedBy { run.play() shouldBe ExitCode.FINISHED }
            run.text shouldBe stepLines(0..19)
            run.asides() shouldBe listOf(run.aside(1))
            run.aside(1).readText() shouldBe stepLines(0..9)
            log.filter { "begins anew" in it } shouldBe
                listOf(
                    "INFO: ${run.file}: the output 'log' begins anew, since it is in no restored checkpoint; all of " +
                        "the existing file is in ${run.aside(1)}",
                )
        }

        test("a file that differs from those that are kept stays") {
            val run = newRun()
            listOf("# one", "# two", "# one").forEach { run.playUntilKilledIn(step = 4, header = it) }
            run.play("--every", "5", header = "# three") shouldBe ExitCode.FINISHED
            run.asides().map { it.readText() } shouldBe listOf("# one\n", "# two\n").map { it + stepLines(0..4) }
        }

        test("an output that the restored checkpoint does not know begins anew") {
            val run = newRun()
            run.play(hasOutput = false, until = 10)
            run.file.writeText("of another program\n")
            run.play()
            run.text shouldBe stepLines(10..19)
            run.aside(1).readText() shouldBe "of another program\n"
        }

        test("an empty file, or none, is not kept") {
            val run = newRun()
            run.file.writeText("")
            run.play()
            run.text shouldBe stepLines(0..19)
            run.aside(1).exists() shouldBe false
        }

        test("lines before the first step and after the last one are there once, however the program was stopped") {
            val run = newRun()
            run.playUntilKilledIn(step = 13, "--every", "5", header = "# once")
            run.text shouldBe "# once\n" + stepLines(0..13)
            run.play(header = "# once", footer = "# the end")
            run.play(header = "# once", footer = "# the end")
            run.text shouldBe "# once\n" + stepLines(0..19) + "# the end\n"
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
                    "$device: the output 'log' should begin here, but it is a pipe or a device: a file is needed, " +
                    "which can be read at any position. Name another file, or correct that, and start again."
            }
        }

        test("a directory or a pipe in the place of the file that a restart needs is told with what helps") {
            val obstacles =
                mapOf<String, (Path) -> Unit>(
                    "is a directory, not a file" to { it.createDirectory() },
                    "it is a pipe or a device: a file is needed, which can be read at any position" to
                        { ProcessBuilder("mkfifo", "$it").start().waitFor() shouldBe 0 },
                )
            for ((found, put) in obstacles) {
                val run = newRun()
                run.play(until = 10)
                run.file.deleteExisting()
                put(run.file)
                printedBy { run.play() shouldBe ExitCode.UNREADABLE } shouldContain
                    "${run.file}: the output 'log' should be cut back to its length in the checkpoint, but $found. " +
                    "The checkpoint is good: make sure that the file of that run is there, readable and writable, " +
                    "and start again."
            }
        }

        test("a restart that needs the file that was kept aside names it, and continues when it is back") {
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
            run.text shouldBe stepLines(0..19)
        }

        test("two outputs of one file are refused, by whatever path they lead there") {
            val run = newRun()
            printedBy {
                run.simulate {
                    val log by output(run.file)
                    appendedFile("other", run.file.resolveSibling("./${run.file.name}"))
                    for (step in steps(until = 3)) log.line("$step")
                } shouldBe ExitCode.REFUSED
            } shouldContain "the outputs 'log' and 'other' are the same file"
        }

        test("a disk that is full for a while costs the saves of that time, and no line") {
            val run = newRun()
            val trouble = FailingText()
            val log =
                loggedBy {
                    run.play("--every", "4", files = trouble) { trouble.isFailing = it in 5..10 } shouldBe
                        ExitCode.FINISHED
                }
            run.text shouldBe stepLines(0..19)
            log.first { "are not in the file" in it } shouldBe
                "WARNING: ${run.file}: 7 bytes that the program appended are not in the file, because " +
                "planned: no space left. They wait in memory, and no save is made without them; " +
                "when 16777216 bytes wait, the program ends. A program that ends before they are written is started " +
                "again: it goes on from its last save, and appends them again"
            log.first { "save 2 at step 8 failed" in it } shouldContain
                "${run.file}: 21 bytes that the program appended are not in the file"
        }

        test("a torn line is made whole") {
            val run = newRun()
            val trouble = FailingText(tornBytes = 3)
            run.play(files = trouble) { trouble.isFailing = it == 7L }
            run.text shouldBe stepLines(0..19)
        }

        test("a disk that stays full is told by the exit code, and a restart writes what is missing") {
            for (until in listOf(10L, 20L)) {
                val run = newRun()
                val trouble = FailingText()
                run.play("--every", "4", files = trouble) { trouble.isFailing = it >= until - 1 } shouldBe
                    ExitCode.UNSAVED
                run.text shouldBe stepLines(0..until.toInt() - 2)
                run.play() shouldBe ExitCode.FINISHED
                run.text shouldBe stepLines(0..19)
            }
        }

        test("a last line that cannot be written after the loop is told by the exit code") {
            val run = newRun()
            val trouble = FailingText()
            run.play(files = trouble, footer = "# the end", beforeFooter = { trouble.isFailing = true }) shouldBe
                ExitCode.UNSAVED
            run.play(footer = "# the end") shouldBe ExitCode.FINISHED
            run.text shouldBe stepLines(0..19) + "# the end\n"
        }

        test("when too much waits for the disk the program ends, and a restart writes it") {
            val run = newRun()
            val trouble = FailingText()
            val said =
                printedBy {
                    run.simulate(files = trouble) {
                        val log by output(run.file)
                        for (step in steps(until = 5)) {
                            trouble.isFailing = true
                            log.append(ByteBuffer.allocate(1 shl 23))
                        }
                    } shouldBe ExitCode.UNREADABLE
                }
            said shouldContain "16777216 bytes that the program appended are not in the file"
            said shouldContain "no space left"
        }

        test("an output that was deleted or rotated is refused, and begins anew when the user says so") {
            val harms =
                mapOf<String, (Path) -> Unit>(
                    "is gone" to { it.deleteExisting() },
                    "has only 9" to { it.writeText("step 100\n") },
                    "has other bytes before that length" to { it.writeText(stepLines(50..99)) },
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
                    run.text shouldBe "# on\n" + stepLines(10..19)
                    (if (run.aside(1).exists()) run.aside(1).readText() else null) shouldBe before
                    run.play() shouldBe ExitCode.FINISHED
                    run.text shouldBe "# on\n" + stepLines(10..19)
                }
            }
        }

        test("an output that is as the checkpoint knows it is cut back, although others may begin anew") {
            val run = newRun()
            run.playUntilKilledIn(step = 13, "--every", "5")
            run.play("--lost-outputs", "begin-anew")
            run.text shouldBe stepLines(0..19)
        }

        test("a lock file that is deleted while the program runs is made again at the next save") {
            val run = newRun()
            val lock = run.file.resolveSibling("log.txt.lock")
            var isMadeAgain = false
            val log =
                loggedBy {
                    run.play("--every", "5") {
                        if (it == 7L) lock.deleteExisting()
                        if (it == 11L) isMadeAgain = lock.exists()
                    } shouldBe ExitCode.FINISHED
                }
            isMadeAgain shouldBe true
            log.filter { "lock file" in it } shouldBe
                listOf(
                    "WARNING: $lock: the lock file was deleted while this program writes ${run.file}, and was made again",
                )
            run.text shouldBe stepLines(0..19)
            lock.exists() shouldBe false
        }

        test("a program whose lock file was deleted saves no more when another program writes the output") {
            val run = newRun()
            val lock = run.file.resolveSibling("log.txt.lock")
            lateinit var other: BlockFile
            printedBy {
                run.play("--every", "5") {
                    if (it != 7L) return@play
                    lock.deleteExisting()
                    val note = "process 1 on b, running since noon\nits identity\n"
                    other = FileBlockStore().create(lock).apply { write(0, ByteBuffer.wrap(note.encodeToByteArray())) }
                    other.tryLock() shouldBe true
                } shouldBe ExitCode.REFUSED
            } shouldContain
                "${run.file}: the output is in use, since another program writes it: process 1 on b, running " +
                "since noon. Wait until it has ended, or declare another file."
            other.close()
            lock.exists() shouldBe true
            run.play() shouldBe ExitCode.FINISHED
            run.text shouldBe stepLines(0..19)
        }

        test("a file that is moved away while the program runs keeps what it has, and a new one gets the rest") {
            val run = newRun()
            val moved = run.file.resolveSibling("moved.txt")
            val log = loggedBy { run.play("--every", "4") { if (it == 10L) run.file.moveTo(moved) } }
            moved.readText() + run.text shouldBe stepLines(0..19)
            log.single { "moved away" in it } shouldContain "WARNING: ${run.file}: the file was moved away"
            run.play("--every", "4") shouldBe ExitCode.FINISHED
            moved.readText() + run.text shouldBe stepLines(0..19)
        }

        test("a program that opens its output itself is warned to empty it if nothing is restored") {
            val run = newRun()
            run.file.writeText("step 0\n")
            val log =
                loggedBy {
                    run.simulate {
                        var sum by replicated(0L)
                        appendedFile("log", run.file)
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
                    appendedFile("log", run.file)
                    for (step in steps(until = 2)) sum += step
                }
            }.filter { "empty the file" in it }.shouldBeEmpty()
        }
    })
