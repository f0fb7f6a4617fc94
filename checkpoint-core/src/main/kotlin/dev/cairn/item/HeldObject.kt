package dev.cairn.item

/** The object that a program [holds][held] as the value of an item. It can be put back after others took its place. */
internal class HeldObject<T> private constructor(
    private val held: T,
    private val get: () -> T,
    private val set: (T) -> Unit,
) {
    /** A setter that copies its argument into the held object has left that in place, and must not get it. */
    fun putBack() {
        if (get() !== held) set(held)
    }

    companion object {
        /** Null if the program holds no such object: it makes a new one whenever it is asked, as of a number. */
        fun <T> of(get: () -> T, set: (T) -> Unit): HeldObject<T>? {
            val held = get()
            return if (get() === held) HeldObject(held, get, set) else null
        }
    }
}
