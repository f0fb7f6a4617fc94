package dev.cairn.run

import dev.cairn.checkpoints
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.log.loggedBy
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import kotlinx.coroutines.delay
import java.nio.file.Path
import java.time.Instant
import kotlin.time.Duration.Companion.seconds

private val DIRECTORY = Path.of("own.cairn")

/** Programs with a loop of their own ask whether their job ends soon. */
class JobQuestionSpec :
    FunSpec({
        /** Steps of five seconds of simulated time, until the job ends soon; returns their number, on each rank. */
        suspend fun stepsOf(options: CheckpointOptions, isSaving: Boolean): List<Long> {
            val files = SimulatedDisk().host("node0")
            return ranks(RankPlan(3, schedule = Schedule.Deterministic(1))) {
                checkpoints(DIRECTORY, options, files) {}.use {
                    var step = 0L
                    while (step < 40) {
                        delay(5.seconds)
                        step++
                        if (it.endsSoon()) break
                        if (isSaving) it.save(step)
                    }
                    step
                }
            }
        }

        test("all ranks are told at the same step, while there is time for that step, a save and the end") {
            // A simulated clock counts from the first question, after 5 s, so the job ends after 105 s. A twentieth is 5 s, for
            // a save and for the end, so 22.5 s are kept: 5 for a save that may be due, 7.5 for the last, 5 for a step, 5.
            stepsOf(CheckpointOptions { timeLimit = 100.seconds }, isSaving = false) shouldBe List(3) { 17L }
        }

        test("saves that take no time leave more of it") {
            stepsOf(CheckpointOptions { timeLimit = 100.seconds }, isSaving = true) shouldBe List(3) { 19L }
        }

        test("a job without an end never ends soon, and the ranks send no message for it but once") {
            stepsOf(CheckpointOptions(), isSaving = false) shouldBe List(3) { 40L }
        }

        test("the log says when the job ends, and why the program is told to stop") {
            val lines =
                loggedBy { stepsOf(CheckpointOptions { timeLimit = 100.seconds }, isSaving = false) }
            lines.first() shouldStartWith "INFO: the job ends at "
            lines.last() shouldStartWith "INFO: the program is asked to save and stop. Its job ends at "
        }

        test("an end that has passed is refused on all ranks") {
            shouldThrow<Exception> {
                stepsOf(CheckpointOptions { endsAt = Instant.EPOCH }, isSaving = false)
            }.message.orEmpty() shouldContain "there is no time for a step and a save"
        }
    })
