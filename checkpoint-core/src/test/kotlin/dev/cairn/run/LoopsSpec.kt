package dev.cairn.run

import dev.cairn.Simulation
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException
import dev.cairn.event.ExitCode
import dev.cairn.java.BlockingSimulation
import dev.cairn.proof.log.loggedBy
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.onTransports
import dev.cairn.ranks.ranks
import dev.cairn.runSimulation
import dev.cairn.simulate
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.testing.RestartTrial
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import java.nio.file.Path
import kotlin.time.Duration.Companion.minutes

/** Programs of several loops: a restart finds the right one, or is refused before any step. */
class LoopsSpec :
    FunSpec({
        quietly()
        val directory = tempdir().toPath()

        test("two loops of the same phase are refused on all ranks, when the second one begins") {
            val disk = SimulatedDisk()
            val refusals =
                onTransports(3, 1.minutes) {
                    shouldThrow<CheckpointException.InvalidDeclaration> {
                        simulate("twice", AT, files = disk.host("node")) {
                            var sum by replicated(0L)
                            for (step in steps(until = 4)) sum += 1
                            for (step in steps(until = 6)) error("step $step")
                        }
                    }.message
                }
            refusals.distinct().single() shouldBe
                "the loop without a phase begins a second time, so a restart could not distinguish the two. Give " +
                "each loop a phase of its own: steps(until = …, phase = \"…\"). If the first one keeps its phase, " +
                "its checkpoints still fit."
        }

        test("a trial does not pass such a program, nor does Java") {
            shouldThrow<Exception> {
                RestartTrial(2, 2).run {
                    var sum by replicated(0L)
                    for (step in steps(until = 4)) sum += 1
                    for (step in steps(until = 6)) sum += 100
                }
            }.cause!!::class shouldBe CheckpointException.InvalidDeclaration::class
            BlockingSimulation.run("twice", arrayOf("--dir", "${directory.resolve("twice")}")) {
                val sum = it.replicated(0L).named("sum")
                for (step in it.steps(4, "a")) sum.value += 1
                for (step in it.steps(6, "a")) sum.value += 1
            } shouldBe ExitCode.REFUSED
        }

        test("a loop within a loop is refused before its first step") {
            val disk = SimulatedDisk()
            disk.run {
                for (outer in steps(until = 4)) for (inner in steps(until = 3, phase = "in")) error("$inner")
            } shouldBe ExitCode.REFUSED
            ranks(2) {
                shouldThrow<CheckpointException.InvalidDeclaration> {
                    simulate("nested", AT, files = disk.host("node")) {
                        for (outer in steps(until = 4, phase = "out")) for (inner in steps(until = 3)) error("$inner")
                    }
                }.message
            }.distinct().single() shouldBe
                "the loop without a phase begins in the middle of step 0 of the loop of the phase 'out', and a " +
                "restart could not return to that point. Make the inner loop an ordinary one. To end a loop early, " +
                "call finish() of its steps instead of leaving it by break or return."
        }

        test("a program of two phases that is killed anywhere ends as an unbroken one") {
            for (killedAt in 0L..4) {
                val disk = SimulatedDisk()
                shouldThrow<Exception> { disk.pq(killedIn = "q", at = killedAt) }
                disk.pq() shouldBe 53
                disk.pq() shouldBe 53
            }
        }

        test("phases in another order are refused before any step") {
            val disk = SimulatedDisk().apply { pq() }
            disk.refusalOf {
                for (step in steps(5, "q")) error("step $step")
                for (step in steps(3, "p")) error("step $step")
            } shouldBe
                "save 8 was made in the loop of the phase 'q', but this program has the loop of the phase 'q' " +
                "where that one had the loop of the phase 'p'. No step was done. Give the program the same loops as " +
                "before, in the same order and with the same phases (loops that had ended are skipped), or start " +
                "from the beginning: in another directory, or with the setting fresh = true."
        }

        test("a phase that is new, gone or renamed, before that of the checkpoint, is refused before any step") {
            val disk = SimulatedDisk().apply { pq() }
            val others = listOf(listOf("z"), listOf("z", "p", "q"), listOf("p", "z", "q"), listOf("q"), listOf("", "q"))
            others.forEach { phases ->
                val refusal = disk.refusalOf { for (phase in phases) for (step in steps(9, phase)) error("step $step") }
                refusal shouldStartWith
                    "save 8 was made in the loop of the phase 'q', but this program has the loop"
            }
            disk.pq() shouldBe 53
        }

        test("a program that ends before the phase of its checkpoint is refused at its end") {
            val disk = SimulatedDisk().apply { pq() }
            disk.refusalOf { for (step in steps(3, "p")) error("step $step") } shouldStartWith
                "save 8 was made in the loop of the phase 'q', but the program has not reached such a loop"
        }

        test("a program without any loop is refused at its end where a checkpoint is, unless it begins anew") {
            val disk = SimulatedDisk()
            val noLoop: suspend Simulation.() -> Unit = { }
            disk.run(noLoop) shouldBe ExitCode.FINISHED
            disk.pq()
            disk.refusalOf(noLoop) shouldBe
                "/loops.cairn: save 8 is there, but the program has not reached any loop, where it would restore a " +
                "checkpoint, so its work does not belong to that state. Give the program the same loops as before, " +
                "in the same order and with the same phases (loops that had ended are skipped), or start from the " +
                "beginning: in another directory, or with the setting fresh = true."
            ranks(2) { simulate("loops", AT + "--fresh", files = disk.host("node"), body = noLoop) } shouldBe
                List(2) { ExitCode.FINISHED }
        }

        test("a phase that comes after that of the checkpoint may be new") {
            val disk = SimulatedDisk().apply { pq() }
            val walked = mutableListOf<Long>()
            disk.run {
                var a by replicated(0L)
                for (step in steps(3, "p")) error("step $step")
                for (step in steps(6, "q")) if (rank == 0) walked += step
                for (step in steps(2, "r")) if (rank == 0) walked += step
                a shouldBe 53
            } shouldBe ExitCode.FINISHED
            walked shouldBe listOf(5, 0, 1)
        }

        test("a checkpoint that does not tell which phases were over lets a program skip to its own") {
            val disk = SimulatedDisk()
            ranks(2) {
                checkpoints(Path.of("/loops.cairn"), files = disk.host("node")) { replicated("a", { 33L }, {}) }
                    .use { it.save(step = 3, phase = "q") }
            }
            disk.pq() shouldBe 53
        }

        test("a loop that was walked further than it goes now is told of, once") {
            val disk = SimulatedDisk().apply { pq() }
            val told =
                loggedBy {
                    disk.run {
                        var a by replicated(0L)
                        for (step in steps(3, "p")) error("step $step")
                        for (step in steps(2, "q")) error("step $step")
                        a shouldBe 53
                    } shouldBe ExitCode.FINISHED
                }.filter { it.startsWith("WARNING") }
            told.single() shouldContain
                "save 8 was made after 5 steps, but the loop of the phase 'q' ends at step 2. No step is done, and " +
                "the state is that after step 5."
            loggedBy { disk.pq() }.filter { it.startsWith("WARNING") }.shouldBeEmpty()
        }
    })

private val AT = arrayOf("--dir", "/loops.cairn", "--every", "1")

private suspend fun SimulatedDisk.run(program: suspend Simulation.() -> Unit): ExitCode =
    runSimulation("loops", arrayOf(*AT, "--ranks", "2"), host("node")) { program() }

/** What a program of two phases has added up at its end. */
private suspend fun SimulatedDisk.pq(killedIn: String = "", at: Long = -1): Long {
    var sum = 0L
    run {
        var a by replicated(0L)
        for (step in steps(3, "p")) {
            check(killedIn != "p" || step != at) { "killed" }
            a += 1
        }
        for (step in steps(5, "q")) {
            check(killedIn != "q" || step != at) { "killed" }
            a += 10
        }
        if (rank == 0) sum = a
    }
    return sum
}

/** What all ranks of [program], a restart, are told. */
private suspend fun SimulatedDisk.refusalOf(program: suspend Simulation.() -> Unit): String =
    ranks(2) {
        shouldThrow<CheckpointException.Mismatch> {
            simulate("loops", AT, files = host("node")) {
                val a by replicated(0L)
                check(a == 0L)
                program()
            }
        }.message!!
    }.distinct().single()
