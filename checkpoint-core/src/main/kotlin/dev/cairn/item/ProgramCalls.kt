package dev.cairn.item

import dev.cairn.comm.NestedCallException
import dev.cairn.comm.ProgramCode
import dev.cairn.failure.CheckpointException
import dev.cairn.failure.CheckpointException.ItemNotRestored
import dev.cairn.failure.CheckpointException.ItemNotSaved
import dev.cairn.failure.DeclarationRefusedException
import dev.cairn.sion.store.DiskException
import dev.cairn.store.Flaw
import kotlinx.coroutines.CancellationException

// All code of the program that a save or a restore calls. Whatever it throws is an error of the program: an IOException that it throws
// by itself says nothing about the disk of the checkpoints, nor one of Cairn about the checkpoint that is read or written.

/** Runs the code of the program that saves this item; [place] names it if it calls the communicator. */
internal inline fun <T> StateItem.saving(
    place: String = "the $kind '$name' while Cairn saves it",
    code: () -> T,
): T = saving("$kind", name, place, code)

/** Runs the code of the program that saves the item [name]. */
internal inline fun <T> saving(
    kind: String,
    name: String,
    place: String = "the $kind '$name' while Cairn saves it",
    code: () -> T,
): T =
    try {
        ProgramCode.run(place, code)
    } catch (failure: Throwable) {
        throw if (failure.isOfProgram) ItemNotSaved(kind, name, failure) else failure
    }

/** Runs the code of the program that restores this item. */
internal inline fun <T> StateItem.restoring(
    place: String = "the $kind '$name' while Cairn restores it",
    code: () -> T,
): T =
    try {
        ProgramCode.run(place, code)
    } catch (failure: Throwable) {
        throw if (failure.isOfProgram) ItemNotRestored("$kind", name, failure) else failure
    }

/** Refusals by Cairn, which have a sentence of their own, and failures of the disk come through code of the program, too. */
internal val Throwable.isOfProgram: Boolean
    get() =
        when (this) {
            is CheckpointException -> Flaw.of(this) != null
            is DeclarationRefusedException, is DiskException, is NestedCallException, is CancellationException -> false
            is Exception, is StackOverflowError -> true
            else -> false
        }
