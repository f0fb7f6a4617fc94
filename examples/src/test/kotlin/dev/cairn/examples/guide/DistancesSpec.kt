package dev.cairn.examples.guide

import dev.cairn.examples.Graph
import dev.cairn.examples.Reached
import dev.cairn.examples.distances
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Fault
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.testing.RestartTrial
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.time.Duration.Companion.milliseconds

// region distances-test

/** A parallel search, as a project would test it: right on any ranks, in any order, after any death and any restart. */
class DistancesSpec :
    FunSpec({
        val graph = Graph(size = 500)
        val store = Path.of("distances.cairn")
        val expected = distancesByQueue(graph)

        /** What all ranks have found, put together. */
        fun found(parts: List<List<Reached>>) = parts.flatten().associate { it.id to it.distance }

        test("any number of ranks finds what a queue finds") {
            for (count in listOf(1, 2, 3, 7, 64)) {
                val files = SimulatedDisk().host("node0")
                found(ranks(count) { distances(graph, store, files) }) shouldBe expected
            }
        }

        test("the order in which ranks run and messages come changes nothing") {
            for (seed in 1L..30L) {
                val late = listOf(Fault.MessagesAreDelayed(200.milliseconds, seed))
                val plan = RankPlan(count = 5, schedule = Schedule.Deterministic(seed), faults = late)
                val files = SimulatedDisk().host("node0")
                withClue("seed $seed") {
                    found(ranks(plan) { distances(graph, store, files) }) shouldBe expected
                }
            }
        }

        test("a restart changes nothing, on any number of ranks") {
            RestartTrial(rankCount = 4, breakAt = 3, restartOn = listOf(1, 3, 4, 9)).runOwnLoop { attempt ->
                distances(graph, attempt.directory, attempt.files, attempt::isOver)
            }
        }

        test("after any death and a power failure, the next start ends with the right distances") {
            var broken = 0
            for (seed in 1L..60L) {
                val disk = SimulatedDisk()
                val plan = RankPlan(count = 4, schedule = Schedule.Deterministic(seed))
                val faults = plan.drawFaults(seed, chance = 0.3, operationCount = 100)

                val report = attemptRanks(plan.withFaults(faults)) { distances(graph, store, disk.host("node0")) }
                if (!report.isClean) broken++
                disk.crashHost("node0")

                withClue("seed $seed, with $faults") {
                    found(ranks(3) { distances(graph, store, disk.host("node0")) }) shouldBe expected
                }
            }
            broken shouldBeGreaterThan 15
        }
    })

/** The same by the book, on no ranks at all. */
private fun distancesByQueue(graph: Graph): Map<Long, Long> {
    val distances = mutableMapOf(0L to 0L)
    val queue = ArrayDeque(listOf(0L))
    while (queue.isNotEmpty()) {
        val vertex = queue.removeFirst()
        for (next in graph.neighbours(vertex)) {
            if (distances.putIfAbsent(next, distances.getValue(vertex) + 1) == null) queue += next
        }
    }
    return distances
}
// endregion
