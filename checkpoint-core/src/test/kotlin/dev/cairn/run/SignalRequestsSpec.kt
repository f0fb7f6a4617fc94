package dev.cairn.run

import dev.cairn.house.Need
import dev.cairn.house.needs
import io.kotest.assertions.nondeterministic.eventually
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import sun.misc.Signal
import sun.misc.SignalHandler
import java.io.ByteArrayOutputStream
import java.io.PrintStream
import kotlin.time.Duration.Companion.minutes

/** Several programs in one process share its signals. */
class SignalRequestsSpec :
    FunSpec({
        test("a signal reaches all programs of a process, and after the last one the handler before them") {
            for (isFirstClosedFirst in listOf(true, false)) {
                val own = SignalHandler { }
                val former = Signal.handle(TERM, own)
                try {
                    val programs = listOf(SignalRequests("a"), SignalRequests("b"))
                    Signal.raise(TERM)
                    programs.forEach { it.shouldBeAskedToStop() }
                    val (first, last) = if (isFirstClosedFirst) programs else programs.reversed()
                    first.close()
                    Signal.raise(TERM)
                    last.shouldBeAskedToStop()
                    last.close()
                    Signal.handle(TERM, own) shouldBe own
                } finally {
                    Signal.handle(TERM, former)
                }
            }
        }

        test("an interrupt asks all programs to stop, and the next one ends the process as before").config(
            enabledOrReasonIf = needs { Need.INTERRUPTS.given(isInterruptible()) },
        ) {
            val own = SignalHandler { }
            val former = Signal.handle(INT, own)
            try {
                val programs = listOf(SignalRequests("a"), SignalRequests("b"))
                Signal.raise(INT)
                programs.forEach { it.shouldBeAskedToStop() }
                Signal.handle(INT, own) shouldBe own
                programs.forEach { it.close() }
            } finally {
                Signal.handle(INT, former)
            }
        }

        test("a program that waits to be killed answers USR1, which the handler before does not get") {
            val former = Signal.handle(USR1, SignalHandler.SIG_IGN)
            val printed = ByteArrayOutputStream()
            val usual = System.err
            System.setErr(PrintStream(printed, true))
            try {
                SignalRequests("held").use { held ->
                    held.giveBack()
                    Signal.raise(USR1)
                    eventually(1.minutes) {
                        "$printed" shouldBe
                            "held: asked to save (USR1): it has saved, and waits to be killed (hold-at).\n"
                    }
                }
            } finally {
                System.setErr(usual)
                Signal.handle(USR1, former)
            }
        }
    })

/** Java handles no interrupts if whoever started it ignored them. */
private fun isInterruptible(): Boolean {
    val probe = SignalHandler { }
    return Signal.handle(INT, Signal.handle(INT, probe)) === probe
}

private val TERM = Signal("TERM")
private val USR1 = Signal("USR1")
private val INT = Signal("INT")

private suspend fun SignalRequests.shouldBeAskedToStop() = eventually(1.minutes) { take() shouldBe RunRequest.STOP }
