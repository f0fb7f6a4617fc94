package dev.cairn.store

import dev.cairn.CheckpointException
import java.nio.file.Path

/** A checkpoint whose manifest was read and found whole. */
internal data class Candidate(
    val number: Int,
    val path: Path,
    val stored: StoredManifest,
    val isPinned: Boolean,
) {
    val manifest: Manifest get() = stored.manifest

    /** The multifile that holds its data. */
    val data: Path get() = path.resolve(SaveNames.DATA)
}

/** Re-reads of a candidate's data what must be good before the checkpoint is relied on. */
internal fun interface Inspection {
    /** Fails with an [java.io.IOException] or a [dev.cairn.CheckpointException] whose message says what is wrong. */
    fun inspect(candidate: Candidate)
}

/** What a look at one save has shown. */
internal sealed interface Verdict {
    data class Accepted(
        val candidate: Candidate,
    ) : Verdict

    data class Rejected(
        val number: Int,
        val path: Path,
        val reason: String,
    ) : Verdict

    /** Whole, but in a format that this version does not read: so it may be good, and is never passed over. */
    data class Unsupported(
        val number: Int,
        val path: Path,
        val failure: CheckpointException.UnsupportedManifest,
    ) : Verdict
}

/**
 * What a store has to offer to a program that starts. "Cannot be read" is never taken for "there is none". The [notes]
 * are for people: what lies in the store and is no checkpoint.
 */
internal sealed interface Discovery {
    val notes: List<String>

    /** There is no checkpoint: start fresh. */
    data class None(
        override val notes: List<String>,
    ) : Discovery

    /** [newest] is the newest good one; those [rejected] are newer, and those [older] were not looked into. */
    data class Good(
        val newest: Candidate,
        val rejected: List<Verdict.Rejected>,
        val older: List<Entry.Save>,
        override val notes: List<String>,
    ) : Discovery

    /** There are checkpoints, and none is good: stop, and tell a person why. */
    data class DamagedOnly(
        val rejected: List<Verdict.Rejected>,
        override val notes: List<String>,
    ) : Discovery
}
