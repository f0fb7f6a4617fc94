package dev.cairn.proof.state

import dev.cairn.checkpoints
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.grid.shape
import dev.cairn.grid.tiling
import dev.cairn.house.Campaign
import dev.cairn.proof.failure.fill
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.ranks
import dev.cairn.ranks.runRanks
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.DIRECTORY
import dev.cairn.store.withParent
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

/**
 * State of every kind goes from each number of ranks up to 16 to each, in a fast build up to a smaller one, and from very many
 * to few. What must come back are formulas over global numbers, ids and ranks.
 */
class EveryPairSpec :
    FunSpec({
        quietly()
        val large = listOf(1 to 50, 50 to 1, 47 to 31, 1000 to 7, 7 to 1000)

        test("rows, sums, objects, streams and outputs go from any number of ranks to any other") {
            for (writers in 1..MOST) {
                val disk = diskOf(writers)
                for (readers in 1..MOST) disk.requireDust(writers, readers)
            }
        }

        for ((writers, readers) in large) {
            test("rows, sums, objects, streams and outputs go from $writers ranks to $readers") {
                diskOf(writers).requireDust(writers, readers)
            }
        }

        test("fields of any type, shape and blocks go from any number of ranks to any other") {
            withRandom { random ->
                for (writers in 1..MOST) {
                    for (readers in 1..MOST) {
                        val shape = random.shape(maxCells = 300)
                        val sample = Sample.entries.random(random)
                        val (stored, wanted) = random.tiling(shape, writers) to random.tiling(shape, readers)
                        withClue("$sample of $shape from $stored to $wanted") {
                            val disk = SimulatedDisk().withParent()
                            runRanks(onOneHost(writers)) {
                                val state = TypedState(stored[rank], shape, listOf(sample), Sample::cells)
                                with(state) { open(DIRECTORY, disk.host(host)) }.use { it.save(1) }
                            }
                            runRanks(onOneHost(readers)) {
                                val state = TypedState(wanted[rank], shape, listOf(sample)) { box, _ -> blank(box) }
                                with(state) { open(DIRECTORY, disk.host(host)) }.use { it.restore() }
                                state.isRight() shouldBe true
                            }
                        }
                    }
                }
            }
        }

        for ((writers, readers) in large) {
            test("fields of all types go from $writers ranks to $readers, from rows to blocks") {
                val shape = Shape.of(61, 5, 7)
                val disk = SimulatedDisk().withParent()
                ranks(onOneHost(writers)) {
                    val boxes = Decomposition.rows(shape, size).boxes(rank)
                    with(
                        TypedState(boxes, shape, fill = Sample::cells),
                    ) { open(DIRECTORY, disk.host(host)) }.use { it.save(1) }
                }
                ranks(onOneHost(readers)) {
                    val state =
                        TypedState(Decomposition.blocks(shape, size).boxes(rank), shape) { box, _ -> blank(box) }
                    with(state) { open(DIRECTORY, disk.host(host)) }.use { it.restore() }
                    state.isRight() shouldBe true
                }
            }
        }

        test("a program that wants one item of all gets it, on any number of ranks") {
            for (writers in 1..MOST) {
                val disk = diskOf(writers)
                for (readers in listOf(1, 2, 7, writers, MOST)) {
                    val masses =
                        ranks(onOneHost(readers)) {
                            var mass = -1L
                            checkpoints(DIRECTORY, SMALL_OPTIONS, disk.host(host)) {
                                accumulator("mass", { mass }, { mass = it }, 0L, Long::plus)
                                listOf("dust", "hits", "marks", "note", "noise", "log", "energies").forEach(::removed)
                            }.use { it.restore() }
                            mass
                        }
                    val parts = List(writers) { DustState.massOf(it, 2) }
                    masses shouldBe if (readers == writers) parts else List(readers) { if (it == 0) parts.sum() else 0 }
                }
            }
        }
    })

private val MOST = Campaign.RANKS.count

private fun onOneHost(rankCount: Int) = RankPlan(rankCount, hosts = { "node0" })

/** Two checkpoints, so that the output has gone on since the first one. */
private suspend fun diskOf(writers: Int): SimulatedDisk {
    val disk = SimulatedDisk().withParent()
    ranks(onOneHost(writers)) { saveKnown(Known.DUST, disk.host(host), 1L..2L) }
    return disk
}

private suspend fun SimulatedDisk.requireDust(writers: Int, readers: Int) =
    withClue("from $writers ranks to $readers") {
        ranks(onOneHost(readers)) { restoreKnown(Known.DUST, host(host)) } shouldBe
            List(readers) { Restored(2, 2, writers) }
    }
