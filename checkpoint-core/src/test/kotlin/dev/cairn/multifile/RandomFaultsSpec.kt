package dev.cairn.multifile

import dev.cairn.comm.Outcome
import dev.cairn.comm.RankPlan
import dev.cairn.comm.RanksMissingException
import dev.cairn.comm.Schedule
import dev.cairn.comm.attemptRanks
import dev.cairn.comm.bytesOf
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.store.SimulatedDisk
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.file.Path
import kotlin.random.Random

/** Ten thousand small parallel programs with random faults; `-Dcairn.campaign.seed=N` runs the ten thousand from N on. */
class RandomFaultsSpec :
    FunSpec({
        test("a parallel program ends in success or with the same error on all ranks, whatever goes wrong") {
            val first = System.getProperty("cairn.campaign.seed")?.toLong() ?: Random.nextLong()
            val histogram = Histogram()
            println("RandomFaultsSpec: $TRIALS seeds from $first")
            for (seed in first until first + TRIALS) {
                runCatching { Trial(seed).run(histogram) }.onFailure { throw AssertionError("seed $seed", it) }
            }
            println(histogram)
            histogram.faults.size shouldBe FAULT_KINDS
            histogram.faults.values.min() shouldBeGreaterThanOrEqual LEAST_STRIKES
            histogram.outcomes.getValue("success") shouldBeGreaterThanOrEqual TRIALS * 3 / 10
        }

        test("a planted deadlock is found, whatever the order") {
            repeat(100) { seed ->
                val report =
                    attemptRanks(RankPlan(3, Schedule.Deterministic(seed.toLong()))) {
                        writeMultifile(SPEC, 100, STORE) { chunks ->
                            // Each waits for its neighbour to speak first.
                            receive((rank + 1) % size, 1)
                            send((rank + 2) % size, 1, bytesOf(chunks.size()))
                        }
                    }
                report.outcomes.forEach { outcome ->
                    outcome.shouldBeInstanceOf<Outcome.Threw>().failure.shouldBeInstanceOf<RanksMissingException>()
                }
            }
        }

        test("a planted lost message is found, whatever the order") {
            repeat(100) { seed ->
                val report =
                    attemptRanks(RankPlan(3, Schedule.Deterministic(seed.toLong()))) {
                        writeMultifile(SPEC, 100, STORE) { if (rank == 1) send(2, 7, bytesOf(it.size())) }
                    }
                report.isClean shouldBe false
                report.unreceived.single().toString() shouldBe
                    "never received: 8 bytes from rank 1 to rank 2, tag 7 of world"
            }
        }
    })

private const val TRIALS = 10_000
private const val LEAST_STRIKES = 200

/** Four of ranks and messages, four of the disk. */
private const val FAULT_KINDS = 8

private val SPEC = MultifileSpec.parallel(Path.of("planted.sion")).withBlockSize(512)
private val STORE = SimulatedDisk().host("node0")
