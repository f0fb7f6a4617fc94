package dev.cairn.examples.guide

import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.ranks
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveAtLeastSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldEndWith
import kotlinx.coroutines.delay
import kotlin.time.Duration.Companion.days

class SeededOrderSpec :
    FunSpec({
        // region order

        /** In which order four ranks get to a line that nothing orders. */
        suspend fun orderOfArrival(seed: Long): List<Int> {
            val arrived = mutableListOf<Int>()
            ranks(RankPlan(4, Schedule.Deterministic(seed))) { arrived += rank }
            return arrived
        }

        test("the same seed gives the same order") {
            orderOfArrival(seed = 42) shouldBe orderOfArrival(seed = 42)
        }

        test("among a hundred seeds most of the 24 orders come up") {
            List(100) { orderOfArrival(it.toLong()) }.distinct() shouldHaveAtLeastSize 13
        }
        // endregion

        // region replay
        test("a run that fails says how to see it again") {
            val failure =
                shouldThrow<RunFailedException> {
                    ranks(RankPlan(4, Schedule.Deterministic(seed = 42))) { check(rank != 3) { "no more fuel" } }
                }
            failure.message shouldEndWith "To replay, run the same plan with Schedule.Deterministic(seed = 42)."
        }
        // endregion

        // region clock
        test("a simulated day takes no time") {
            val report =
                attemptRanks(RankPlan(4, Schedule.Deterministic())) {
                    delay(1.days)
                    barrier()
                }
            report.millis shouldBe 1.days.inWholeMilliseconds
        }
        // endregion
    })
