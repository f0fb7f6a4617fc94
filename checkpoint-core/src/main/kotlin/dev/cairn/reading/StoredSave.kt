package dev.cairn.reading

import dev.cairn.event.CheckpointException
import dev.cairn.store.Candidate
import dev.cairn.store.Entry
import dev.cairn.store.Flaw
import dev.cairn.store.Manifest
import dev.cairn.store.Verdict
import java.nio.file.Path
import java.time.Instant

/** A save as names and manifests describe it. */
public sealed class StoredSave private constructor(
    private val entry: Entry.Numbered,
    /** What it is, in words. */
    internal val state: String,
    /** The reason for that, in a sentence, if there is one. */
    internal val cause: String? = null,
) {
    /** Its number, which is unique in the store. */
    @get:JvmName("number")
    public val number: Int get() = entry.number

    /** Its directory. */
    @get:JvmName("directory")
    public val directory: Path get() = entry.path

    /** Whether it is protected from deletion. */
    public val isPinned: Boolean get() = entry.isPinned

    /** Whether it was a checkpoint, and cannot be restored now. */
    internal val isBad: Boolean get() = this is Damaged || this is Lost || this is Unreadable

    override fun toString(): String = "save $number: $state" + if (cause == null) "" else ": $cause"

    /** It was finished, its manifest is valid, and its files exist. Their bytes are verified when they are read. */
    public class Good internal constructor(
        private val candidate: Candidate,
    ) : StoredSave(candidate.entry, "good") {
        private val manifest: Manifest get() = candidate.manifest

        @get:JvmName("step")
        public val step: Long get() = manifest.step

        /** The loop of the program in which it was made. */
        @get:JvmName("phase")
        public val phase: String get() = manifest.phase

        /** The identity of the run; a restart continues the run from which it restores. */
        @get:JvmName("run")
        public val run: String get() = manifest.run

        /** The number of the save before it in its run; null if it is the first one. */
        @get:JvmName("parent")
        public val parent: Int? get() = manifest.parent

        @get:JvmName("time")
        public val time: Instant get() = manifest.time

        @get:JvmName("rankCount")
        public val rankCount: Int get() = manifest.rankCount

        /**
         * The values with which the program was started, by the names that it gives them: texts of numbers, the names of constants,
         * and texts as they are. Empty if it declares none.
         */
        @get:JvmName("parameters")
        public val parameters: Map<String, String> get() = manifest.parameters.associate { it.name to it.value }

        /** The bytes of state in it. */
        @get:JvmName("byteCount")
        public val byteCount: Long get() = manifest.items.sumOf { it.byteCount }

        internal val itemCount: Int get() = manifest.items.size

        override fun toString(): String = "${super.toString()}, step $step"
    }

    /** It was finished, but is no longer good. */
    public class Damaged internal constructor(
        entry: Entry.Numbered,
        /** The damage, in a sentence. */
        @get:JvmName("reason") public val reason: String,
    ) : StoredSave(entry, "damaged", reason)

    /** It was finished, and its manifest is lost, while its data seem to be whole: `cairn recover` restores the manifest. */
    public class Lost internal constructor(
        entry: Entry.Numbered,
        /** The possible remedies, in a sentence. */
        @get:JvmName("reason") public val reason: String,
    ) : StoredSave(entry, "manifest lost", reason)

    /** Its bytes cannot be read now, so it may be good. */
    public class Unreadable internal constructor(
        entry: Entry.Numbered,
        /** The reason, in a sentence. */
        @get:JvmName("reason") public val reason: String,
    ) : StoredSave(entry, "cannot be read now", reason)

    /** It is whole, but in a format that only a newer version reads, so it may be good. */
    public class Unsupported internal constructor(
        entry: Entry.Numbered,
        internal val failure: CheckpointException,
    ) : StoredSave(entry, "not readable by this version", failure.message) {
        /** Its format, in a sentence. */
        @get:JvmName("reason")
        public val reason: String get() = failure.message.toString()
    }

    /**
     * Its data are complete on the disks of the hosts that its file `hosts` names. It becomes a checkpoint when they are drained: by
     * the program that made it, by a restart, or by `cairn drain`.
     */
    public class Sealed internal constructor(
        entry: Entry.Numbered,
        @get:JvmName("step") public val step: Long,
    ) : StoredSave(entry, "complete on its hosts, and not committed") {
        override fun toString(): String = "${super.toString()}, step $step"
    }

    /** It is under way, was never finished, or is half deleted. It is not a checkpoint. */
    public class Unfinished internal constructor(
        entry: Entry.Numbered,
        /** The reason for which the program abandoned it; null if it is not known. */
        @get:JvmName("reason") public val reason: String?,
    ) : StoredSave(entry, "unfinished", reason)

    /**
     * It was deleted: its empty directory keeps the number from being used again. A program that was killed before its save wrote
     * any file leaves the same. It is not a checkpoint.
     */
    public class Deleted internal constructor(
        entry: Entry.Numbered,
    ) : StoredSave(entry, "deleted")
}

/** The save of [entry], on which the store has this [verdict]; null if it is no checkpoint. */
internal fun storedSave(
    entry: Entry.Numbered,
    verdict: Verdict?,
): StoredSave =
    when (verdict) {
        is Verdict.Accepted -> {
            val candidate = verdict.candidate
            if (entry is Entry.Sealed) StoredSave.Sealed(entry, candidate.manifest.step) else StoredSave.Good(candidate)
        }

        is Verdict.Rejected -> {
            when (verdict.flaw) {
                Flaw.DAMAGED -> StoredSave.Damaged(entry, verdict.reason)
                Flaw.LOST -> StoredSave.Lost(entry, verdict.reason)
                Flaw.UNREADABLE -> StoredSave.Unreadable(entry, verdict.reason)
            }
        }

        is Verdict.Unsupported -> {
            StoredSave.Unsupported(entry, verdict.failure)
        }

        null -> {
            if (entry is Entry.Deleted) {
                StoredSave.Deleted(entry)
            } else {
                StoredSave.Unfinished(entry, (entry as? Entry.Unfinished)?.failure)
            }
        }
    }
