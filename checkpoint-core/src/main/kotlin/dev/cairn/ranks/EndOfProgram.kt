package dev.cairn.ranks

import dev.cairn.event.TransportMissingException
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit.NANOSECONDS
import kotlin.concurrent.thread
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * The end of this process' part in the job: its transport is closed, or has not returned from that within [limit]. Then the process
 * goes on without it.
 */
internal class EndOfProgram(private val limit: Duration) {
    private val closing = CountDownLatch(1)
    private val closed = CountDownLatch(1)
    private val over = CountDownLatch(1)

    @Volatile private var transport: Transport? = null

    /** Closes [transport], which may never return. All other processes do the same now. */
    fun close(transport: Transport) {
        this.transport = transport
        closing.countDown()
        transport.close()
    }

    /** The transport is closed, or was never opened. */
    fun ended() {
        closed.countDown()
        closing.countDown()
    }

    /** Waits for the end on a thread of its own, which keeps the process alive, and calls [then]. */
    fun await(name: String, then: () -> Unit) {
        thread(name = name) {
            closing.await()
            if (!closed.await(limit.inWholeNanoseconds, NANOSECONDS)) transport?.let(::abandon)
            then()
            over.countDown()
        }
    }

    private fun abandon(transport: Transport) {
        System.err.println(
            "rank ${transport.rank} on ${transport.host}: $transport has not ended within $limit (-D$CLOSE_SECONDS), " +
                "though every rank has ended. The process ends without it, with the exit code of the program.",
        )
        transport.abandon()
    }

    /**
     * Waits until [caller] has ended, which is after Java has printed its uncaught exception, or until the process exits. An
     * exit then waits for this end. A daemon may never end, and is not waited for.
     */
    fun awaitEndOf(caller: Thread) {
        if (caller.isDaemon) return
        val waiting = Thread.currentThread()
        val exit =
            thread(start = false, name = "exit after ${waiting.name}") {
                waiting.interrupt()
                over.await()
            }
        try {
            Runtime.getRuntime().addShutdownHook(exit)
            caller.join()
        } catch (exiting: IllegalStateException) {
            // Too late for a hook: the process is exiting already.
        } catch (exiting: InterruptedException) {
            // The hook is running.
        }
    }

    companion object {
        private const val CLOSE_SECONDS = "cairn.transport.close-seconds"

        /** How long closing a transport may take once all processes close theirs. */
        fun limitOfThisProcess(): Duration = limitOf(System.getProperty(CLOSE_SECONDS))

        internal fun limitOf(wanted: String?): Duration {
            if (wanted == null) return 10.seconds
            return wanted.toLongOrNull()?.takeIf { it > 0 }?.seconds ?: throw TransportMissingException(
                "-D$CLOSE_SECONDS=$wanted: give the number of seconds that closing a transport may take, such as 10.",
            )
        }
    }
}
