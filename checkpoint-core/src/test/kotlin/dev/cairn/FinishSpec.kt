package dev.cairn

import dev.cairn.event.ExitCode
import dev.cairn.java.BlockingSimulation
import dev.cairn.proof.log.loggedBy
import dev.cairn.proof.log.printedBy
import dev.cairn.proof.log.quietly
import dev.cairn.sion.store.FileBlockStore
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** Loops that end before their time. */
class FinishSpec :
    FunSpec({
        quietly()
        val parent = tempdir().toPath()

        /** Walks until the step before [last] has been done; returns the steps. */
        suspend fun solve(store: String, last: Long, vararg options: String): List<Long> {
            val walked = mutableListOf<Long>()
            runSimulation("solve", arrayOf("--dir", "${parent.resolve(store)}", "--ranks", "2", *options)) {
                var sum by replicated(0L)
                val steps = steps(until = 1_000)
                for (step in steps) {
                    if (step == last) steps.finish()
                    if (rank == 0) walked += step
                    sum += step
                }
                sum shouldBe last * (last + 1) / 2
            } shouldBe ExitCode.FINISHED
            return walked
        }

        test("a loop that is finished saves after its last step, and is not walked through again") {
            solve("converged", last = 6) shouldBe (0L..6L).toList()
            manifestOf(FileBlockStore(), parent.resolve("converged"), 1).step shouldBe 7
            solve("converged", last = 6).shouldBeEmpty()
        }

        test("--go-on continues a finished program") {
            solve("more", last = 6)
            solve("more", last = 9, "--go-on") shouldBe (7L..9L).toList()
            solve("more", last = 9).shouldBeEmpty()
        }

        test("a phase that was finished is over, although the next one was killed before its first save") {
            val walked = mutableListOf<String>()

            suspend fun run(isKilled: Boolean) =
                runSimulation("phases", arrayOf("--dir", "${parent.resolve("phases")}")) {
                    var sum by replicated(0L)
                    val spinUp = steps(until = 500, phase = "spin-up")
                    for (step in spinUp) {
                        walked += "spin-up $step"
                        sum += step
                        if (step == 2L) spinUp.finish()
                    }
                    for (step in steps(until = 3, phase = "production")) {
                        walked += "production $step"
                        check(!isKilled || step < 1) { "killed" }
                        sum += 100
                    }
                    sum shouldBe 303
                }
            shouldThrow<Exception> { run(isKilled = true) }
            walked shouldBe listOf("spin-up 0", "spin-up 1", "spin-up 2", "production 0", "production 1")
            walked.clear()
            run(isKilled = false) shouldBe ExitCode.FINISHED
            walked shouldBe listOf("production 0", "production 1", "production 2")
        }

        test("in Java, too") {
            val walked = mutableListOf<Long>()
            BlockingSimulation.run("java", arrayOf("--dir", "${parent.resolve("java")}")) { simulation ->
                val sum = simulation.replicated(0L).named("sum")
                val steps = simulation.steps(1_000)
                for (step in steps) {
                    walked += step
                    sum.value += step
                    if (step == 4L) steps.finish()
                }
            } shouldBe ExitCode.FINISHED
            walked shouldBe (0L..4L).toList()
            manifestOf(FileBlockStore(), parent.resolve("java"), 1).isFinished shouldBe true
        }

        test("a program that leaves its loop logs the step from which a restart continues") {
            val said =
                printedBy {
                    runSimulation("left", arrayOf("--dir", "${parent.resolve("left")}", "--every", "4")) {
                        var sum by replicated(0L)
                        for (step in steps(until = 100)) {
                            sum += step
                            if (step == 6L) break
                        }
                    } shouldBe ExitCode.FINISHED
                }
            said.lines().filter { it.startsWith("left: ") } shouldBe
                listOf(
                    "left: the loop was left in step 6, and the work of that step is not saved; a restart continues " +
                        "from save 1, step 4. To end a loop early and save, call finish() of its steps instead of " +
                        "leaving it.",
                )
        }

        test("a program that saves only at its end is told so when it begins") {
            suspend fun told(vararg options: String): List<String> =
                loggedBy { solve("told${options.size}", last = 2, *options) }
                    .filter { "the program saves only" in it }
            told().single() shouldContain
                "the program saves only at its end and on request, since neither every nor every-seconds is set. If " +
                "it is killed before"
            told("--time-limit", "3600", "--fresh").single() shouldContain
                "the program saves only before its job ends, at its end and on request, since neither"
            told("--every", "5").shouldBeEmpty()
            told("--every-seconds=5").shouldBeEmpty()
        }

        test("finish() without a step, and steps that are walked through twice, are refused") {
            val failure =
                shouldThrow<Exception> {
                    runSimulation("early", arrayOf("--dir", "${parent.resolve("early")}")) { steps(until = 3).finish() }
                }
            generateSequence<Throwable>(failure) { it.cause }.last().message shouldBe
                "finish() ends the current step: call it in the body of the loop"
            val walked = mutableListOf<Long>()
            val twice =
                shouldThrow<Exception> {
                    runSimulation("twice", arrayOf("--dir", "${parent.resolve("twice")}")) {
                        val steps = steps(until = 3)
                        for (step in steps) walked += step
                        for (step in steps) walked += step
                    }
                }
            walked shouldHaveSize 3
            generateSequence<Throwable>(twice) { it.cause }.last().message shouldBe
                "these steps were iterated already: call steps() with another phase"
        }
    })
