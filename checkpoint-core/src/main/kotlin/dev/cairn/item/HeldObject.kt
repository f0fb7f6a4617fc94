package dev.cairn.item

/** The object that a program holds as the value of an item. It can be put back after others took its place. */
internal class HeldObject<T> private constructor(private val put: () -> Unit) {
    fun putBack() = put()

    companion object {
        /**
         * Null if the program holds no such object: it makes a new one whenever it is asked, as of a number. A setter that copies its argument
         * into the held object has left that in place, and must not get it.
         */
        fun <T> of(get: () -> T, set: (T) -> Unit): HeldObject<T>? {
            val held = get()
            return if (get() === held) HeldObject { if (get() !== held) set(held) } else null
        }

        /** A setter may have put other rows into the list [held], which gets its own again then. */
        fun <R> ofRows(held: List<R>, get: () -> List<R>, set: (List<R>) -> Unit): HeldObject<List<R>> {
            val rows = ArrayList(held)
            return HeldObject { set(if (get() === held) rows else held) }
        }
    }
}
