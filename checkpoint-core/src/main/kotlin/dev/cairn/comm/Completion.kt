package dev.cairn.comm

import java.util.concurrent.atomic.AtomicReference

/** The object of a wait: a future value, or a failure instead. The first of them counts. */
internal class Completion<T> {
    private val end = AtomicReference<Any?>(Open)

    val isOpen: Boolean get() = end.get() === Open

    /** Whether it was still open. */
    fun keep(value: T): Boolean = end.compareAndSet(Open, value)

    /** Whether it was still open. */
    fun breakOff(failure: Throwable): Boolean = isOpen && end.compareAndSet(Open, Broken(failure))

    /** The value, or the failure thrown. Only for those that have seen that it is not open any more. */
    @Suppress("UNCHECKED_CAST")
    fun outcome(): T =
        when (val outcome = end.get()) {
            is Broken -> throw outcome.failure
            else -> outcome as T
        }

    private data object Open

    private class Broken(
        val failure: Throwable,
    )
}
