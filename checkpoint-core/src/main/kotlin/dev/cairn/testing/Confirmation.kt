package dev.cairn.testing

import com.sun.jdi.VMDisconnectedException
import com.sun.jdi.VirtualMachine
import com.sun.jdi.event.BreakpointEvent
import com.sun.jdi.event.ClassPrepareEvent
import dev.cairn.heap.Forgotten
import kotlinx.coroutines.runBlocking
import java.io.IOException
import java.util.concurrent.ExecutionException
import java.util.concurrent.FutureTask
import kotlin.concurrent.thread

/**
 * Whether a restart has the results of an unbroken run if lost values are set, at the restored step and before the program goes on, to what
 * they are in an unbroken run at that step.
 *
 * @param newHistory one without a save, each time in a directory of its own
 */
internal class Confirmation(private val trial: RestartTrial, private val newHistory: () -> ProcessHistory) {
    private val unbroken by lazy { newHistory().also { runBlocking { it.playToEnd(trial.rankCount) } } }

    /** Null if one of the [lost] values cannot be set. A program that fails with them has not the same results. */
    fun hasSameResults(lost: List<Forgotten>): Boolean? {
        val places = lost.map(::LostValue)
        val history = newHistory()
        val values = history.atCall(SAVE, stopAt = trial.breakAt) { machine -> places.map { it.read(machine) } }
        val known = values?.filterNotNull()?.takeIf { it.size == places.size } ?: return null
        val kept = history.saves.size
        return try {
            val areSet = history.atCall(GO_ON) { places.zip(known).all { (place, value) -> place.set(it, value) } }
            if (areSet != true) return null
            HistoryComparison(unbroken, history, RunNames.INTERRUPTED, first = kept).toTheEnd() == null
        } catch (_: IllegalStateException) {
            false
        }
    }

    /** Runs the program, and [look]s at it where it first calls the [method] of Cairn's. Null if it does not. */
    private fun <T : Any> ProcessHistory.atCall(
        method: String,
        stopAt: Long? = null,
        look: (VirtualMachine) -> T,
    ): T? {
        val looked =
            DebuggedMachine(isStopped = true).use { machine ->
                val task = FutureTask { machine.accept().stopAt(method, look) }
                thread(isDaemon = true, name = "cairn-confirmation") { task.run() }
                options = machine.options
                runBlocking { if (stopAt == null) playToEnd(trial.rankCount) else play(trial.rankCount, stopAt) }
                task
            }
        return try {
            looked.get()
        } catch (failure: ExecutionException) {
            // The program has ended before.
            if (failure.cause is VMDisconnectedException || failure.cause is IOException) null else throw failure
        }
    }

    private fun <T> VirtualMachine.stopAt(method: String, look: (VirtualMachine) -> T): T {
        val requests = eventRequestManager()
        requests.createClassPrepareRequest().also { it.addClassFilter(SAFE_POINTS) }.enable()
        try {
            while (true) {
                val events = eventQueue().remove()
                for (event in events) {
                    if (event is BreakpointEvent) return look(this)
                    if (event !is ClassPrepareEvent) continue
                    val called = event.referenceType().methodsByName(method).single()
                    requests.createBreakpointRequest(called.location()).enable()
                }
                events.resume()
            }
        } finally {
            dispose()
        }
    }
}

private const val SAFE_POINTS = "dev.cairn.SafePoints"

/** Called before the program saves, and waits to be killed. */
private const val SAVE = "hold"

/** Called when the program goes on after a restart. */
private const val GO_ON = "begin"
