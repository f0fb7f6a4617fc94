package dev.cairn.item

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.NestedCallException
import dev.cairn.event.fullLine
import dev.cairn.ranks.ProgramCode
import dev.cairn.sion.store.DiskException
import dev.cairn.store.Flaw
import kotlinx.coroutines.CancellationException

// All code of the program that a save or a restore calls. Whatever it throws is an error of the program: an IOException that it throws
// by itself says nothing about the disk of the checkpoints, nor one of Cairn about the checkpoint that is read or written.

/** Runs the code of the program that saves this item; [place] names it if it calls the communicator. */
internal inline fun <T> StateItem.saving(place: String = "the $word '$name' while Cairn saves it", code: () -> T): T =
    saving(word, name, place, code)

/** Runs the code of the program that saves the item [name]. */
internal inline fun <T> saving(
    kind: String,
    name: String,
    place: String = "the $kind '$name' while Cairn saves it",
    code: () -> T,
): T =
    refusing({ saveFailed("the $kind '$name' cannot be saved: the program's own code for it", name, "code", it) }) {
        ProgramCode.run(place, code)
    }

/** Runs the code of the program that restores this item. */
internal inline fun <T> StateItem.restoring(
    place: String = "the $word '$name' while Cairn restores it",
    code: () -> T,
): T = restoring(word, name, place, code)

/** Runs the code of the program that restores the item [name]. */
internal inline fun <T> restoring(
    kind: String,
    name: String,
    place: String = "the $kind '$name' while Cairn restores it",
    code: () -> T,
): T = refusing({ restoreFailed(kind, name, it) }) { ProgramCode.run(place, code) }

/** Runs code of the program; the [refusal] takes the place of what the program throws. */
internal inline fun <T> refusing(refusal: (Throwable) -> CheckpointException, code: () -> T): T =
    try {
        code()
    } catch (failure: Throwable) {
        throw if (failure.isOfProgram) refusal(failure) else failure
    }

internal fun restoreFailed(kind: String, name: String, failure: Throwable) =
    restoreFailed(
        "the $kind '$name' cannot be restored: the program's own code for it",
        name,
        "let that code take what was saved, or declare removed(\"$name\") and give the item another name",
        failure,
    )

internal fun saveFailed(what: String, item: String, culprit: String, failure: Throwable) =
    NotSaved(
        Details(
            "$what threw ${failure.fullLine()}. No disk has failed, so a later save would end in the same way. " +
                "Nothing was saved: correct that $culprit, and start again.",
            listOf(item),
            reason = Reason.PROGRAM,
            cause = failure,
        ),
    )

internal fun restoreFailed(what: String, item: String, remedy: String, failure: Throwable) =
    Mismatch(
        Details(
            "$what threw ${failure.fullLine()}. The checkpoint is not damaged: $remedy.",
            listOf(item),
            reason = Reason.PROGRAM,
            cause = failure,
        ),
    )

/** Refusals by Cairn, which have a sentence of their own, and failures of the disk come through code of the program, too. */
internal val Throwable.isOfProgram: Boolean
    get() =
        when (this) {
            is CheckpointException -> Flaw.of(this) != null
            is DiskException, is NestedCallException, is CancellationException -> false
            is Exception, is StackOverflowError -> true
            else -> false
        }
