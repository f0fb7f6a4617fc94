package dev.cairn.testing

import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit.SECONDS
import kotlin.concurrent.thread

/**
 * Returns what [work] does. If this process is told to end meanwhile, [work] is interrupted, and the process waits until it has stopped the
 * programs that it has started, and has deleted the files of their heaps.
 */
internal fun <T> interruptedAtExit(work: () -> T): T {
    val worker = Thread.currentThread()
    val hasStopped = CountDownLatch(1)
    val atExit =
        thread(start = false, name = "cairn-trial-end") {
            worker.interrupt()
            hasStopped.await(LONGEST_END, SECONDS)
        }
    Runtime.getRuntime().addShutdownHook(atExit)
    try {
        return work()
    } finally {
        hasStopped.countDown()
        try {
            Runtime.getRuntime().removeShutdownHook(atExit)
        } catch (_: IllegalStateException) {
            // The process is ending, and the hook has been called.
        }
    }
}

private const val LONGEST_END = 20L
