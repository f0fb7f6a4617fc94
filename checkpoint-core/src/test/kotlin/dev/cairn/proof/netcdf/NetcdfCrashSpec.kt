package dev.cairn.proof.netcdf

import dev.cairn.house.Campaign
import dev.cairn.proof.log.quietly
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import kotlin.random.Random

class NetcdfCrashSpec :
    FunSpec({
        quietly()

        test("wherever the power fails, and on whatever ranks it goes on, the file is that of an unbroken run") {
            val unbroken = UnbrokenWaves()
            val first = Campaign.seed
            val trials = Campaign.SEEDS.limit(MOST) / 5
            println("NetcdfCrashSpec: $trials seeds from $first")
            var states = 0
            for (seed in first until first + trials) {
                val trial = CrashedWaves(Random(seed), unbroken)
                withClue("seed $seed") { trial.flaw() shouldBe null }
                states += trial.crashCount
            }
            println("NetcdfCrashSpec: $states states after a failure of the power")
            states shouldBeGreaterThan trials / 2
        }
    }) {
    private companion object {
        /** A seed takes as long as several of other campaigns. */
        const val MOST = 500_000
    }
}
