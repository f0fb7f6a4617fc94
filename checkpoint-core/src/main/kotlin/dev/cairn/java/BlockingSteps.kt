package dev.cairn.java

import dev.cairn.Steps

/** [Steps] for Java; belongs to the thread of its rank. */
public class BlockingSteps internal constructor(private val steps: Steps, private val bridge: Bridge) :
    Iterable<Long> {
        override fun iterator(): Iterator<Long> = BlockingStepIterator(steps.iterator(), bridge)

        /** Makes the present step the last one; see [Steps.finish]. */
        public fun finish(): Unit = steps.finish()
    }

/** Steps; most begin without communication, and then stay on the thread. */
private class BlockingStepIterator(private val steps: Steps, private val bridge: Bridge) : Iterator<Long> {
    /** Known once the safe point before the next step has been passed, since it must not be passed twice. */
    private var hasNext: Boolean? = null

    override fun hasNext(): Boolean = hasNext ?: (steps.isIdle || bridge.call { steps.hasNext() }).also { hasNext = it }

    override fun next(): Long {
        if (!hasNext()) throw NoSuchElementException("the steps are over")
        hasNext = null
        return steps.next()
    }
}
