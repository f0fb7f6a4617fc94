package dev.cairn.examples

import dev.cairn.event.ExitCode
import dev.cairn.examples.parts.ReadingInJava
import dev.cairn.java.BlockingSimulation
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.runSimulation
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldMatch
import io.kotest.matchers.string.shouldStartWith
import java.nio.file.Path

/** What the page on reading shows, on checkpoints of other programs. */
class ReadingSpec :
    FunSpec({
        val directory = tempdir().toPath()
        val heat = directory.resolve("heat.cairn")

        beforeSpec {
            val arguments = arrayOf("--dir", "$heat", "--ranks", "3", "--every", "20", "--keep-last", "5")
            BlockingSimulation.run("heat", arguments) { HeatInJava.heat(it, 32, 60) } shouldBe ExitCode.FINISHED
        }

        test("saves are listed, and a box and a row are read") {
            historyOf(heat).map { it.substringBefore(" at ") } shouldBe listOf("1: step 20", "2: step 40", "3: step 60")
            ReadingInJava.steps(heat) shouldBe listOf(20L, 40L, 60L)
            hottest(heat).shouldBeBetween(1.0, 100.0, 0.0)
            val whole = StoredCheckpoints(heat).openStep(40).use { it.field("u").read<DoubleArray>() }
            ReadingInJava.row(heat, 40, 7) shouldBe whole.copyOfRange(7 * 32, 8 * 32)
        }

        test("items of every kind are read") {
            val drift = directory.resolve("drift.cairn")
            val arguments = arrayOf("--dir", "$drift", "--ranks", "2", "--every", "10", "--keep-last", "5")
            runSimulation("drift", arguments) { drift(until = 30) } shouldBe ExitCode.FINISHED
            Path.of("drift.txt").toFile().delete()

            summaryOf(drift) shouldStartWith "100 bodies, 3000 moves, seed 7, "
            summaryOf(drift) shouldMatch Regex(".* [1-9][0-9]* bytes of output")
        }
    })
