package dev.cairn.proof.kill

import dev.cairn.event.ExitCode
import dev.cairn.house.OUTSIDE
import dev.cairn.manifestOf
import dev.cairn.simulation
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.store.SaveNames
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import java.util.concurrent.locks.LockSupport
import kotlin.io.path.exists

/** A real process whose job ends in a few seconds. */
@Tags(OUTSIDE)
class TimeLimitSpec :
    FunSpec({
        test("with a time limit of seconds a program saves and ends by itself, and goes on when it is started again") {
            val store = tempdir().toPath().resolve("endless.cairn")
            // A JVM that needs longer than its limit to start is refused, and gets more time.
            val first =
                generateSequence(4) { 2 * it }
                    .map { Endless(store, Long.MAX_VALUE, "--time-limit", "$it") }
                    .first { it.code != ExitCode.REFUSED.number || "there is no time" !in it.errors }
            first.code shouldBe ExitCode.UNFINISHED.number
            first.errors shouldContain "the job ends at "
            first.errors shouldContain "the program saves and stops"
            val save = (9 downTo 1).first { store.resolve(SaveNames.directory(it)).exists() }
            val step = manifestOf(FileBlockStore(), store, save).step
            step shouldBeGreaterThan 0

            val second = Endless(store, step + 10)
            second.code shouldBe ExitCode.FINISHED.number
            second.words.trim() shouldBe "${(0 until step + 10).sum()}"
        }

        test("a job that has ended already is refused, so that a job script does not start it again and again") {
            val late = Endless(tempdir().toPath().resolve("late.cairn"), 10, "--ends-at", "2026-01-01T00:00:00Z")
            late.code shouldBe ExitCode.REFUSED.number
            late.errors shouldContain "there is no time for a step and a save"
        }
    })

/** Adds up its steps, each of which takes at least a millisecond, until the first argument. */
internal suspend fun main(arguments: Array<String>) =
    simulation("endless", arguments.drop(1).toTypedArray()) {
        var sum by replicated(0L)
        for (step in steps(until = arguments.first().toLong())) {
            LockSupport.parkNanos(1_000_000)
            sum += step
        }
        if (!isStopped) println(sum)
    }

/** That program in a JVM of its own, when it has ended. */
private class Endless(store: Path, until: Long, vararg options: String) {
    private val process =
        ProcessBuilder(
            "${Path.of(System.getProperty("java.home"), "bin", "java")}",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.cairn.proof.kill.TimeLimitSpecKt",
            "$until",
            "--dir",
            "$store",
            *options,
        ).start()
    val errors = process.errorReader().readText()
    val words = process.inputReader().readText()
    val code = process.waitFor()
}
