package dev.cairn.item

import java.util.Objects

/**
 * Finds setters of a program that do nothing at a restore: after it, the program has what it had before, and not what was saved. A setter
 * that changes what it gets is right. For this, the functions that return the state are called before it is set, and again at the end. What
 * they throw then does not matter, since a program may have no state yet, or make it later.
 */
internal class SetterEffects {
    /** The last one for each setter: a restore that finds damage tries an older save, and sets all once more. */
    private val looks = LinkedHashMap<Setter, () -> Boolean>()

    /** The setter of [what], which belongs to the item [name]. */
    private data class Setter(val name: String, val what: String)

    /**
     * The setter [set] of [what] in the item [name]: its effect is looked at.
     *
     * @param content what a value holds, if its own hash does not tell
     */
    fun <T> watched(
        name: String,
        what: String,
        get: () -> T,
        set: (T) -> Unit,
        content: (T) -> Any? = { it },
    ): (T) -> Unit =
        { given ->
            val before = orNull { hashOf(content(get())) }
            set(given)
            looks[Setter(name, what)] = {
                orNull {
                    !Objects.deepEquals(get(), given) && before == hashOf(content(get())) &&
                        before != hashOf(content(given))
                } == true
            }
        }

    /** A copy would take as much memory as the state. */
    private fun hashOf(content: Any?): Int = arrayOf(content).contentDeepHashCode()

    /** All state is restored. Refuses the first setter that has done nothing. */
    fun requireTaken() {
        val idle = looks.entries.find { (_, isIdle) -> isIdle() }?.key
        looks.clear()
        if (idle == null) return
        throw notFitting(
            idle.name,
            "the setter of ${idle.what} has done nothing: after the restore, its function returns what it did " +
                "before, and not what was saved. Let the setter put what it gets where the function finds it, or do " +
                "not declare what is not to be restored.",
        )
    }

    private inline fun <R> orNull(code: () -> R): R? =
        try {
            code()
        } catch (_: Exception) {
            null
        }
}
