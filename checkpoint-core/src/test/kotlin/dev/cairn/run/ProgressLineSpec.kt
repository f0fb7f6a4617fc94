package dev.cairn.run

import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import java.io.ByteArrayOutputStream
import java.io.OutputStreamWriter
import java.io.PrintStream
import java.io.StringWriter
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TestTimeSource

/** One line tells how far a simulation is, and what is printed meanwhile is not disturbed by it. */
class ProgressLineSpec :
    FunSpec({
        fun saved(number: Int, step: Long) = Saved(number, step, "", 1, 1.seconds, 0, 1.seconds, 1.seconds)

        test("the line tells the step, the rate, the time left, the last save, and what is under way") {
            val clock = TestTimeSource()
            val progress = ProgressLine("heat", clock)
            progress.text() shouldBe "heat  starts  no save yet"
            progress.accept(Restored(3, 300, 8))
            progress.reach(300, 1000)
            progress.text() shouldBe "heat  step 300/1000 30%  restored save 3, 0s ago"
            clock += 10.seconds
            progress.reach(350, 1000)
            progress.accept(CheckpointEvent.Begun(4, 350, ""))
            progress.text() shouldBe
                "heat  step 350/1000 35%  5 steps/s  2:10 left  saving 4  restored save 3, 10s ago"
            progress.accept(SaveOutcome.Copied(4, 350, ""))
            progress.accept(SaveOutcome.Sealed(4, 350, ""))
            progress.text().split("  ")[4] shouldBe "draining save 4"
            progress.accept(saved(4, 350))
            clock += 65.seconds
            progress.text() shouldBe "heat  step 350/1000 35%  5 steps/s  2:10 left  save 4, 1:05 ago"
            progress.accept(SaveOutcome.Failed(5, 360, "", "the disk is full"))
            progress.text().substringAfterLast("  ") shouldBe "a save FAILED, 0s ago"
        }

        test("of a loop whose end is not known the line tells no share, and no time that is left") {
            val clock = TestTimeSource()
            val progress = ProgressLine("solver", clock)
            progress.reach(300, Long.MAX_VALUE)
            progress.text() shouldBe "solver  step 300  no save yet"
            clock += 10.seconds
            progress.reach(350, Long.MAX_VALUE)
            progress.text() shouldBe "solver  step 350  5 steps/s  no save yet"
        }

        test("the rate is that of the last half minute, however short or long the steps are") {
            val clock = TestTimeSource()
            val progress = ProgressLine("heat", clock)
            for (step in 0L..10_000) {
                progress.reach(step, 20_000)
                clock += if (step < 5_000) 0.001.seconds else 0.1.seconds
            }
            progress.text().split("  ")[2] shouldBe "10 steps/s"
            val slow = ProgressLine("heat", clock)
            for (step in 0L..3) {
                slow.reach(step, 10)
                clock += 2.minutes
            }
            slow.text().split("  ")[2] shouldBe "2:00/step"
        }

        test("a new loop begins with a rate of its own") {
            val clock = TestTimeSource()
            val progress = ProgressLine("heat", clock)
            progress.reach(10, 100)
            clock += 1.seconds
            progress.reach(90, 100)
            progress.reach(0, 50)
            progress.text() shouldBe "heat  step 0/50 0%  no save yet"
        }

        test("what is printed appears above the line, whole, and the line comes back after it") {
            val bytes = ByteArrayOutputStream()
            val line = LastLine(OutputStreamWriter(bytes)) { "step 7" }
            val log = line.above(PrintStream(bytes, true))
            line.draw()
            log.println("save 3 committed")
            screenOf("$bytes") shouldBe listOf("save 3 committed", "step 7")
            log.print("half ")
            line.draw()
            screenOf("$bytes") shouldBe listOf("save 3 committed", "half ")
            log.print("a line\n")
            line.end()
            log.println("the end")
            screenOf("$bytes") shouldBe listOf("save 3 committed", "half a line", "the end", "")
        }

        test("the streams of the process are its own again when the line is no longer shown") {
            val (out, err) = System.out to System.err
            ShownProgress(StringWriter(), ProgressLine("heat")).use {
                (System.out === out) shouldBe false
                (System.err === err) shouldBe false
            }
            (System.out === out) shouldBe true
            (System.err === err) shouldBe true
        }

        test("two lines that end in the order of their beginning leave the streams as they were") {
            val (out, err) = System.out to System.err
            val (first, second) = List(2) { ShownProgress(StringWriter(), ProgressLine("heat $it")) }
            first.close()
            (System.out === out) shouldBe false
            second.close()
            (System.out === out) shouldBe true
            (System.err === err) shouldBe true
        }

        test("a line never reaches the edge of a terminal of 80 columns") {
            val bytes = ByteArrayOutputStream()
            LastLine(OutputStreamWriter(bytes)) { "x".repeat(200) }.draw()
            screenOf("$bytes").single().length shouldBeLessThan 80
        }
    })

/** What a terminal shows in the end. */
private fun screenOf(written: String): List<String> =
    written.split("\n").map { line -> line.split("\r\u001b[K").last() }
