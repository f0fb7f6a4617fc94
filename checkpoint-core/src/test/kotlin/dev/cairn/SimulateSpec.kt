package dev.cairn

import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.ExitCode
import dev.cairn.faces.FaceInJava
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.RunEvent
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.readWhole
import dev.cairn.testing.RestartTrial
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path

/** Programs whose loop Cairn keeps, on ranks that a test has planned. */
class SimulateSpec :
    FunSpec({
        quietly()
        val expected = (0L until 12).joinToString("") { "step $it: ${it * (it + 1) / 2}\n" }

        fun diskWithFolder(): SimulatedDisk =
            SimulatedDisk().also { disk ->
                disk.host("node0").run {
                    makeDirectory(Path.of("out"))
                    forceDirectory(Path.of(""))
                }
            }

        test("whichever rank dies, and although the power fails then, the output ends as if nothing had happened") {
            var broken = 0
            for (seed in 1L..60L) {
                val disk = diskWithFolder()
                val plan = RankPlan(count = 4, schedule = Schedule.Deterministic(seed))
                val faults = plan.drawFaults(seed, chance = 0.3, operationCount = 100)
                val report = attemptRanks(plan.withFaults(faults)) { sums(disk.host("node0")) }
                if (!report.isClean) broken++
                disk.crashHost("node0")
                withClue("seed $seed, with $faults") {
                    ranks(3) { sums(disk.host("node0")) } shouldBe List(3) { ExitCode.FINISHED }
                    disk.host("node0").readWhole(LOG, 1 shl 20)!!.decodeToString() shouldBe expected
                }
            }
            broken shouldBeGreaterThan 8
        }

        test("a file for each of the planned hosts") {
            val disk = diskWithFolder()
            val plan = RankPlan(count = 4, hosts = { "node${it / 2}" })
            ranks(plan) { sums(disk.host("node0"), "--files", "per-host") }
            manifestOf(disk.host("node0"), Path.of("sums.cairn"), 4).hints.fileCount shouldBe 2
        }

        test("another number of ranks than there are is refused") {
            val disk = diskWithFolder()
            ranks(2) {
                val failure = shouldThrow<InvalidDeclaration> { sums(disk.host("node0"), "--ranks", "3") }
                "${failure.message}" shouldContain
                    "command line: ranks cannot be '3', since the simulation runs on the 2 ranks of world."
                sums(disk.host("node0"), "--ranks", "2") shouldBe ExitCode.FINISHED
            }
        }

        test(
            "programs in Java run on the ranks of a test, too, and in a deterministic run a seed decides what they do",
        ) {
            fun eventsOf(seed: Long): List<RunEvent> {
                val disk = diskWithFolder()
                val events = mutableListOf<RunEvent>()
                val plan = RankPlan(3, Schedule.Deterministic(seed), observer = events::add)
                FaceInJava.sums(plan, disk.host("node0"), LOG) shouldBe List(3) { ExitCode.FINISHED }
                disk.host("node0").readWhole(LOG, 1 shl 20)!!.decodeToString() shouldBe expected
                return events
            }
            for (seed in 1L..5L) eventsOf(seed) shouldBe eventsOf(seed)
            eventsOf(1) shouldNotBe eventsOf(2)
            val disk = diskWithFolder()
            FaceInJava.sums(RankPlan(3), disk.host("node0"), LOG) shouldBe List(3) { ExitCode.FINISHED }
        }

        test("in a trial, outputs may be in directories that do not exist") {
            val folder = tempdir().toPath().resolve("not/yet/there")
            RestartTrial(rankCount = 3, breakAt = 4, restartOn = listOf(2, 3)).run {
                var sum by replicated(0L)
                val log by output(folder.resolve("log.txt"))
                val other by output(Path.of("some/where.txt"))
                for (step in steps(until = 8)) {
                    sum += ranks.allReduce(step, Math::max)
                    log.line("$step $sum")
                    other.line("$step")
                }
            }
        }

        test("a number without a point or an L is an Int") {
            suspend fun run(files: BlockStore) =
                ranks(2) {
                    simulate("ints", files = files) {
                        var n by replicated(5)
                        var visits by accumulator(0, Int::plus)
                        for (step in steps(until = 3)) {
                            n += 1
                            visits += 1
                        }
                        val expectedInt: Int = n
                        expectedInt shouldBe 8
                        visits shouldBe 3
                    }
                }
            val files = SimulatedDisk().host("node0")
            run(files)
            run(files)
        }
    })

private val LOG = Path.of("out/log.txt")

// region simulate

/** The program, on the ranks and files of a test. */
private suspend fun Communicator.sums(files: BlockStore, vararg options: String): ExitCode =
    simulate("sums", arrayOf("--every", "3", *options), files = files) {
        var sum by replicated(0L)
        val log by output(LOG)
        for (step in steps(until = 12)) {
            sum += ranks.allReduce(if (rank == 0) step else 0, Long::plus)
            log.line("step $step: $sum")
        }
    }
// endregion
