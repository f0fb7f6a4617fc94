package dev.cairn.examples.guide

import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.bytesOf
import dev.cairn.ranks.ranks
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class ReportsSpec :
    FunSpec({
        val plan = RankPlan(count = 5, schedule = Schedule.Deterministic(seed = 7))

        // region throws
        test("a rank throws") {
            val failure =
                shouldThrow<RunFailedException> {
                    ranks(plan) {
                        if (rank == 4) error("no more fuel")
                        if (rank == 3) receive(source = 1, tag = 9) else during("save 7").barrier()
                    }
                }
            failure.message shouldBe
                """
                5 ranks, 0 ms: 5 threw
                  ranks 0-2: waits in barrier #1 of world during 'save 7' since 0 ms for ranks 3-4
                  rank 3: waits in receive (tag 9) of world since 0 ms for rank 1
                  rank 4: threw java.lang.IllegalStateException: no more fuel, before its first call
                  then ranks 0-3: threw the same
                To replay, run the same plan with Schedule.Deterministic(seed = 7).
                """.trimIndent()
        }
        // endregion

        // region deadlocks
        test("all ranks wait for the left neighbour, and none sends") {
            val failure =
                shouldThrow<RunFailedException> {
                    ranks(plan) { receive(source = (rank + size - 1) % size, tag = 1) }
                }
            failure.message shouldBe
                """
                5 ranks, 600000 ms: 5 threw
                  rank 0: threw dev.cairn.event.RanksMissingException: receive (tag 1) of world: rank 4 did not arrive (the limit of 10m has passed). rank 4 on host0: waits in receive (tag 1) of world since 0 ms for rank 3, last seen leaving receive (tag 1) of world at 600000 ms
                  rank 1: waits in receive (tag 1) of world since 0 ms for rank 0
                  rank 2: waits in receive (tag 1) of world since 0 ms for rank 1
                  rank 3: waits in receive (tag 1) of world since 0 ms for rank 2
                  rank 4: waits in receive (tag 1) of world since 0 ms for rank 3
                  then ranks 1-4: threw the same
                To replay, run the same plan with Schedule.Deterministic(seed = 7).
                """.trimIndent()
        }
        // endregion

        // region forgets
        test("a rank forgets to receive") {
            val failure =
                shouldThrow<RunFailedException> {
                    ranks(plan) {
                        if (rank == 1) send(target = 3, tag = 17, bytesOf(1L, 2L))
                        barrier()
                    }
                }
            failure.message shouldBe
                """
                5 ranks, 0 ms: 5 returned; messages never received: 1
                  never received: 16 bytes from rank 1 to rank 3, tag 17 of world
                To replay, run the same plan with Schedule.Deterministic(seed = 7).
                """.trimIndent()
        }
        // endregion
    })
