package dev.cairn.proof.behind

import dev.cairn.house.Campaign
import dev.cairn.multifile.Histogram
import dev.cairn.proof.log.quietly
import dev.cairn.proof.netcdf.MissingMend
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.nulls.shouldNotBeNull

/** Very many small programs that save behind their backs, with random faults; `-Dcairn.seed=N` runs those from N on. */
class AsyncFaultsSpec :
    FunSpec({
        quietly()

        test("whatever goes wrong, the ranks agree on the end, and the next program has all that was committed") {
            val first = Campaign.seed
            val trials = Campaign.SEEDS.limit(MOST)
            val histogram = Histogram()
            println("AsyncFaultsSpec: $trials seeds from $first")
            for (seed in first until first + trials) {
                val trial = AsyncTrial(seed)
                runCatching { trial.run(histogram) }.onFailure { throw AssertionError("seed $seed: $trial", it) }
            }
            println(histogram)
            histogram.outcomes.getValue("program: success") shouldBeGreaterThanOrEqual trials * 3 / 10
            if (trials >= ENOUGH_FOR_ALL) {
                histogram.outcomes.keys shouldContainAll OUTCOMES
                histogram.faults.keys shouldContainAll FAULTS
            }
        }

        for ((mend, first) in FOUND_SOON) {
            test("without the mend of $mend the smallest campaign finds a program that has lost something") {
                val found =
                    (first until first + Campaign.SEEDS.small / 10).firstNotNullOfOrNull { seed ->
                        flawOf(seed, mend)?.takeIf { flawOf(seed, mend = null) == null }?.let { "seed $seed: $it" }
                    }
                println("AsyncFaultsSpec: $mend, found with $found")
                found.shouldNotBeNull()
            }
        }
    })

private suspend fun flawOf(seed: Long, mend: MissingMend?): Throwable? =
    runCatching { AsyncTrial(seed, mend).run(Histogram()) }.exceptionOrNull()

/** From these seeds on, so that a build need not look for long. */
private val FOUND_SOON =
    mapOf(MissingMend.MARKS_WITHOUT_DIGEST to 90L, MissingMend.FEWER_RECORDS_THAN_WRITTEN to 40L)

/** A seed takes as long as thirty of `RandomFaultsSpec`. */
private const val MOST = 100_000

/** Of fewer seeds, the rarest fault may strike in none. */
private const val ENOUGH_FOR_ALL = 10_000

private val OUTCOMES =
    listOf("Saved", "Copied", "Failed", "Skipped", "given up").map { "save: $it" } + "program: RanksMissingException"

private val FAULTS =
    listOf("RankDies", "HostDies", "RankIsSlow", "MessagesAreDelayed", "disk: full") +
        listOf("OPEN", "CREATE", "READ", "WRITE", "FORCE", "FORCE_DIRECTORY", "RENAME", "DELETE")
            .flatMap { listOf("disk: $it once", "disk: $it for ever") }
