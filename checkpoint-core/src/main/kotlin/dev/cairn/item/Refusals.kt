package dev.cairn.item

import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.CheckpointException.StateDiffers
import dev.cairn.event.CheckpointException.Unreadable
import dev.cairn.event.phraseOf
import java.io.IOException
import java.nio.file.Path

/** A checkpoint and the program do not agree on an item, which has this [name] in the checkpoint, or on a parameter or phase. */
internal fun notFitting(name: String, difference: String) = Mismatch(Details(difference, listOf(name)))

/** The declaration of [item], or its state now, is not valid. */
internal fun invalid(item: String, flaw: String) = InvalidDeclaration(Details(flaw, listOf(item)))

/** An element of a [table]'s column cannot be stored as it was declared. */
internal fun notStorable(table: String, flaw: String) = invalid(table, flaw + NOT_SAVED)

/** The end of the sentence of [notStorable]. */
internal const val NOT_SAVED = " Nothing was saved."

/** State changed while it was saved, so the written data may belong to no single moment. */
internal fun stateMoved(items: List<String>) =
    StateDiffers(
        Details(
            "${items.joinToString { "'$it'" }} changed while it was saved. Nothing was saved: let no other thread " +
                "write to the state until the save has returned.",
            items,
        ),
    )

/** The beginning of a file that the program appends to differs from the checkpoint's. */
internal fun outputDiffers(
    item: String,
    file: Path,
    length: Long,
    found: String,
    kept: Path?,
    former: String?,
): Mismatch {
    val source =
        if (former == null) {
            "restore the file of that run"
        } else {
            "the output was in $former then. Move that file here, or let the program name it"
        }
    val advice =
        if (kept == null) {
            "$source, or set lost-outputs = begin-anew, and the output continues without what it had."
        } else {
            "$kept has them; it was kept when the output began anew. Rename it to ${file.fileName}, and start again."
        }
    return Mismatch(
        Details(
            "$file: the output '$item' should have the $length bytes that it had when the checkpoint was made, but " +
                "it $found. Nothing was cut: $advice",
            listOf(item),
            file,
            Reason.OUTPUT,
        ),
    )
}

/** A file that the program appends to cannot be read or cut now. */
internal fun unreadableOutput(item: String, file: Path, failure: IOException) =
    Unreadable(
        Details(
            "$file: the output '$item' should be cut back to its length in the checkpoint, but " +
                "${failure.phraseOf(file)}. The checkpoint is good: make sure that the file of that run is there, " +
                "readable and writable, and start again.",
            listOf(item),
            file,
            Reason.OUTPUT,
        ),
    )
