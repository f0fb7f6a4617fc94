package dev.cairn.run

import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.house.Campaign
import dev.cairn.options.Triggers
import dev.cairn.proof.log.loggedBy
import dev.cairn.ranks.ranks
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.comparables.shouldBeGreaterThan
import io.kotest.matchers.comparables.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.time.Instant
import java.util.logging.Level
import java.util.logging.Logger
import kotlin.random.Random
import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TestTimeSource
import kotlin.time.toJavaDuration

/** A run saves and stops before its job ends. */
class JobWatchSpec :
    FunSpec({
        test("whatever steps and saves take, the last save is complete before the job ends, and not much earlier") {
            val seed = Campaign.seed
            println("JobWatchSpec: seed $seed")
            val random = Random(seed)
            val logger = Logger.getLogger(CHECKPOINTS_LOGGER).apply { level = Level.OFF }
            repeat(300) { round ->
                val total = random.nextLong(60, 100_000).seconds
                val save = total * random.nextDouble(0.0001, 0.04)
                val step = total * Math.pow(10.0, random.nextDouble(-4.0, -1.5))
                val every = listOf(null, 1L, 7L, 1000L).random(random)
                val run = Played(total, Triggers(every, listOf(null, total.inWholeSeconds / 9.0).random(random)))
                withClue("seed $seed, round $round: $total, save $save, step $step, every $every") {
                    run.play(
                        step = { step * random.nextDouble(0.9, 1.1) },
                        save = { save * random.nextDouble(0.9, 1.1) },
                    )
                    run.left shouldBeGreaterThan Duration.ZERO
                    // A save and a half, another one that was due, steps of up to 1.3 times their length, and the end.
                    run.leftAtStop shouldBeLessThan save * 3 + step * 3 + minOf(20.seconds, total / 20) + 1.seconds
                }
            }
            logger.level = null
        }

        test("with steps of half an hour, it stops a step before the end") {
            val run = Played(24.hours, Triggers(everySteps = 1))
            run.play(step = { 30.minutes }, save = { 2.minutes })
            run.leftAtStop shouldBeLessThan 30.minutes + 2.minutes * 2.5 + 20.seconds + 32.minutes
            run.left shouldBeGreaterThan Duration.ZERO
        }

        test("without any other save, one is made in time to see how long it takes") {
            val run = Played(1.hours, Triggers())
            run.play(step = { 1.seconds }, save = { 3.minutes })
            run.saveCount shouldBe 2
            run.left shouldBeGreaterThan Duration.ZERO
        }

        test("a program saves after at least one step, even if there is no time for it") {
            val run = Played(10.seconds, Triggers())
            val lines = loggedBy { run.play(step = { 15.seconds }, save = { 1.seconds }) }
            run.stepCount shouldBe 1
            run.saveCount shouldBe 1
            lines.last() shouldContain "WARNING: after step 1 the program saves and stops, which may be too late"
        }

        test("the log tells when the job ends, when the program will stop, and at the stop why") {
            val lines =
                loggedBy {
                    Played(1.hours, Triggers(everySteps = 100)).play(step = { 1.seconds }, save = { 4.seconds })
                }
            lines.size shouldBe 3
            lines[0] shouldContain "INFO: the job ends at "
            lines[0] shouldContain "(a test), in 1h: before that the program saves and stops"
            lines[1] shouldContain "INFO: the program will save and stop at about "
            lines[2] shouldContain "the program saves and stops. Its job ends at "
            lines[2] shouldContain
                "4.000 s for a save, the longest lately, and half of it more; 1.000 s for the next steps; "
        }

        test("a stop at a save that is due tells the time for that save, too, without which there would be enough") {
            val time = TestTimeSource()
            val watch = watch(1.hours, time)
            loggedBy { watch.ended(saved(1, 2.minutes), waited = 2.minutes) }
            // Two saves and a half, and twenty seconds.
            time += 1.hours - 320.seconds
            loggedBy { watch.request("it stops", isSaving = true) shouldBe RunRequest.STOP }.single() shouldContain
                "in 5m 20s; what is needed is 5m 20s: 2m for a save, the longest lately, and half of it more; " +
                "0.000 s for the next steps; 20.000 s for the end; 2m for a save before the last one"
        }

        test("a job that runs on after its end is not said to end in the future") {
            val time = TestTimeSource()
            val watch = watch(10.seconds, time)
            time += 13.seconds
            loggedBy { watch.request("it stops", isSaving = false) }.single() shouldContain
                "Its job should have ended at ${timeText(NOW + 10.seconds.toJavaDuration())} (a test), 3.000 s ago; " +
                "what is needed is "
            loggedBy { watch((-3).seconds, time).announceStop() }.single() shouldContain "(a test), in 0.000 s: "
        }

        test("a first save that leaves no time is followed by no stop at a time that has passed") {
            val time = TestTimeSource()
            val watch = watch(1.hours, time)
            time += 40.minutes
            loggedBy { watch.ended(saved(1, 30.minutes), waited = 30.minutes) }.single() shouldContain
                "the program will save and stop after its next steps: "
        }

        test("a save in the background counts with the time until it was committed") {
            val time = TestTimeSource()
            val watch = watch(1.hours, time)
            watch.ended(SaveOutcome.Copied(1, 1, ""), waited = 1.seconds)
            watch.ended(saved(1, 2.minutes), waited = Duration.ZERO)
            // Three minutes for the save, two for the one before, and twenty seconds.
            time += 1.hours - 320.seconds - 1.milliseconds
            watch.request("it stops", isSaving = false) shouldBe RunRequest.NONE
            time += 1.milliseconds
            watch.request("it stops", isSaving = false) shouldBe RunRequest.STOP
        }

        test("a stop that a person asks for is taken, and the end of the job does not hide a request to save") {
            val time = TestTimeSource()
            var asked = RunRequest.SAVE
            ranks(1) {
                val schedule = SaveSchedule(Triggers(), { asked }, time, watch(1.hours, time)).apply { begin(0) }
                schedule.meet(this, 1) shouldBe RunRequest.SAVE
                asked = RunRequest.STOP
                schedule.meet(this, 2) shouldBe RunRequest.STOP
            }
        }
    })

private fun watch(total: Duration, time: TestTimeSource): JobWatch =
    JobWatch(JobEnd(NOW + total.toJavaDuration(), "a test"), NOW, time)

private val NOW = Instant.parse("2026-11-24T10:00:00Z")

private fun saved(step: Long, time: Duration) = Saved(1, step, "", 1, time, 0, time, time)

/** A run on one rank, whose steps and saves take the times that a test says. */
private class Played(total: Duration, triggers: Triggers) {
    private val time = TestTimeSource()
    private val end = time.markNow() + total
    private val watch = watch(total, time).apply { announceStop() }
    private val schedule = SaveSchedule(triggers, { RunRequest.NONE }, time, watch)
    var saveCount = 0
        private set
    var stepCount = 0L
        private set
    var leftAtStop = total
        private set
    val left: Duration get() = -end.elapsedNow()

    /** As a loop of a simulation does. */
    suspend fun play(step: () -> Duration, save: () -> Duration) =
        ranks(1) {
            schedule.begin(0)
            while (true) {
                time += step()
                stepCount++
                val asked = if (stepCount == schedule.nextMeeting) schedule.meet(this, stepCount) else RunRequest.NONE
                if (asked == RunRequest.STOP) leftAtStop = left
                if (asked != RunRequest.NONE || stepCount == schedule.nextSave) {
                    schedule.save(stepCount) { saved(stepCount, save().also { time += it }) }
                    saveCount++
                }
                if (asked == RunRequest.STOP) break
            }
        }
}
