package dev.cairn.proof.netcdf

import dev.cairn.comm.plan.RankPlan
import dev.cairn.comm.plan.Schedule
import dev.cairn.house.Campaign
import dev.cairn.proof.log.quietly
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.withParent
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import kotlin.random.Random

class NetcdfCrashSpec :
    FunSpec({
        quietly()

        test("wherever the power fails, and on whatever ranks it goes on, the file is that of an unbroken run") {
            val unbroken = SimulatedDisk().withParent().also { Waves().run(it, RankPlan(2)) }
            val expected = unbroken.host("any").bytesOf(Waves.FILE).toList()
            val first = Campaign.seed
            val trials = Campaign.SEEDS.limit(MOST)
            println("NetcdfCrashSpec: $trials seeds from $first")
            var states = 0
            for (seed in first until first + trials) {
                withClue("seed $seed") {
                    val trial = CrashedWaves(Random(seed))
                    trial.crashAndGoOn()
                    trial.disk
                        .host("any")
                        .bytesOf(Waves.FILE)
                        .toList() shouldBe expected
                    states += trial.crashCount
                }
            }
            println("NetcdfCrashSpec: $states states after a failure of the power")
            states shouldBeGreaterThan trials / 2
        }
    }) {
    private companion object {
        const val MOST = 100_000
    }
}

/** A program that the power fails, a few times, before it comes to its end. */
private class CrashedWaves(
    private val random: Random,
) {
    var disk = SimulatedDisk().withParent()
        private set
    var crashCount = 0
        private set

    suspend fun crashAndGoOn() {
        repeat(random.nextInt(1, 4)) {
            val before = disk.operationCount()
            disk.crashAt(before + 1 + random.nextLong(MOST_OPERATIONS))
            val ended = runCatching { run() }
            disk = disk.afterCrash(disk.crashOutcomes().random(random))
            if (ended.isFailure) crashCount++
        }
        run()
    }

    private suspend fun run() {
        val hostCount = random.nextInt(1, 4)
        val plan =
            RankPlan(
                random.nextInt(1, 6),
                Schedule.Deterministic(random.nextLong()),
                hosts = { "node${it % hostCount}" },
            )
        Waves().run(disk, plan, "--every", "${random.nextInt(1, 9)}", "--wait", WAITS.random(random))
    }

    private companion object {
        const val MOST_OPERATIONS = 400L
        val WAITS = listOf("committed", "copied")
    }
}
