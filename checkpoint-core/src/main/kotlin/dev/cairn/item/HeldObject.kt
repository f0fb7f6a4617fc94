package dev.cairn.item

import java.lang.reflect.Modifier

/** The object that a program holds as the value of an item. It can be put back after others took its place. */
internal class HeldObject<T> private constructor(private val fill: () -> Unit = {}, private val put: () -> Unit) {
    fun putBack() {
        fill()
        put()
    }

    /** Setters and hooks may have changed again what it holds. */
    fun fillAgain() = fill()

    companion object {
        /**
         * Null if the program holds no such object: it makes a new one whenever it is asked, as of a number. A setter that copies its argument
         * into the held object has left that in place, and must not get it.
         */
        fun <T> of(get: () -> T, set: (T) -> Unit): HeldObject<T>? {
            val held = get()
            return if (get() === held) HeldObject { if (get() !== held) set(held) } else null
        }

        /**
         * The rows in the list that [get] returns. If the program has another list since, it gets its own one again if that has these rows
         * still, and is of a class of the JDK that can change; otherwise, as for a view, a new list, as from a restart. A setter that copies
         * into these rows has left them in place, and must not get them.
         *
         * @param fill lets the rows hold what they held
         */
        fun <R> ofRows(get: () -> List<R>, set: (List<R>) -> Unit, fill: () -> Unit): HeldObject<List<R>> {
            val held = get()
            val rows = ArrayList(held)
            val isOwn = get() === held && isChangeable(held)
            return HeldObject(fill) {
                val now = get()
                if (isOwn && now !== held && hasSame(held, rows)) {
                    set(held)
                } else if (!hasSame(now, rows)) {
                    set(rows)
                }
            }
        }

        /** All public classes of lists there are. */
        private fun isChangeable(list: List<*>) =
            Modifier.isPublic(list.javaClass.modifiers) && list.javaClass.packageName in CHANGEABLE

        private fun hasSame(list: List<*>, rows: List<*>): Boolean {
            val own = list.iterator()
            return list.size == rows.size && rows.all { it === own.next() }
        }

        private val CHANGEABLE = setOf("java.util", "java.util.concurrent")
    }
}
