package dev.cairn.testing

import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.needs
import dev.cairn.proof.log.quietly
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.writeText

/** Trials of programs that are one process. */
class AloneTrialSpec :
    FunSpec({
        quietly()
        val start = tempdir().toPath().resolve("start.txt").also { it.writeText("0.5") }
        val trial = RestartTrial(breakAt = 5).withInputs(start)
        val faults =
            mapOf(
                "transient" to
                    "[walkers] differ first at step 6, after a restart from step 5. $LOST Graph 'walkers', " +
                    "walkers[1].place: 21 without the interruption, 15 after it. ",
                "static" to "[sum] differ first at step 6, after a restart from step 5. $LOST Replicated 'sum': ",
                "generator" to "[sum] differ first at step 6, after a restart from step 5. $LOST Replicated 'sum': ",
                "seed" to "[sum, dice] differ first at step 6, after a restart from step 5. $LOST ",
                "output" to "[log.txt] differ first at step 12, after a restart from step 5. $LOST 'log.txt', line 7: ",
                "results" to
                    "[results.txt] differ first at step 12, after a restart from step 5. $LOST 'results.txt': there " +
                    "without the interruption, missing after it.",
            )
        val chosen = Campaign.STARTED_PROGRAMS.someOf(faults.keys.toList() + "none" + "value")

        // Each trial starts six machines, and none lives long enough for the better compiler.
        fun tried(fault: String): RestartTrial.Report {
            val options = listOf("-XX:TieredStopAtLevel=1")
            val program = ProgramCommand.ofMain(TriedAlone::class.java.name, listOf(fault), options)
            return trial.runCommand(tempdir().toPath(), program)
        }

        test("a value that is not declared is found").config(
            enabledOrReasonIf = needs { Need.CAMPAIGN.given("value" in chosen) },
        ) {
            val differs = shouldThrow<RestartDiffers> { tried("value") }
            differs.items shouldBe listOf("sum")
            differs.message shouldStartWith
                "[sum] differ first at step 6, after a restart from step 5. $LOST Replicated 'sum': "
            differs.message shouldContain " 'dice', 'walkers', 'calls', 'log' agree."
            differs.message shouldNotContain "rank"
        }

        for ((fault, message) in faults) {
            test("what is lost is found: $fault").config(
                enabledOrReasonIf = needs { Need.CAMPAIGN.given(fault in chosen) },
            ) {
                val found = shouldThrow<RestartDiffers> { tried(fault) }.message
                found shouldStartWith message
                found shouldNotContain "rank"
            }
        }

        test("a right program passes, with its outputs, and what it reads is none of them").config(
            enabledOrReasonIf = needs { Need.CAMPAIGN.given("none" in chosen) },
        ) {
            "${tried("none")}" shouldBe
                "compared 5 items and 2 outputs over 12 steps; a state that influences none of these is not seen"
        }

        test("a program that a trial cannot interrupt is refused in a sentence") {
            val directory = tempdir().toPath()
            val program = TriedAlone::class.java.name

            fun messageOf(fault: String, name: String) =
                shouldThrow<IllegalStateException> { trial.runMain(directory.resolve(name), program, fault) }.message
            messageOf("no checkpoints", "a") shouldBe
                "the program ended without a checkpoint in ${directory.resolve("a/run-1/trial.cairn")}, which the " +
                "environment names in CAIRN_DIR: let it open its checkpoints there, as simulation and " +
                "SoloCheckpoints do without the option --dir"
            messageOf("code", "b") shouldStartWith "the program $program ended with the exit code 3; the end of "
            messageOf("input", "c") shouldStartWith "the program $program ended with the exit code 4; the end of "
        }

        test("a program that differs from run to run is not blamed for its restart") {
            var runs = 0
            shouldThrow<RestartDiffers> {
                RestartTrial(breakAt = 5).run {
                    val isOdd = ++runs >= 5
                    var sum by replicated(0L)
                    for (step in steps(until = 10)) sum += if (isOdd && step > 6) 2 else 1
                }
            }.message shouldStartWith
                "[sum] differ first at step 8, after a restart from step 5. But the program also differs between two " +
                "runs without any restart: [sum] differ from step 8 on. Replicated 'sum': "
        }

        test("inputs are there, and for programs that are started, and a step is a multiple of the interval") {
            val missing = Path.of("missing.txt")
            shouldThrow<IllegalArgumentException> {
                trial.withInputs(missing).runMain(tempdir().toPath(), "Any")
            }.message shouldBe "missing.txt: there is no such input of the program. Check its name."
            shouldThrow<IllegalArgumentException> { trial.run { for (step in steps(until = 10)) Unit } }
                .message shouldBe "inputs and a launcher are for programs that are started by runMain()"
            shouldThrow<IllegalArgumentException> { trial.withEvery(2) }.message shouldBe
                "the program saves after every 2 steps, and so not at step 5: choose a multiple of 2"
        }

        test("inputs, outputs and ignored names are added to those of earlier calls") {
            val (one, other) = Path.of("one.txt") to Path.of("other.txt")
            trial.withInputs(one).withInputs(other).inputs shouldBe listOf(start, one, other)
            trial.withOutputs(listOf(one)).withOutputs(listOf(other)).outputs shouldBe listOf(one, other)
            trial.withIgnored("Heat.log").withIgnored("org.example").ignored shouldBe listOf("Heat.log", "org.example")
        }

        test("a directory is copied with all that it has") {
            val data = tempdir().toPath().resolve("data").createDirectory()
            data
                .resolve("more")
                .createDirectory()
                .resolve("a.txt")
                .writeText("a")
            val directory = tempdir().toPath()
            shouldThrow<IllegalStateException> { trial.withInputs(data).runMain(directory, "Any") }
            val copy = directory.resolve("run-1").resolve("work").resolve("data")
            copy.resolve("more/a.txt").toFile().readText() shouldBe "a"
        }
    })

private const val LOST =
    "Some state of the program was not declared, or is not restored correctly: a variable, a static variable, a " +
        "generator's state, the end of an output."
