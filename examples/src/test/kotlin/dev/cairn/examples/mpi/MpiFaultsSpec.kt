package dev.cairn.examples.mpi

import dev.cairn.examples.lastDigests
import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.and
import dev.cairn.house.needs
import dev.cairn.mpi.MpiRun
import dev.cairn.mpi.signal
import io.kotest.assertions.nondeterministic.eventually
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import java.util.concurrent.TimeUnit.MINUTES
import java.util.concurrent.TimeUnit.SECONDS
import kotlin.io.path.createFile
import kotlin.time.Duration.Companion.minutes

private const val ENDLESS = 1_000_000L
private const val UNFINISHED = 75
private const val SIGKILLED = 137

/** A program under mpirun that is killed or asked to end, and continues as coroutine ranks with the same results. */
class MpiFaultsSpec :
    FunSpec({
        val directory = tempdir().toPath()

        val faults = mutableListOf<Pair<String, suspend () -> Unit>>()

        fun fault(name: String, body: suspend () -> Unit) = faults.add(name to body)

        /** Walks under mpirun without an end, until [saves] checkpoints are there. */
        suspend fun walking(store: Path, saves: Int, vararg options: String): Process {
            val program = Way.MPI.walk(store, ENDLESS, *options)
            eventually(1.minutes) { newestSave(store) shouldBeGreaterThan saves - 1 }
            return program
        }

        /** Continues for some steps, and compares with a program that was never stopped. */
        fun shouldGoOn(store: Path) {
            val until = newestStep(store) + 20
            Way.COROUTINES.walk(store, until).output()
            val unbroken = directory.resolve("${store.fileName}.unbroken")
            Way.ALONE.walk(unbroken, until).output()
            lastDigests(store) shouldBe lastDigests(unbroken)
        }

        fault("a rank is killed while all save again and again") {
            val store = directory.resolve("rank-killed.cairn")
            val program = walking(store, saves = 5, "--every", "1")
            MpiRun.processOf(rank = 1, program).destroyForcibly()
            program.output(SIGKILLED)
            shouldGoOn(store)
        }

        fault("mpirun is killed, and no rank stays behind") {
            val store = directory.resolve("mpirun-killed.cairn")
            val program = walking(store, saves = 5, "--every", "1")
            val ranks = MpiRun.processes(program)
            program.destroyForcibly().waitFor()
            ranks.forEach { it.onExit().get(1, MINUTES) }
            shouldGoOn(store)
        }

        fault("one rank is asked to end, and all do after a save") {
            val store = directory.resolve("rank-asked.cairn")
            val program = walking(store, saves = 1, "--every-seconds", "0.5")
            MpiRun.processOf(rank = PROCESSES - 1, program).signal("TERM")
            program.output(UNFINISHED)
            shouldGoOn(store)
        }

        fault("mpirun is asked to end, and whatever its ranks still save, the next program continues") {
            val store = directory.resolve("mpirun-asked.cairn")
            val program = walking(store, saves = 1, "--every-seconds", "0.5")
            program.toHandle().signal("TERM")
            program.waitFor(30, SECONDS) shouldBe true
            shouldGoOn(store)
        }

        for ((name, asked) in mapOf<String, (Process) -> ProcessHandle>(
            "mpirun" to { it.toHandle() },
            "one rank" to { MpiRun.processOf(rank = PROCESSES - 1, it) },
        )) {
            fault("$name is asked for a save, and the program continues") {
                val store = directory.resolve("save-asked-of-$name.cairn")
                val program = Way.MPI.walk(store, ENDLESS)
                eventually(1.minutes) { MpiRun.processes(program).size shouldBe PROCESSES }
                // Later than the first step, since a process that is not yet listening would die of the signal.
                eventually(1.minutes) { store.toFile().exists() shouldBe true }
                asked(program).signal("USR1")
                eventually(1.minutes) { newestSave(store) shouldBeGreaterThan 0 }
                program.isAlive shouldBe true
                MpiRun.processOf(rank = 0, program).signal("TERM")
                program.output(UNFINISHED)
                shouldGoOn(store)
            }
        }

        fault("a file beside the store asks all to end, and they do after a save") {
            val store = directory.resolve("file-asked.cairn")
            val program = walking(store, saves = 1, "--every-seconds", "0.5")
            directory.resolve("file-asked.cairn.stop").createFile()
            program.output(UNFINISHED)
            shouldGoOn(store)
        }

        val chosen = Campaign.KILLS.someOf(faults)
        for (fault in faults) {
            test(
                fault.first,
            ).config(enabledOrReasonIf = needs { Need.CAMPAIGN.given(fault in chosen) and MpiRun.isThere }) {
                fault.second()
            }
        }
    })
