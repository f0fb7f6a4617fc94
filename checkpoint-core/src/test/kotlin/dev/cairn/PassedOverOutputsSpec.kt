package dev.cairn

import dev.cairn.cli.HeatCheckpoints
import dev.cairn.event.ExitCode
import dev.cairn.proof.log.loggedBy
import dev.cairn.proof.output.OutputRun
import dev.cairn.proof.output.stepLines
import dev.cairn.sion.store.FileBlockStore
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createSymbolicLinkPointingTo
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.moveTo
import kotlin.io.path.name

/** The outputs of a program that restores an older save, ends without a new one, and restores the newest save after all. */
class PassedOverOutputsSpec :
    FunSpec({
        val parent = tempdir().toPath()
        var count = 0

        fun newRun() = OutputRun(Files.createDirectory(parent.resolve("run${count++}")))

        suspend fun OutputRun.passingOver(save: Int, starts: suspend () -> Unit) {
            val manifest = store.resolve("%06d/manifest.json".format(save))
            val hidden = store.resolveSibling("hidden.json")
            manifest.moveTo(hidden)
            starts()
            hidden.moveTo(manifest)
        }

        /** What `cairn ls` shows below the saves. */
        fun OutputRun.listed() =
            HeatCheckpoints(FileBlockStore()).cairn("ls", "$store").lines.filter { "kept for" in it }

        fun OutputRun.names() =
            file.parent
                .listDirectoryEntries()
                .map(Path::name)
                .sorted()

        test("a save that was passed over finds the lines that it covers, however often it was passed over") {
            val run = newRun()
            run.playUntilKilledIn(step = 13, "--every", "5")
            run.passingOver(save = 2) {
                val log = loggedBy { run.playUntilKilledIn(step = 8) }
                log.filter { "continues after" in it } shouldBe
                    listOf(
                        "INFO: ${run.file}: the output 'log' continues after 35 bytes in a copy of its file. The " +
                            "file itself is now ${run.file}.save-2, since save 2 may need more of it: it is taken " +
                            "back when that save is restored. 'cairn ls' lists it until that save is gone",
                    )
                run.text shouldBe stepLines(0..8)
                run.playUntilKilledIn(step = 7)
                run.text shouldBe stepLines(0..7)
                run.names() shouldContainExactly listOf("log.txt", "log.txt.save-2")
            }
            val log = loggedBy { run.play() shouldBe ExitCode.FINISHED }
            log.single { "continues after" in it } shouldBe
                "INFO: ${run.file}: the output 'log' continues after the 70 bytes of the checkpoint in a copy of " +
                "${run.file}.save-2"
            run.text shouldBe stepLines(0..19)
            run.names() shouldContainExactly listOf("log.txt", "log.txt.save-2")
        }

        test("so it does if both saves change places again") {
            val run = newRun()
            run.playUntilKilledIn(step = 13, "--every", "5")
            repeat(2) {
                run.passingOver(save = 2) { run.playUntilKilledIn(step = 8) }
                run.playUntilKilledIn(step = 11)
                run.text shouldBe stepLines(0..11)
            }
            run.passingOver(save = 2) { run.play() shouldBe ExitCode.FINISHED }
            run.text shouldBe stepLines(0..19)
        }

        test("a chosen save leaves the lines of the later ones") {
            val run = newRun()
            run.playUntilKilledIn(step = 17, "--every", "5", "--keep-last", "9")
            run.playUntilKilledIn(step = 8, "--from", "1")
            run.playUntilKilledIn(step = 12, "--from", "2")
            run.play() shouldBe ExitCode.FINISHED
            run.text shouldBe stepLines(0..19)
        }

        test("a chosen save of another branch leaves the lines of the newest one") {
            val run = newRun()
            run.playUntilKilledIn(step = 13, "--every", "5", "--keep-last", "9")
            run.simulate("--from", "1", "--keep-last", "9") {
                var sum by replicated(0L)
                val log by output(run.file)
                for (step in steps(until = 10)) {
                    sum += step
                    log.line("branch $step")
                }
            }
            val branch = run.text
            run.playUntilKilledIn(step = 11, "--from", "2", "--keep-last", "9")
            run.text shouldBe stepLines(0..11)
            run.play() shouldBe ExitCode.FINISHED
            run.text shouldBe branch + stepLines(10..19)
        }

        test("a kept file is listed until retention has deleted its save, and then it is gone") {
            val run = newRun()
            run.play("--every", "5", "--keep-last", "9", until = 15)
            run.playUntilKilledIn(step = 8, "--from", "1", "--every", "never", "--keep-last", "9")
            run.listed() shouldBe listOf("${run.file}.save-3  110 bytes  kept for save 3")
            run.play("--from", "1", "--every", "5", "--keep-last", "2") shouldBe ExitCode.FINISHED
            run.text shouldBe stepLines(0..19)
            run.listed() shouldBe emptyList()
            run.names() shouldContainExactly listOf("log.txt")
        }

        test("a link in the place of a kept file stays, and so does its target") {
            val run = newRun()
            run.play("--every", "5", "--keep-last", "9", until = 15)
            run.playUntilKilledIn(step = 8, "--from", "1", "--every", "never", "--keep-last", "9")
            val kept = run.file.resolveSibling("log.txt.save-3")
            val target = kept.moveTo(run.file.resolveSibling("target"))
            kept.createSymbolicLinkPointingTo(target)
            run.play("--from", "1", "--every", "5", "--keep-last", "2") shouldBe ExitCode.FINISHED
            run.names() shouldContainExactly listOf("log.txt", "log.txt.save-3", "target")
        }

        test("an output that the older save does not know is taken back, too") {
            val run = newRun()
            run.play(hasOutput = false, until = 5)
            run.play(until = 10)
            run.passingOver(save = 2) { run.playUntilKilledIn(step = 8) }
            run.play() shouldBe ExitCode.FINISHED
            run.text shouldBe stepLines(5..19)
        }

        test("a program that opens its output itself finds the lines, too") {
            val run = newRun()
            run.playByHand("--every", "5") shouldBe ExitCode.FINISHED
            val newest = Files.list(run.store).use { all -> all.map { it.name.toIntOrNull() ?: 0 }.toList().max() }
            run.passingOver(newest) {
                loggedBy { runCatching { run.playByHand { error("killed in $it") } } }
            }
            run.playByHand() shouldBe ExitCode.FINISHED
            run.text shouldBe stepLines(0..19)
        }

        test("a restart of the newest save keeps no file") {
            val run = newRun()
            run.playUntilKilledIn(step = 13, "--every", "5")
            run.play() shouldBe ExitCode.FINISHED
            run.names() shouldContainExactly listOf("log.txt")
        }
    })
