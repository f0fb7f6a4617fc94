package dev.cairn.ranks

import dev.cairn.house.Campaign
import dev.cairn.ranks.RankPlan.RunEvent
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunReport.Outcome
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.comparables.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.delay
import java.util.function.Consumer
import kotlin.time.Duration.Companion.milliseconds

/** The same seed gives the same run; another seed usually gives another one. */
class ReplaySpec :
    FunSpec({
        test("the same seed gives the same trace, faults and failures included") {
            val seed = Campaign.seed
            println("ReplaySpec: seed $seed")
            repeat(50) {
                val (first, again) = List(2) { _ -> trace(seed + it) }
                again shouldBe first
            }
        }

        test("seeds give different orders") {
            List(20) { trace(it.toLong()) }.distinct().size shouldBeGreaterThan 15
        }

        test("the outcome of every kind of fault is counted") {
            val histogram = sortedMapOf<String, Int>()
            val seeds = Campaign.SEEDS.limit(1000)
            for (seed in 1L..seeds) {
                val report = attempt(seed) {}
                val ends =
                    report.outcomes
                        .filterIsInstance<Outcome.Threw>()
                        .map { it.failure::class }
                        .distinct()
                histogram.merge(
                    if (ends.isEmpty()) "no rank threw" else ends.joinToString { it.simpleName!! },
                    1,
                    Int::plus,
                )
                report.struckFaults.forEach { histogram.merge(it::class.simpleName!!, 1, Int::plus) }
            }
            println("ReplaySpec: $histogram")
            (histogram.keys - setOf("no rank threw", "RanksMissingException")) shouldBe
                setOf("RankDies", "HostDies", "RankIsSlow", "MessagesAreDelayed")
            histogram.values.min() shouldBeGreaterThan seeds / 10
        }
    })

private fun trace(seed: Long): List<RunEvent> {
    val events = ArrayList<RunEvent>()
    attempt(seed, events::add)
    return events
}

private fun attempt(seed: Long, observer: Consumer<RunEvent>): RunReport<Unit> =
    kotlinx.coroutines.runBlocking {
        val plan = RankPlan(6, Schedule.Deterministic(seed), { "node${it / 2}" }, observer = observer)
        attemptRanks(plan.withFaults(plan.drawFaults(seed, chance = 0.25, operationCount = 16))) { ring() }
    }

/** Some messages, some collectives, some time. */
private suspend fun Communicator.ring() {
    repeat(4) { lap ->
        send((rank + 1) % size, lap, bytesOf(rank.toLong()))
        delay((rank * 10).milliseconds)
        receive((rank + size - 1) % size, lap).getLong(0) shouldBe (rank + size - 1) % size
        allReduce(1L, Long::plus) shouldBe size
    }
}
