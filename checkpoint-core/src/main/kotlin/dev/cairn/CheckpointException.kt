package dev.cairn

import dev.cairn.comm.rankText
import java.nio.file.Path

/**
 * A checkpoint, or the store that it lies in, is not as it must be. The message says which file, what was expected and
 * found, and what to do now; the type says which kind of trouble it is.
 *
 * Trouble with the disk below (no such file, no permission, no space) stays the [java.io.IOException] of the file's
 * store, and wrong use stays an [IllegalArgumentException] or [IllegalStateException].
 */
public sealed class CheckpointException(
    message: String,
) : RuntimeException(message) {
    /** Another program writes into the store, or wrote a moment ago on a host that locks may not reach. */
    public class StoreInUse internal constructor(
        lock: Path,
        owner: String,
        advice: String,
    ) : CheckpointException("$lock: the store should be free, but it belongs to $owner. $advice")

    /** Another program took the store over, so this one may change nothing in it any more. */
    public class StoreTakenOver internal constructor(
        note: Path,
        owner: String,
        found: String,
    ) : CheckpointException(
            "$note: the store should belong to $owner, but belongs to $found: it was taken over meanwhile. " +
                "This program can save nothing here any more: end it, and go on with the other one.",
        )

    /** A manifest that is not, byte for byte, what its writer wrote. */
    public class DamagedManifest internal constructor(
        manifest: Path,
        part: String,
        expected: String,
        found: String,
    ) : CheckpointException(
            "$manifest: $part should be $expected, but is $found. " +
                "The manifest is damaged: use another checkpoint, or another copy.",
        )

    /** A manifest in a format that this version does not read. */
    public class UnsupportedManifest internal constructor(
        manifest: Path,
        found: String,
        readable: String,
    ) : CheckpointException(
            "$manifest: its format should be $readable, but is $found. Use a newer version of Cairn. The checkpoint " +
                "may be good, so no older one is taken in its place.",
        )

    /** A save that lies under another save's number, as after a copy by hand. */
    public class MisplacedSave internal constructor(
        manifest: Path,
        directoryNumber: Int,
        manifestNumber: Int,
    ) : CheckpointException(
            "$manifest: it should be the manifest of save $directoryNumber, as its directory says, but it is that of " +
                "save $manifestNumber. Give the directory its own number again.",
        )

    /** There are checkpoints, but none of them is good: somebody must look before anything is started afresh. */
    public class DamagedOnly internal constructor(
        store: Path,
        public val reasons: List<String>,
    ) : CheckpointException(
            "$store: it holds ${reasons.size} checkpoints, and none is good. Repair one, or start afresh on " +
                "purpose in another directory. ${reasons.joinToString(" ")}",
        )

    /** The ranks do not have the same value where they should. */
    public class ReplicatedDiffers internal constructor(
        item: String,
        ranks: List<Int>,
    ) : CheckpointException(
            "'$item' is declared as replicated, so all ranks should have the same value, but ${rankText(ranks)} and " +
                "rank 0 do not. Nothing was saved: make it the same, or declare it as perRank.",
        )

    /** The boxes that the ranks declare do not make up the whole field. */
    public class FieldNotTiled internal constructor(
        flaw: String,
    ) : CheckpointException(flaw)

    /** The tables of contents are not those of the manifest. */
    public class WrongContents internal constructor(
        data: Path,
        expected: String,
        found: String,
    ) : CheckpointException(
            "$data: the tables of contents should have the digest $expected, but have $found. The data are damaged " +
                "or belong to another checkpoint: use another one.",
        )

    /** The data hold another number of tasks than the manifest tells. */
    public class WrongTaskCount internal constructor(
        data: Path,
        expected: String,
        found: Int,
    ) : CheckpointException(
            "$data: its tasks should be $expected, as the manifest says, but there are $found. " +
                "It belongs to another checkpoint: use another one.",
        )

    /** Bytes that are not what was written. */
    public class DamagedFrame internal constructor(
        data: Path,
        rank: Int,
        item: String,
        frame: Int,
        expected: Int,
        found: Int,
    ) : CheckpointException(
            "$data: frame $frame of '$item' of rank $rank should have the CRC32C ${hex(expected)}, but has " +
                "${hex(found)}. The bytes are damaged: use another checkpoint.",
        )

    /** The table of contents that a rank wrote is not the one in the index. */
    public class StrayTable internal constructor(
        data: Path,
        rank: Int,
        difference: String,
    ) : CheckpointException(
            "$data: the records of rank $rank should be those that the index tells, but $difference. The data are " +
                "damaged, or put together from several checkpoints: use another one.",
        )

    /** The manifest counts other elements or bytes than the data hold. */
    public class WrongCount internal constructor(
        data: Path,
        item: String,
        expected: String,
        found: String,
    ) : CheckpointException(
            "$data: '$item' should have $expected, as the manifest says, but has $found. Please report this.",
        )

    /** What came back is not what was saved, although every frame was good: a fault of Cairn. */
    public class WrongDigest internal constructor(
        data: Path,
        item: String,
        expected: String,
        found: String,
    ) : CheckpointException(
            "$data: '$item' should have the digest $expected once it was read, but has $found, although every frame " +
                "is good. Please report this.",
        )

    /** Two rows of a table have the same id. */
    public class IdTwice internal constructor(
        table: String,
        column: String,
        id: Long,
        ranks: List<Int>,
    ) : CheckpointException(
            "the ids in the column '$column' of the table '$table' should be unique, but two rows have $id, on " +
                "${rankText(ranks)}. Nothing was saved: give each row an id of its own, or do not declare them " +
                "as unique.",
        )

    /** A table's owner function names a rank that does not exist. */
    public class NoSuchOwner internal constructor(
        table: String,
        owner: Int,
        rankCount: Int,
    ) : CheckpointException(
            "the owner of a row of the table '$table' should be a rank from 0 to ${rankCount - 1}, but its owner " +
                "function says $owner. Make it name one of the $rankCount ranks that it is told of.",
        )

    /** A file that the program appends to does not begin as it was when the checkpoint was made. */
    public class OutputDiffers internal constructor(
        item: String,
        file: Path,
        length: Long,
        found: String,
    ) : CheckpointException(
            "$file: the output '$item' should have the $length bytes that it had when the checkpoint was made, but " +
                "it $found. Nothing was cut: bring the file of that run back, or declare another file.",
        )

    /** The checkpoint and the program do not agree on an item; [item] is its name in the checkpoint. */
    public class SchemaDiffers internal constructor(
        public val item: String,
        difference: String,
    ) : CheckpointException(difference)
}

private fun hex(checksum: Int) = "%08x".format(checksum)
