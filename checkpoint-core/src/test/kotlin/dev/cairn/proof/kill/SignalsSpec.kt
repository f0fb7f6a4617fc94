package dev.cairn.proof.kill

import dev.cairn.event.ExitCode
import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.runSimulation
import dev.cairn.simulation
import io.kotest.assertions.nondeterministic.eventually
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import sun.misc.Signal
import sun.misc.SignalHandler
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicInteger
import kotlin.io.path.exists
import kotlin.time.Duration.Companion.minutes

/** What signals ask for, of real processes, and that they are heard by the program's own handlers afterwards. */
@Tags(JDK_DEPENDENT)
class SignalsSpec :
    FunSpec({
        val parent = tempdir().toPath()

        test("the first Ctrl-C saves and ends") {
            val store = parent.resolve("first.cairn")
            WaitingProcess(store).use { program ->
                program.awaitStep()
                program.signal("INT")
                program.awaitLine("interrupted") shouldBe
                    "patient: interrupted: it saves after this step and ends. Interrupt it again to end it now."
                program.endStep()
                program.end() shouldBe ExitCode.UNFINISHED.number
            }
            store.resolve("000001/manifest.json").exists() shouldBe true
        }

        test("the second Ctrl-C ends at once, although a step is under way") {
            val store = parent.resolve("second.cairn")
            WaitingProcess(store).use { program ->
                program.awaitStep()
                program.signal("INT")
                program.awaitLine("interrupted")
                program.signal("INT")
                program.end() shouldBe INTERRUPTED
            }
            store.resolve("000001").exists() shouldBe false
        }

        test("TERM is answered in the middle of a step, and then the program saves and ends") {
            WaitingProcess(parent.resolve("term.cairn")).use { program ->
                program.awaitStep()
                program.signal("USR1")
                program.awaitLine("USR1") shouldBe "patient: asked to save (USR1): it saves after this step."
                program.signal("TERM")
                program.awaitLine("TERM") shouldBe "patient: asked to end (TERM): it saves after this step and ends."
                program.endStep()
                program.end() shouldBe ExitCode.UNFINISHED.number
            }
        }

        test("handlers that a program had before are back when the simulation ends") {
            for (name in listOf("USR1", "TERM", "INT")) {
                val heard = AtomicInteger()
                val own = SignalHandler { heard.incrementAndGet() }
                val former = Signal.handle(Signal(name), own)
                // A shell lets a job in the background ignore INT, and then the virtual machine never hands it out.
                if (former == SignalHandler.SIG_IGN) continue
                try {
                    runSimulation("handlers", arrayOf("--dir", "${parent.resolve(name)}")) {
                        var sum by replicated(0L)
                        for (step in steps(until = 3)) sum += step
                    } shouldBe ExitCode.FINISHED
                    Signal.raise(Signal(name))
                    eventually(1.minutes) { heard.get() shouldBe 1 }
                } finally {
                    Signal.handle(Signal(name), former) shouldBe own
                }
            }
        }

        test("a handler that the program sets while it runs stays") {
            val own = SignalHandler { }
            val former = Signal.handle(Signal("USR1"), SignalHandler { })
            try {
                runSimulation("later", arrayOf("--dir", "${parent.resolve("later")}")) {
                    Signal.handle(Signal("USR1"), own)
                }
            } finally {
                Signal.handle(Signal("USR1"), former) shouldBe own
            }
        }
    })

private const val INTERRUPTED = 130

/** Waits in its first step until its input ends. */
internal suspend fun main(arguments: Array<String>) =
    simulation("patient", arguments) {
        var sum by replicated(0L)
        for (step in steps(until = 1_000_000)) {
            if (step == 0L) {
                println("in step 0")
                System.`in`.read()
            }
            sum += step
        }
    }

/** That program in a JVM of its own. */
private class WaitingProcess(store: Path) : AutoCloseable {
    // A shell that starts the tests in the background lets all processes below ignore INT.
    private val process =
        ProcessBuilder(
            "env",
            "--default-signal=INT",
            "${Path.of(System.getProperty("java.home"), "bin", "java")}",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.cairn.proof.kill.SignalsSpecKt",
            "--dir",
            "$store",
        ).start()
    private val errors = process.errorReader().lineSequence().iterator()

    fun awaitStep() {
        process.inputReader().readLine() shouldContain "in step 0"
    }

    fun awaitLine(part: String): String {
        while (errors.hasNext()) errors.next().let { if (part in it) return it }
        error("the program did not say '$part'")
    }

    fun endStep() = process.outputWriter().close()

    fun end(): Int {
        while (errors.hasNext()) errors.next()
        return process.waitFor()
    }

    fun signal(name: String) =
        check(ProcessBuilder("kill", "-$name", "${process.pid()}").inheritIO().start().waitFor() == 0) { name }

    override fun close() {
        process.destroyForcibly().waitFor()
    }
}
