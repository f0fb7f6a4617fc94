package dev.cairn

import dev.cairn.event.ExitCode
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.options.SimulationOptions
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.stopFileOf
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.file.Path

/** A stop that is asked for in the last step of a loop stops only what is left. The ranks meet after the first step of each loop. */
class StopAtLastStepSpec :
    FunSpec({
        quietly()

        test("a program that has nothing left to do saves and has finished") {
            val program = TwoLoops(secondUntil = null)
            program.run(stopIn = "first 0") shouldBe setOf(Result(ExitCode.FINISHED, isStopped = false, sum = 1))
            program.walked shouldBe listOf("first 0")
            program.isAsked shouldBe false
            program.run() shouldBe setOf(Result(ExitCode.FINISHED, isStopped = false, sum = 1))
            program.walked shouldBe listOf("first 0")
        }

        test("a later loop does not begin, and the next start does it from the saved state") {
            val program = TwoLoops(secondUntil = 2)
            program.run(stopIn = "first 0") shouldBe setOf(Result(ExitCode.UNFINISHED, isStopped = true, sum = 1))
            program.walked shouldBe listOf("first 0")
            program.run() shouldBe setOf(Result(ExitCode.FINISHED, isStopped = false, sum = 3))
            program.walked shouldBe listOf("first 0", "second 0", "second 1")
        }

        test("a later loop without steps is nothing to stop") {
            val program = TwoLoops(secondUntil = 0)
            program.run(stopIn = "first 0") shouldBe setOf(Result(ExitCode.FINISHED, isStopped = false, sum = 1))
        }

        test("the step that calls finish() is the last one, too") {
            val program = TwoLoops(firstUntil = 1000, secondUntil = null)
            program.run(stopIn = "first 0", finishIn = "first 0") shouldBe
                setOf(Result(ExitCode.FINISHED, isStopped = false, sum = 1))
        }

        test("a stop in any other step stops there") {
            val program = TwoLoops(firstUntil = 2, secondUntil = null)
            program.run(stopIn = "first 0") shouldBe setOf(Result(ExitCode.UNFINISHED, isStopped = true, sum = 1))
            program.run() shouldBe setOf(Result(ExitCode.FINISHED, isStopped = false, sum = 2))
        }
    })

private data class Result(val code: ExitCode, val isStopped: Boolean, val sum: Long)

/** A program on three ranks that counts the steps of its loops; there is no second one if [secondUntil] is null. */
private class TwoLoops(private val firstUntil: Long = 1, private val secondUntil: Long?) {
    private val files = SimulatedDisk().host("node0")

    /** By rank 0, in all runs. */
    val walked = mutableListOf<String>()

    val isAsked: Boolean get() = files.exists(STOP)

    /** What the ranks come to, which is the same for all if all agree. */
    suspend fun run(stopIn: String? = null, finishIn: String? = null): Set<Result> =
        ranks(3) {
            var isStopped = false
            var counted = 0L
            val code =
                simulate("loops", options = SimulationOptions { directory = STORE }, files = files) {
                    var sum by replicated(0L)

                    suspend fun walk(phase: String, until: Long) {
                        val steps = steps(until, phase)
                        for (step in steps) {
                            sum++
                            val name = "$phase $step"
                            if (rank == 0) walked += name
                            if (rank == 0 && name == stopIn) files.create(STOP).close()
                            if (name == finishIn) steps.finish()
                        }
                    }
                    walk("first", firstUntil)
                    secondUntil?.let { walk("second", it) }
                    lastSave?.shouldBeInstanceOf<Saved>()
                    isStopped = this.isStopped
                    counted = sum
                }
            Result(code, isStopped, counted)
        }.toSet()

    private companion object {
        val STORE: Path = Path.of("loops.cairn")
        val STOP = stopFileOf(STORE)
    }
}
