package dev.cairn.item

import dev.cairn.base.counted
import dev.cairn.comm.Communicator
import dev.cairn.comm.ProgramCode
import dev.cairn.comm.collectively
import dev.cairn.event.CheckpointException

/** Functions of the program for one moment of all saves or restores, in the order of their declaration. */
internal class Hooks(
    /** The name of the function by which a program declares them. */
    val moment: String,
    private val refusal: (moment: String, reason: Throwable) -> CheckpointException,
) {
    private val functions = mutableListOf<Runnable>()

    /** All ranks must declare as many, since it decides about a collective call. */
    val inWords: String?
        get() = if (functions.isEmpty()) null else "${counted(functions.size, "function")} of $moment"

    fun add(function: Runnable) {
        functions += function
    }

    /** Collective if there are any: calls them on each of the [ranks]. */
    suspend fun run(ranks: Communicator) {
        if (functions.isEmpty()) return
        ranks.collectively(moment) {
            try {
                ProgramCode.run("a function of $moment") { functions.forEach(Runnable::run) }
            } catch (failure: Throwable) {
                throw if (failure.isOfProgram) refusal(moment, failure) else failure
            }
        }
    }
}
