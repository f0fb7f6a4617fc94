package dev.cairn.ranks

import dev.cairn.house.Campaign
import dev.cairn.ranks.RankPlan.Schedule
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

/** Four ranks to a host, as fast as they can and one after the other. */
class InProcessCommunicatorSpec :
    FunSpec({
        fun plan(count: Int) = RankPlan(count, hosts = { "node${it / 4}" })

        include(communicatorContract("fast") { count, body -> ranks(plan(count), body) })

        test("ranks that are numerous enough to resume in cohorts meet in the same way") {
            val count = 20_011
            ranks(count) {
                barrier()
                gatherLong(root = 7, rank.toLong()).sum() shouldBe if (rank == 7) count * (count - 1L) / 2 else 0
                broadcastLong(root = count - 1, rank.toLong()) shouldBe count - 1
                exScan(1, neutral = 0, Long::plus) shouldBe rank
                allReduce(rank.toLong(), Math::max) shouldBe count - 1
                split(rank % 2)!!.allReduce(1L, Long::plus) shouldBe (count + 1 - rank % 2) / 2
            }
        }

        include(
            communicatorContract("deterministic") { count, body ->
                val seed = Campaign.seed
                println("InProcessCommunicatorSpec: seed $seed")
                ranks(plan(count).withSchedule(Schedule.Deterministic(seed)), body)
            },
        )
    })
