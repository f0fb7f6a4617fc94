package dev.cairn

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
            "$manifest: its format should be $readable, but is $found. Read it with a newer version of Cairn.",
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
}
