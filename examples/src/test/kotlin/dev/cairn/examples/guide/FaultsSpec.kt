package dev.cairn.examples.guide

import dev.cairn.event.RanksMissingException
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Fault
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunReport.Outcome
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.attemptRanks
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlin.time.Duration.Companion.seconds

class FaultsSpec :
    FunSpec({
        // region by-hand
        test("a rank that dies is missed by the others") {
            val plan =
                RankPlan(
                    count = 4,
                    schedule = Schedule.Deterministic(seed = 1),
                    faults = listOf(Fault.RankDies(rank = 2, operation = 3)),
                )

            val report = attemptRanks(plan) { repeat(5) { barrier() } }

            report.outcomes[2] shouldBe Outcome.Died
            val seenByRank0 = (report.outcomes[0] as Outcome.Threw).failure
            seenByRank0
                .shouldBeInstanceOf<RanksMissingException>()
                .absentees
                .map { it.rank } shouldBe
                listOf(2)
        }
        // endregion

        // region slow
        test("slow ranks and late messages change the time, not the result") {
            val plan =
                RankPlan(
                    count = 4,
                    schedule = Schedule.Deterministic(seed = 1),
                    faults =
                        listOf(
                            Fault.RankIsSlow(rank = 0, time = 30.seconds),
                            Fault.MessagesAreDelayed(time = 2.seconds, seed = 5),
                        ),
                )

            attemptRanks(plan) { passRight(10L * rank) }.results() shouldBe listOf(30L, 0L, 10L, 20L)
        }
        // endregion

        // region drawn
        test("under any fault, the sum is right or all ranks know that it is missing") {
            val plan = RankPlan(count = 6, hosts = { "node${it / 2}" })
            var clean = 0
            for (seed in 1L..200L) {
                val faults = plan.drawFaults(seed, chance = 0.2, operationCount = 10)
                val seeded = plan.withSchedule(Schedule.Deterministic(seed)).withFaults(faults)

                val report = attemptRanks(seeded) { List(10) { allReduce(1L, Long::plus) } }

                if (report.isClean) clean++
                for (outcome in report.outcomes) {
                    when (outcome) {
                        is Outcome.Returned -> outcome.value.distinct() shouldBe listOf(6L)
                        is Outcome.Threw -> outcome.failure.shouldBeInstanceOf<RanksMissingException>()
                        Outcome.Died, Outcome.Stopped -> report.struckFaults.size shouldBeGreaterThan 0
                    }
                }
            }
            clean shouldBeGreaterThan 50
        }
        // endregion

        test("the same seed draws the same faults, and other hosts are named by what the plan calls them") {
            val plan = RankPlan(count = 6, hosts = { "node${it / 2}" })

            fun kinds(seed: Long) = plan.drawFaults(seed, chance = 1.0, operationCount = 10)

            kinds(9) shouldBe kinds(9)
            kinds(9).map { it::class } shouldContainExactlyInAnyOrder
                listOf(
                    Fault.RankDies::class,
                    Fault.HostDies::class,
                    Fault.RankIsSlow::class,
                    Fault.MessagesAreDelayed::class,
                )
        }
    })
