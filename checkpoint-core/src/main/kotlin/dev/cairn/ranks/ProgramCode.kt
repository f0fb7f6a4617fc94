package dev.cairn.ranks

import dev.cairn.event.NestedCallException

/**
 * Code of the program that runs in the middle of a call of Cairn, such as the lambda that gets the value of an item. It
 * must not call the communicator: the rank is in a call already, and would wait for itself.
 */
internal object ProgramCode {
    private val running = ThreadLocal<String>()

    /** Runs [code] on this thread; [place] names its place in the program, for the message of a refusal. */
    inline fun <T> run(place: String, code: () -> T): T {
        val outer = enter(place)
        try {
            return code()
        } finally {
            leave(outer)
        }
    }

    fun enter(place: String): String? = running.get().also { running.set(place) }

    fun leave(outer: String?) {
        if (outer == null) running.remove() else running.set(outer)
    }

    /** Refuses a call of the communicator from the code that runs on this thread. */
    fun requireNone() {
        if (running.get() != null) throw refusal()
    }

    fun refusal(): IllegalStateException {
        val place = running.get() ?: "another call of Cairn"
        return NestedCallException(
            "the program calls Cairn inside $place. It is in the middle of that call and would wait for itself: make " +
                "the call before it or after it.",
        )
    }
}
