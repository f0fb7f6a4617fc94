package dev.cairn.examples.guide

import dev.cairn.multifile.readMultifile
import dev.cairn.multifile.writeMultifile
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Fault
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.ranks
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.file.Path

class MultifileUnderTestSpec :
    FunSpec({
        // region multifile
        val spec = MultifileSpec.parallel(Path.of("state.sion")).withBlockSize(512)

        /** What a rank writes: a formula, so that the test knows better than the code. */
        fun state(rank: Int) = ByteArray(100 * rank) { (31 * rank + it).toByte() }

        suspend fun Communicator.save(store: BlockStore) =
            writeMultifile(spec, chunkSize = 64, store) { it.append(ByteBuffer.wrap(state(rank))) }

        test("what seven ranks save is found by three") {
            val store = SimulatedDisk().host("node0")
            ranks(7) { save(store) }

            ranks(3) {
                readMultifile(spec.path(), store) { view ->
                    for (task in rank until view.taskCount() step size) {
                        view.task(task).stream().readAllBytes() shouldBe state(task)
                    }
                }
            }
        }
        // endregion

        // region multifile-faults
        test("after any death the multifile is whole or refused") {
            val endings = mutableMapOf<String, Int>()
            for (seed in 1L..200L) {
                val store = SimulatedDisk().host("node0")
                val plan = RankPlan(count = 7, schedule = Schedule.Deterministic(seed))
                val faults = plan.drawFaults(seed, chance = 0.3, operationCount = 6)

                attemptRanks(plan.withFaults(faults)) { save(store) }

                val found = runCatching { Multifile.open(store, spec.path()) }
                found.onSuccess { view ->
                    view.use {
                        List(7) {
                            view
                                .task(it)
                                .stream()
                                .readAllBytes()
                                .toList()
                        } shouldBe
                            List(7) { state(it).toList() }
                    }
                }
                endings.merge(if (found.isSuccess) "whole" else "refused", 1, Int::plus)
            }
            endings.keys shouldBe setOf("whole", "refused")
            endings.values.min() shouldBeGreaterThan 30
        }
        // endregion
    })
