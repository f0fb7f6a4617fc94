package dev.cairn.java

import dev.cairn.event.RankFailedException
import dev.cairn.ranks.MemoryNetwork
import dev.cairn.ranks.NOTHING
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Fault
import dev.cairn.ranks.RankPlan.RunEvent
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.bytesOf
import dev.cairn.ranks.collectively
import dev.cairn.ranks.everyRank
import dev.cairn.ranks.exScan
import dev.cairn.ranks.receive
import dev.cairn.ranks.send
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.ThrowingConsumer
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.withContext
import java.nio.file.Path
import java.time.Duration
import java.util.concurrent.ConcurrentLinkedQueue

/** Ranks that block threads, as Java has them. */
class BlockingRanksSpec :
    FunSpec({
        for (schedule in listOf(Schedule.Fast(), Schedule.Deterministic(11))) {
            val plan = RankPlan(5).withSchedule(schedule)

            test("$schedule: blocking ranks meet, send and scan") {
                BlockingRanks.call(plan) { ranks ->
                    ranks.send((ranks.rank + 1) % ranks.size, 1, bytesOf(ranks.rank.toLong()))
                    val heard = ranks.receive((ranks.rank + 4) % ranks.size, 1).getLong(0)
                    val half = ranks.split(ranks.rank % 2, ranks.rank)!!
                    ranks.exScan(heard, 0, Long::plus) + 1000L * half.size
                } shouldBe listOf(3000L, 2004L, 3004L, 2005L, 3007L)
            }

            test("$schedule: a blocking rank that fails ends the run for all") {
                val failure =
                    shouldThrow<RunFailedException> {
                        BlockingRanks.run(plan) { ranks ->
                            if (ranks.rank == 3) error("no more fuel")
                            ranks.during("save 7", Duration.ofHours(1)).barrier()
                        }
                    }
                failure.message shouldContain "rank 3: threw java.lang.IllegalStateException: no more fuel"
            }

            test("$schedule: a blocking rank that dies is missed") {
                val failure =
                    shouldThrow<RunFailedException> {
                        BlockingRanks.run(plan.withFaults(listOf(Fault.RankDies(1, 2)))) { ranks ->
                            repeat(3) { ranks.barrier() }
                        }
                    }
                failure.message shouldContain "barrier #2 of world: rank 1 did not arrive"
            }
        }

        test("without a launcher every rank is a thread of this process") {
            val sums = ConcurrentLinkedQueue<Long>()
            BlockingRanks.everyRank(3) { ranks -> sums += ranks.sumOfNumbers() }
            sums.toList() shouldBe listOf(6L, 6L, 6L)
        }

        test("a transport's ranks may block, too") {
            val network = MemoryNetwork(3)
            val sums =
                withContext(Dispatchers.IO) {
                    List(3) { async { BlockingCommunicator.connect(network.transport(it)).sumOfNumbers() } }.awaitAll()
                }
            sums shouldBe listOf(6L, 6L, 6L)
        }

        test(
            "a function that Cairn runs within a call is refused when it calls Cairn again, and does not wait for ever",
        ) {
            val nested =
                mapOf<String, (BlockingCommunicator) -> Any>(
                    "work" to { ranks -> ranks.collectively("count") { ranks.allReduce(1, Long::plus) } },
                    "a supplier" to { ranks ->
                        val total = { ranks.allReduce(1, Long::plus) }
                        val disk = SimulatedDisk().host("node0")
                        BlockingCheckpoints
                            .open(ranks.split(ranks.rank, 0)!!, Path.of("nested.cairn"), files = disk) {
                                it.replicated("total", total, { })
                            }.use { it.save(1) }
                    },
                )
            for ((name, body) in nested) {
                for (play in listOf<(ThrowingConsumer<BlockingCommunicator>) -> Unit>(
                    { BlockingRanks.everyRank(2, it) },
                    { BlockingRanks.run(RankPlan(2, Schedule.Deterministic(3)), it) },
                )) {
                    withClue(name) {
                        play { ranks ->
                            shouldThrow<RankFailedException> { body(ranks) }.message shouldContain
                                "It is in the middle of that call and would wait for itself"
                            ranks.barrier()
                        }
                    }
                }
            }
        }

        test("blocking ranks replay from their seed") {
            fun trace(): List<RunEvent> {
                val events = ArrayList<RunEvent>()
                val plan = RankPlan(6, Schedule.Deterministic(99), observer = events::add)
                BlockingRanks.call(plan) { ranks ->
                    ranks.send((ranks.rank + 1) % 6, 1, NOTHING)
                    ranks.receive((ranks.rank + 5) % 6, 1)
                    ranks.barrier()
                }
                return events
            }
            trace() shouldBe trace()
        }
    })

private fun BlockingCommunicator.sumOfNumbers() = allReduce(rank + 1L, Long::plus)
