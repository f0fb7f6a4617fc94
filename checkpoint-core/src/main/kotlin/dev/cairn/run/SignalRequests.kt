package dev.cairn.run

import sun.misc.Signal
import sun.misc.SignalHandler
import java.lang.System.Logger.Level.INFO
import java.util.concurrent.atomic.AtomicReference

/**
 * Signals to this process: USR1 requests a save. TERM and INT request a save and then the end; a second INT, such as a second Ctrl-C,
 * reaches the handler that was there before, which ends the process at once. A line answers each signal at once, since the current
 * step may be a long one. Each signal reaches all programs of a process that are open; the last [close] restores all earlier handlers.
 */
internal class SignalRequests(private val program: String) :
    Requests,
    AutoCloseable {
    private val pending = AtomicReference(RunRequest.NONE)

    /** Whether no step follows, unless the program begins another loop. */
    @Volatile var isLoopOver = false

    /** Whether the program waits to be killed. */
    @Volatile private var isHeld = false

    init {
        CAUGHT.forEach { it.add(this) }
    }

    override suspend fun take(): RunRequest = pending.getAndSet(RunRequest.NONE)

    /** USR1 stays here: the handler before it would most often end the process. */
    override fun giveBack() {
        isHeld = true
        ENDING.forEach { it.remove(this) }
    }

    override fun close() = CAUGHT.forEach { it.remove(this) }

    /** A repeated request is not answered again before its step has ended. */
    private fun ask(request: RunRequest, signal: String, plan: String) {
        if (pending.getAndAccumulate(request, ::maxOf) < request) say(signal, plan)
    }

    private fun interrupt() {
        pending.accumulateAndGet(RunRequest.STOP, ::maxOf)
        say("interrupted", "it saves after this step and ends", " Interrupt it again to end it now.")
    }

    private fun say(signal: String, plan: String, advice: String = "") {
        val next =
            when {
                isHeld -> "it has saved, and waits to be killed (hold-at)"
                isLoopOver -> "its loop is over, and it goes on to its own end"
                else -> plan
            }
        System.err.println("$program: $signal: $next.$advice")
    }

    private companion object {
        val SAVING =
            CaughtSignal("USR1") { signal ->
                signal.present().forEach { it.ask(RunRequest.SAVE, "asked to save (USR1)", "it saves after this step") }
            }

        val ENDING =
            listOf(
                CaughtSignal("TERM") { signal ->
                    signal.present().forEach {
                        it.ask(RunRequest.STOP, "asked to end (TERM)", "it saves after this step and ends")
                    }
                },
                CaughtSignal("INT") { signal -> signal.removeAll().forEach { it.interrupt() } },
            )

        val CAUGHT = ENDING + SAVING
    }
}

/** A signal of this process: while any program listens, [react] is called on it, otherwise the handler that was there before. */
private class CaughtSignal(name: String, private val react: (CaughtSignal) -> Unit) {
    private val signal = Signal(name)
    private val own = SignalHandler { react(this) }
    private val programs = mutableSetOf<SignalRequests>()
    private var former: SignalHandler? = null

    @Synchronized
    fun add(program: SignalRequests) {
        if (programs.isEmpty()) former = handle(own)
        programs += program
    }

    @Synchronized
    fun remove(program: SignalRequests) {
        if (programs.remove(program) && programs.isEmpty()) giveBack()
    }

    @Synchronized
    fun present(): List<SignalRequests> = programs.toList()

    /** The programs that were there; the next signal is the former handler's. */
    @Synchronized
    fun removeAll(): List<SignalRequests> = present().also { it.forEach(::remove) }

    /** A handler that was set after this one stays. */
    private fun giveBack() {
        val present = handle(former ?: return)
        if (present != null && present !== own) handle(present)
    }

    /** Returns the earlier handler; null if the virtual machine does not hand out this signal, as with `-Xrs`. */
    private fun handle(handler: SignalHandler): SignalHandler? =
        try {
            Signal.handle(signal, handler)
        } catch (refusal: IllegalArgumentException) {
            LOG.log(INFO, "$signal cannot be handled in this process: ${refusal.message}")
            null
        }

    private companion object {
        val LOG: System.Logger = System.getLogger(SignalRequests::class.java.name)
    }
}
