package dev.cairn.item

import dev.cairn.event.ExitCode
import dev.cairn.house.Campaign
import dev.cairn.proof.log.loggedBy
import dev.cairn.proof.output.OutputRun
import dev.cairn.proof.output.stepLines
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Files
import kotlin.io.path.appendText
import kotlin.io.path.createDirectory
import kotlin.io.path.exists
import kotlin.io.path.isSymbolicLink
import kotlin.io.path.moveTo
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** Outputs to which more than one program may append: the old owner of a store and its successor, or a foreign program. */
class OutputTakeoverSpec :
    FunSpec({
        val parent = tempdir().toPath()
        var count = 0

        fun newRun() = OutputRun(Files.createDirectory(parent.resolve("run${count++}")))

        test("an owner that continues after a takeover writes into no file of its successor, in any step") {
            for (stopped in Campaign.CRASH_POINTS.someOf((0L..19L).toList())) {
                withClue("stopped in step $stopped") {
                    val run = newRun()
                    val continued =
                        runCatching {
                            run.play("--every", "5", header = "# once", footer = "# the end") {
                                if (it == stopped) {
                                    run.inAnother {
                                        play("--every", "4", "--take-over", header = "# once", footer = "# the end")
                                    } shouldBe ExitCode.FINISHED
                                }
                            }
                        }
                    (continued.getOrNull() ?: ExitCode.REFUSED) shouldBe ExitCode.REFUSED
                    run.text shouldBe "# once\n" + stepLines(0..19) + "# the end\n"
                }
            }
        }

        test("the outputs of a store that a command took over from a running owner are safe from that owner") {
            val run = newRun()
            run.play("--every", "5") {
                if (it == 12L) {
                    run.cairn("pin", "--take-over", "${run.store}", "2") shouldBe 0
                    run.store.resolve("displaced").exists() shouldBe true
                    run.inAnother { play() } shouldBe ExitCode.FINISHED
                    run.store.resolve("displaced").exists() shouldBe false
                }
            } shouldBe ExitCode.REFUSED
            run.text shouldBe stepLines(0..19)
        }

        test("an output that is a symbolic link stays one after a takeover, and what it leads to is replaced") {
            val run = newRun()
            val target = Files.createDirectory(run.store.resolveSibling("scratch")).resolve("log of a run.txt")
            Files.createSymbolicLink(run.file, Files.createFile(target))
            run.play("--every", "5") {
                if (it == 12L) run.inAnother { play("--every", "4", "--take-over") } shouldBe ExitCode.FINISHED
            } shouldBe ExitCode.REFUSED
            run.text shouldBe stepLines(0..19)
            run.file.isSymbolicLink() shouldBe true
            target.readText() shouldBe run.text
            run.play() shouldBe ExitCode.FINISHED
        }

        test("an owner that keeps its own handle open writes into no file of its successor either") {
            val run = newRun()
            run.playByHand("--every", "5") {
                if (it == 12L) run.inAnother { playByHand("--every", "4", "--take-over") } shouldBe ExitCode.FINISHED
            } shouldBe ExitCode.REFUSED
            run.text shouldBe stepLines(0..19)
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
            run.text shouldBe stepLines(0..19)
        }

        for ((name, text) in mapOf("shorter" to "notes\n", "of the same length" to "step x\n".repeat(10))) {
            test("a file $name that another program puts into the place of the output is in no save") {
                val run = newRun()
                val (moved, notes) = run.file.resolveSibling("moved.txt") to run.file.resolveSibling("notes.txt")
                val log =
                    loggedBy {
                        run.play("--every", "4") {
                            if (it == 10L) {
                                run.file.moveTo(moved)
                                run.file.writeText(text)
                            }
                        } shouldBe ExitCode.UNSAVED
                    }
                log.first { "save 3 at step 12 failed" in it } shouldContain
                    "${run.file}: the file has ${text.length} bytes, but this program wrote it up to byte 0: another " +
                    "program writes into it"
                log.filter { "failed" !in it && "save 3" in it }.shouldBeEmpty()
                run.file.readText() shouldBe text
                run.file.moveTo(notes)
                moved.moveTo(run.file)
                run.play("--every", "4") shouldBe ExitCode.FINISHED
                run.text shouldBe stepLines(0..19)
            }
        }

        test("a file into which something else writes is moved away, and the run saves again") {
            val run = newRun()
            val moved = run.file.resolveSibling("moved.txt")
            run.play("--every", "4") {
                if (it == 10L) run.file.appendText("alien\n")
                if (it == 14L) run.file.moveTo(moved)
            } shouldBe ExitCode.FINISHED
            moved.readText() + run.text shouldBe stepLines(0..9) + "alien\n" + stepLines(10..19)
        }
    })
