package dev.cairn.item

import dev.cairn.Checkpoints
import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException
import dev.cairn.grid.RandomStreams
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.ranks
import dev.cairn.ranks.runRanks
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.file.Path

class AccumulatorsSpec :
    FunSpec({
        test("parts stay where they were on as many ranks, and are merged on rank 0 of any others") {
            withRandom { random ->
                repeat(20) {
                    val writers = random.nextInt(1, 14)
                    val readers = random.nextInt(1, 14)
                    val disk = SimulatedDisk()

                    fun run(rankCount: Int, first: (Int) -> List<Int>, act: suspend (Checkpoints) -> Unit) =
                        runRanks(RankPlan(rankCount)) {
                            var part = first(rank)
                            checkpoints(Path.of("sum"), files = disk.host(host)) {
                                accumulator("sum", { part }, { part = it }, emptyList(), List<Int>::plus)
                            }.use { act(it) }
                            part
                        }
                    run(writers, { listOf(it, it * it) }) { it.save(1) }
                    run(readers, { listOf(-1) }) { it.restore() } shouldBe
                        List(readers) { rank ->
                            when {
                                readers == writers -> listOf(rank, rank * rank)
                                rank == 0 -> (0 until writers).flatMap { listOf(it, it * it) }
                                else -> emptyList()
                            }
                        }
                }
            }
        }

        test("a value of another kind does not become an accumulator") {
            val disk = SimulatedDisk()

            suspend fun Communicator.open(declare: StateBuilder.() -> Unit) =
                checkpoints(Path.of("sum"), files = disk.host(host), declare = declare)
            ranks(2) { open { perRank("sum", { 1 }, {}) }.use { it.save(1) } }
            ranks(2) {
                val open = open { accumulator("sum", { 1 }, {}, 0, Int::plus) }
                shouldThrow<CheckpointException> { open.use { it.restore() } }.cause!!.message shouldBe
                    "save 1 holds 'sum' as a perRank of cbor, but the program declares 'sum' as an accumulator of " +
                    "cbor. Declare it as it was stored, or give the new one another name."
            }
        }

        test("random streams continue with the seed of the checkpoint, on any ranks") {
            val disk = SimulatedDisk()
            val seed = 0x0123456789abcdefL
            for ((rankCount, first) in listOf(4 to seed, 3 to 1L, 4 to 2L, 1 to 3L)) {
                ranks(rankCount) {
                    val streams = RandomStreams(first)
                    checkpoints(Path.of("noise"), files = disk.host(host)) { randomStreams("noise", streams) }.use {
                        if (first == seed) it.save(1) else it.restore()
                    }
                    streams.bits(7, 8, 9) shouldBe RandomStreams(seed).bits(7, 8, 9)
                }
            }
        }

        test("random streams with different seeds are not saved") {
            val disk = SimulatedDisk()
            ranks(2) {
                val streams = RandomStreams(rank.toLong())
                val open = checkpoints(Path.of("noise"), files = disk.host(host)) { randomStreams("noise", streams) }
                shouldThrow<CheckpointException> { open.use { it.save(1) } }.cause!!.message shouldBe
                    "'noise' is declared as replicated, so all ranks should have the same value, but rank 1 and " +
                    "rank 0 do not. Nothing was saved: make it the same, or declare it as perRank."
            }
        }
    })
