package dev.cairn.heap

/**
 * A difference between the heaps of two runs at the same step.
 *
 * @property place the field of the program that explains it, as `Vegetation.season`, or a local variable, as `double[] in Heat.main`
 * @property path the shortest way from a root of the program to the first value that differs, as `World.current.vegetation.season`
 * @property unbroken that value in the run without an interruption, in words
 * @property restarted the same after the restart
 * @property count how many values differ at this place, in all objects
 * @property rank whose process it is in; null if the program is one process
 */
internal data class Forgotten(
    val place: String,
    val path: String,
    val unbroken: String,
    val restarted: String,
    val count: Long,
    val note: Note,
    val rank: Int? = null,
) {
    /** Whether it is a single value, in no array and no collection. */
    private val isSingle get() = count == 1L && (path.last() !in "]}" || isOfThread)
    private val isOfThread get() = path.substringAfterLast('[').startsWith("thread ")

    /**
     * Whether the program has computed it anew, if these places [differ] a step later. A value of few states may be the same again by chance
     * as long as the runs differ at all.
     */
    fun isScratch(differ: Set<String>): Boolean =
        place !in differ && (differ.isEmpty() || !isSingle || note is Note.Declared)

    sealed interface Note {
        data object NeverDeclared : Note

        /** The program declared it as [item], and it differs all the same. */
        data class Declared(val item: String) : Note

        /** [items] are read by functions of the program from the object that holds it; whether one of them reads this is not known. */
        data class PerhapsDeclared(val items: List<String>) : Note

        /** The same content of a hash table, in another order: a risk if the program depends on the order. */
        data object OrderOfHash : Note

        /** One array in the unbroken run, two after the restart: a change of one is no longer one of the other. */
        data object NoLongerShared : Note
    }
}

/** Without local variables told again: a suspended function that runs has them on a stack, and in an object that holds them when it waits. */
internal fun List<Forgotten>.onceEach(): List<Forgotten> =
    distinctBy { if (it.place.startsWith(LOCAL)) listOf(it.place, it.unbroken, it.restarted) else it }

/** A place that differs in the processes of several ranks is told once, with the values of the lowest one. */
internal fun List<Forgotten>.onceForRanks(): List<Forgotten> =
    groupBy { if (it.rank == null) it else it.copy(unbroken = "", restarted = "", count = 0, rank = null) }
        .values
        .map { same -> same.first().copy(count = same.sumOf { it.count }) }

/** How the place of a local variable begins. */
internal const val LOCAL = "local variable"
