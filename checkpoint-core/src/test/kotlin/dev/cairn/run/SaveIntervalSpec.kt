package dev.cairn.run

import dev.cairn.house.Campaign
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.shouldBe
import kotlin.math.ln
import kotlin.math.pow
import kotlin.random.Random
import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit.MINUTES
import kotlin.time.DurationUnit.SECONDS

/** How often saves cost least. */
class SaveIntervalSpec :
    FunSpec({
        test("the figures of Daly's paper for saves of five minutes, which are computing times without the save") {
            bestInterval(5.minutes, 24.hours).toDouble(MINUTES) shouldBe (117.0 plusOrMinus 0.5)
            bestInterval(5.minutes, 6.hours).toDouble(MINUTES) shouldBe (57.0 plusOrMinus 0.5)
            bestInterval(5.minutes, 15.minutes).toDouble(MINUTES) shouldBe (9.1 plusOrMinus 0.05)
        }

        test("saves that take twice the time between failures, or longer, are that time apart") {
            bestInterval(2.hours, 1.hours) shouldBe 1.hours
            bestInterval(5.hours, 1.hours) shouldBe 1.hours
        }

        test("for short saves the interval is nearly Young's, the root of twice the product") {
            bestInterval(1.seconds, 1_000_000.seconds).toDouble(SECONDS) shouldBe (2_000_000.0.pow(0.5) plusOrMinus 1.0)
        }

        test("simulated runs lose at most a twentieth more than with the best interval that can be found") {
            val seed = Campaign.seed
            println("SaveIntervalSpec: seed $seed")
            val shares = listOf(0.00001, 0.0003, 0.003, 0.03, 0.1, 0.3, 0.7)
            val machines =
                listOf(10.minutes, 3.hours, 24.hours, 720.hours).flatMap { failures ->
                    shares.map { share -> failures to failures * share }
                }
            for ((failures, save) in Campaign.PROGRAMS.someOf(machines)) {
                val restart = save
                val chosen = SaveInterval(failures, overhead = null).apply { waited(save) }.length
                val best =
                    (-40..40).minOf { lossOf(chosen * 1.05.pow(it), save, restart, failures, Random(seed)) }
                withClue("seed $seed, failures every $failures, saves of $save, interval $chosen") {
                    val loss = lossOf(chosen, save, restart, failures, Random(seed))
                    loss shouldBeLessThan best * 1.05
                    // Other intervals do matter, or the comparison would show nothing.
                    best * 1.1 shouldBeLessThan lossOf(chosen * 3.0, save, restart, failures, Random(seed))
                }
            }
        }

        test("the first save comes after a minute, and earlier only where failures do") {
            SaveInterval(24.hours, null).length shouldBe 1.minutes
            SaveInterval(10.seconds, null).length shouldBe 10.seconds
        }

        test("the interval follows the mean of the last eight waits") {
            val interval = SaveInterval(24.hours, null)
            repeat(8) { interval.waited(1.minutes) }
            interval.length shouldBe bestInterval(1.minutes, 24.hours)
            repeat(8) { interval.waited(if (it % 2 == 0) 6.minutes else 4.minutes) }
            interval.length shouldBe bestInterval(5.minutes, 24.hours)
        }

        test("saves take no more of the time than the bound allows") {
            val interval = SaveInterval(1.hours, overhead = 0.02).apply { waited(1.minutes) }
            interval.length.toDouble(SECONDS) shouldBe (49.minutes.toDouble(SECONDS) plusOrMinus 0.01)
            interval.share shouldBe (0.02 plusOrMinus 1e-9)
            SaveInterval(1.hours, overhead = 0.9).apply { waited(1.minutes) }.length shouldBe
                bestInterval(1.minutes, 1.hours)
        }

        test("a save in the background is committed before the next one begins") {
            val interval = SaveInterval(1.hours, null)
            interval.waited(1.seconds)
            interval.committed(20.minutes)
            interval.length shouldBe 20.minutes - 1.seconds
        }
    })

/**
 * The share of the time of computing that saves, lost work and restarts add to it, in a long run with failures at random. The time
 * since the last event does not change the chance of the next, so each failure is drawn anew.
 */
private fun lossOf(interval: Duration, save: Duration, restart: Duration, failures: Duration, random: Random): Double {
    val scale = failures.toDouble(SECONDS)
    val segment = (interval + save).toDouble(SECONDS)
    var time = 0.0
    var work = 0.0
    repeat(FAILURES) {
        val failure = -scale * ln(1 - random.nextDouble())
        time += failure + restart.toDouble(SECONDS)
        work += (failure / segment).toLong() * interval.toDouble(SECONDS)
    }
    return (time - work) / work
}

private const val FAILURES = 40_000
