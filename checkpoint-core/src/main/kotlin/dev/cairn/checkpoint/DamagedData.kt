package dev.cairn.checkpoint

import dev.cairn.event.CheckpointException.Damaged
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.Unreadable
import dev.cairn.event.phraseOf
import dev.cairn.sion.failure.SionException
import java.io.IOException
import java.nio.file.Path

// What may be wrong with the data of a checkpoint whose manifest is good.

internal fun missingData(data: Path) =
    damaged(data, "this file of a finished save should exist, but is missing. Restore it from another copy.")

internal fun otherTasks(data: Path, expected: String, found: Int) =
    damaged(
        data,
        "its tasks should be $expected, as the manifest says, but there are $found. It belongs to another save: " +
            "restore it from another copy.",
    )

internal fun wrongContents(data: Path, expected: String, found: String) =
    damaged(data, "the tables of contents should have the digest $expected, but have $found. $OTHER_SAVE")

internal fun wrongCopy(data: Path, found: String) =
    damaged(data, "the index should hold a copy of the manifest, but $found. $OTHER_SAVE")

/** Its records have no lengths that fit. The exception of the multifile numbers its task, which programs do not know. */
internal fun damagedRecords(damaged: SionException.Corrupt) =
    damaged(damaged.file(), "its records cannot be read from byte ${damaged.offset()} on. $OTHER_SAVE", cause = damaged)

/** The tables of contents are those of the manifest, but cannot be decoded. */
internal fun damagedContents(data: Path, flaw: String) =
    damaged(data, "its tables of contents cannot be read: $flaw. Use another checkpoint.")

internal inline fun <T> decodedContents(data: Path, decode: () -> T): T =
    try {
        decode()
    } catch (unfit: IllegalArgumentException) {
        throw damagedContents(data, unfit.message.toString())
    }

/** @param writer the rank that has written it, as [StoredState.writerOf] says */
internal fun damagedFrame(data: Path, writer: String, item: String, frame: Int, expected: Int, found: Int) =
    damaged(
        data,
        "frame $frame of '$item'$writer should have the CRC32C ${hex(expected)}, but has ${hex(found)}. The " +
            "bytes are damaged: restore them from another copy.",
        item,
    )

/**
 * The records that a rank wrote are not those in the index.
 *
 * @param writer that rank, as [StoredState.writerOf] says
 */
internal fun strayTable(data: Path, writer: String, difference: String) =
    damaged(
        data,
        "the records$writer should be those in the index, but $difference. The data are damaged, or mixed " +
            "from several saves: restore them from another copy.",
    )

/** The manifest counts other elements or bytes than the data hold. */
internal fun wrongCount(data: Path, item: String, expected: String, found: String) =
    damaged(data, "'$item' should have $expected, as the manifest says, but has $found. Please report this.", item)

/** The restored state differs from the saved one, although every frame was good: a bug in Cairn. */
internal fun wrongDigest(data: Path, item: String, expected: String, found: String) =
    damaged(
        data,
        "'$item' should have the digest $expected once it was read, but has $found, although every frame is good. " +
            "Please report this.",
        item,
    )

/** The meta data of the physical file [data] of a sealed save are not those that were written, or their note is not. */
internal fun damagedMeta(data: Path, expected: Int, found: Int) =
    damaged(
        data,
        "its meta data should have the CRC32C ${hex(expected)}, as the file 'hosts' of the save says, but have " +
            "${hex(found)}: one of the two is damaged.",
    )

/** The disk returns an error for data that may be good. */
internal fun unreadableData(data: Path, failure: IOException) =
    Unreadable(
        Details(
            "$data: it cannot be read now: ${failure.phraseOf(
                data,
            )}. It may be good: make it readable, and start again.",
            path = data,
            cause = failure,
        ),
    )

private fun hex(checksum: Int): String = "%08x".format(checksum)

private fun damaged(data: Path, flaw: String, item: String? = null, cause: Throwable? = null) =
    Damaged(Details("$data: $flaw", listOfNotNull(item), data, cause = cause))

private const val OTHER_SAVE = "The data are damaged or belong to another save: restore them from another copy."
