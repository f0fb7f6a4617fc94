package dev.cairn.ranks

import kotlin.concurrent.thread

/**
 * Waits until [caller] has ended, which is after Java has printed its uncaught exception, or until the process exits. An
 * exit then waits for this thread. A daemon may never end, and is not waited for.
 */
internal fun awaitEndOf(caller: Thread) {
    if (caller.isDaemon) return
    val waiting = Thread.currentThread()
    val exit =
        thread(start = false, name = "exit after ${waiting.name}") {
            waiting.interrupt()
            waiting.join()
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
