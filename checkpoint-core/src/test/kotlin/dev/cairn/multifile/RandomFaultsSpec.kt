package dev.cairn.multifile

import dev.cairn.event.RanksMissingException
import dev.cairn.house.Campaign
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunReport.Outcome
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.bytesOf
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.file.Path

/** Very many small parallel programs with random faults; `-Dcairn.seed=N` runs those from N on. */
class RandomFaultsSpec :
    FunSpec({
        test("a parallel program ends in success or with the same error on all ranks, whatever goes wrong") {
            val first = Campaign.seed
            val trials = Campaign.SEEDS.count
            val histogram = Histogram()
            println("RandomFaultsSpec: $trials seeds from $first")
            for (seed in first until first + trials) {
                runCatching { Trial(seed).run(histogram) }.onFailure { throw AssertionError("seed $seed", it) }
            }
            println(histogram)
            histogram.outcomes.getValue("success") shouldBeGreaterThanOrEqual trials * 3 / 10
            if (trials >= ENOUGH_FOR_ALL_FAULTS) {
                histogram.faults.size shouldBe FAULT_KINDS
                histogram.faults.values.min() shouldBeGreaterThanOrEqual trials / 50
            }
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
                report.unreceived.single() shouldBe
                    "never received: 8 bytes from rank 1 to rank 2, tag 7 of world"
            }
        }
    })

/** Of fewer seeds, the rarest fault may strike in none. */
private const val ENOUGH_FOR_ALL_FAULTS = 1_000

/** Four of ranks and messages, four of the disk. */
private const val FAULT_KINDS = 8

private val SPEC = MultifileSpec.parallel(Path.of("planted.sion")).withBlockSize(512)
private val STORE = SimulatedDisk().host("node0")
