package dev.cairn.ranks

import java.util.concurrent.atomic.AtomicReference

/** A future value or failure; the first one counts. */
internal class Completion<T> {
    private val end = AtomicReference<Any?>(Open)

    val isOpen: Boolean get() = end.get() === Open

    /** Returns whether it was still open. */
    fun keep(value: T): Boolean = end.compareAndSet(Open, value)

    /** Returns whether it was still open. */
    fun breakOff(failure: Throwable): Boolean = isOpen && end.compareAndSet(Open, Broken(failure))

    /** Returns the value, or throws the failure. Must not be called while it is open. */
    @Suppress("UNCHECKED_CAST")
    fun outcome(): T =
        when (val outcome = end.get()) {
            is Broken -> throw outcome.failure
            else -> outcome as T
        }

    private data object Open

    private class Broken(val failure: Throwable)
}
