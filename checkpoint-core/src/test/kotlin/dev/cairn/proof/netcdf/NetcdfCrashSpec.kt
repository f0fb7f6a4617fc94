package dev.cairn.proof.netcdf

import dev.cairn.house.Campaign
import dev.cairn.multifile.Histogram
import dev.cairn.proof.log.quietly
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import kotlin.random.Random

class NetcdfCrashSpec :
    FunSpec({
        quietly()

        test(
            "whatever breaks a program off, on whatever branch and ranks it goes on, each file is that of an unbroken run",
        ) {
            val unbroken = UnbrokenCourses()
            val histogram = Histogram()
            val first = Campaign.seed
            val trials = Campaign.SEEDS.limit(MOST) / 10
            println("NetcdfCrashSpec: $trials seeds from $first")
            var states = 0
            for (seed in first until first + trials) {
                val trial = CrashedWaves(Random(seed), unbroken, histogram)
                withClue("seed $seed") { trial.flaw() shouldBe null }
                states += trial.crashCount
            }
            println("NetcdfCrashSpec: $states programs did not come to their ends")
            println(histogram)
            states shouldBeGreaterThan trials / 2
        }
    }) {
    private companion object {
        /** A seed takes as long as several of other campaigns. */
        const val MOST = 500_000
    }
}
