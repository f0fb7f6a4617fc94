package dev.cairn.item

import dev.cairn.event.CheckpointException
import dev.cairn.event.counted
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ProgramCode
import dev.cairn.ranks.collectively
import dev.cairn.state.ThrowingRunnable
import dev.cairn.store.Parameter

/**
 * The declarations of one rank: its [items], the names of [removed] items and parameters, the names that these had [formerly], the
 * [parameters] with which the program was started, the names of those that may be [changing] within a run, the name of the
 * [program], if Cairn keeps its loop, and what is called [beforeSave] and [afterRestore]. Its
 * [witnesses] are no state. A program that [is for one rank][isForOneRank] is never restarted on more.
 * Messages to the program use its [words].
 */
internal class Declared(
    val items: List<StateItem>,
    val removed: Set<String>,
    val formerly: Map<String, List<String>>,
    val parameters: List<Parameter>,
    val changing: Set<String>,
    val program: String?,
    val beforeSave: Hooks,
    val afterRestore: Hooks,
    val witnesses: List<Witness>,
    val isForOneRank: Boolean,
    val words: KindWords,
) {
    /** Collective if there are functions for that, or tables: all items are restored. */
    suspend fun runAfterRestore(ranks: Communicator) {
        afterRestore.run(ranks)
        val tables = items.filterIsInstance<RowItem>()
        if (tables.isEmpty()) return
        ranks.collectively("look at the rows") {
            items.readingRowsOnce { tables.forEach { it.requireRestored() } }
            tables.forEach { it.release() }
        }
    }
}

/** Functions of the program for one moment of all saves or restores, in the order of their declaration. */
internal class Hooks(
    /** The name of the function by which a program declares them. */
    val moment: String,
    private val refusal: (Throwable) -> CheckpointException,
) {
    private val functions = mutableListOf<ThrowingRunnable>()

    /** All ranks must declare as many, since it decides about a collective call. */
    val inWords: String?
        get() = if (functions.isEmpty()) null else "${counted(functions.size, "function")} of $moment"

    fun add(function: ThrowingRunnable) {
        functions += function
    }

    /** Collective if there are any: calls them on each of the [ranks]. */
    suspend fun run(ranks: Communicator) {
        if (functions.isEmpty()) return
        ranks.collectively(moment) {
            refusing(refusal) {
                ProgramCode.run("a function of $moment") { functions.forEach(ThrowingRunnable::run) }
            }
        }
    }
}

/** A value that a trial of restarts compares beside the items of a program. No checkpoint holds it. */
internal class Witness(val name: String, private val value: () -> Any) {
    /** Its bytes now, which are those of its text in UTF-8 if it has one. */
    fun read(): ByteArray =
        when (val now = ProgramCode.run("the witness '$name'", value)) {
            is ByteArray -> now.copyOf()

            is CharSequence, is Number, is Boolean, is Char -> "$now".encodeToByteArray()

            else -> throw IllegalArgumentException(
                "the witness '$name' returns a ${now.javaClass.name}: let it return a text, a number or bytes, which " +
                    "can be compared",
            )
        }
}
