package dev.cairn.examples.mpi

import dev.cairn.house.needs
import dev.cairn.mpi.MpiRun
import dev.cairn.mpi.signal
import io.kotest.assertions.nondeterministic.eventually
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import kotlin.io.path.createFile
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.minutes

private const val REFUSED = 64
private const val DAMAGED = 65
private const val UNSAVED = 74
private const val UNFINISHED = 75

/** How mpirun ends when all ranks end in the same way, and that one of them says why. */
class MpiExitCodesSpec :
    FunSpec({
        val directory = tempdir().toPath()

        /** The lines in which a program says how it ended. */
        fun said(output: String, program: String) =
            output.lines().filter { it.startsWith("$program: ") && "asked to end (TERM)" !in it }

        test("64: a checkpoint that does not fit the program").config(enabledOrReasonIf = needs { MpiRun.isThere }) {
            val store = directory.resolve("unfit.cairn")
            Way.ALONE.walk(store, until = 5).output()
            val output = Way.MPI.walk(store, until = 10, program = PARTICLES).output(REFUSED)
            said(output, "particles") shouldHaveSize 1
        }

        test("65: there are checkpoints, and none is good").config(enabledOrReasonIf = needs { MpiRun.isThere }) {
            val store = directory.resolve("damaged.cairn")
            Way.ALONE.walk(store, until = 5, "--every", "2").output()
            for (save in store.listDirectoryEntries("0*")) {
                val manifest = save.resolve("manifest.json")
                manifest.writeText(manifest.readText().replace("\"step\"", "\"stop\""))
            }
            val output = Way.MPI.walk(store, until = 10).output(DAMAGED)
            said(output, "walk").single() shouldStartWith "walk: $store: it holds 2 checkpoints, and none is good."
        }

        test(
            "74: one rank can write no more, so the last save fails",
        ).config(enabledOrReasonIf = needs { MpiRun.isThere }) {
            val store = directory.resolve("unsaved.cairn")
            val program = Way.MPI.walk(store, Long.MAX_VALUE, "--every-seconds", "0.5")
            eventually(1.minutes) { newestSave(store) shouldBeGreaterThan 0 }
            forbidWriting(MpiRun.processOf(rank = 1, program))
            MpiRun.processOf(rank = PROCESSES - 2, program).signal("TERM")
            val output = program.output(UNSAVED)
            said(output, "walk").single() shouldStartWith
                "walk: the state at the end is not saved; a restart continues from save ${newestSave(store)}, "
        }

        test(
            "75: a rank that is slow at the end still finishes, since all wait for all",
        ).config(enabledOrReasonIf = needs { MpiRun.isThere }) {
            val store = directory.resolve("stopped.cairn")
            val proof = directory.resolve("proof")
            directory.resolve("stopped.cairn.stop").createFile()
            MpiRun.start(PROCESSES, "dev.cairn.examples.mpi.SlowEndKt", "$proof", "--dir", "$store").output(UNFINISHED)
            proof.readText() shouldBe "through"
        }
    })

/** From now on each of its files may be one byte long. */
private fun forbidWriting(process: ProcessHandle) {
    check(ProcessBuilder("prlimit", "--pid", "${process.pid()}", "--fsize=1").inheritIO().start().waitFor() == 0)
}
