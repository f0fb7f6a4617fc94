package dev.cairn.sion.store

import java.util.concurrent.Callable
import java.util.concurrent.Executors

/** Runs [block] in a thread whose interrupt flag is set, and checks that it still is afterwards. */
fun <T> interrupted(block: () -> T): T {
    Thread.currentThread().interrupt()
    try {
        return block().also { check(Thread.currentThread().isInterrupted) { "the interrupt was lost" } }
    } finally {
        Thread.interrupted()
    }
}

/** Runs [block] in [count] threads at once, with the number of each. */
fun <T> inThreads(
    count: Int,
    block: (Int) -> T,
): List<T> {
    val pool = Executors.newFixedThreadPool(count)
    try {
        return pool.invokeAll(List(count) { index -> Callable { block(index) } }).map { it.get() }
    } finally {
        pool.shutdown()
    }
}
