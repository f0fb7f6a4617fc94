package dev.cairn.run

import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.options.Configuration
import dev.cairn.options.Origin
import dev.cairn.options.Settings
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.ranks
import dev.cairn.simulate
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** What the settings say of the end of the job. */
class SaidEndSpec :
    FunSpec({
        quietly()

        test("a time limit of a job that is said to have no end is refused, with the origins of both") {
            val file =
                Configuration
                    .of(Settings.ALL)
                    .withText(Settings.TIME_LIMIT, "300", Origin.file("cairn.conf", 2))
            val both = file.withText(Settings.ENDS_AT, "none", Origin.COMMAND_LINE)
            shouldThrow<IllegalArgumentException> { JobSurroundings.none().endOfJob(both) }.message shouldBe
                "ends-at = none (command line) says that the job has no end, and time-limit = 300 (file cairn.conf, " +
                "line 2) says one. Leave one of them out, or take it back with ends-at = auto or time-limit = none."
            val unlimited = both.withText(Settings.TIME_LIMIT, "none", Origin.COMMAND_LINE)
            JobSurroundings.none().endOfJob(unlimited) shouldBe null
        }

        test("a simulation refuses it before its first step") {
            val files = SimulatedDisk().host("node0")
            var steps = 0
            val refusal =
                shouldThrow<Exception> {
                    ranks(2) {
                        simulate("both", arrayOf("--ends-at", "none", "--time-limit", "300"), files = files) {
                            for (step in steps(until = 3)) steps++
                        }
                    }
                }
            generateSequence<Throwable>(refusal) { it.cause }.map { "$it" }.joinToString() shouldContain
                "ends-at = none (command line) says that the job has no end"
            generateSequence<Throwable>(refusal) { it.cause }.any { it is InvalidDeclaration } shouldBe true
            steps shouldBe 0
        }
    })
