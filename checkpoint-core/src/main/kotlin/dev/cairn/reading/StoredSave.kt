package dev.cairn.reading

import dev.cairn.event.CheckpointException
import dev.cairn.store.Candidate
import dev.cairn.store.Manifest
import java.nio.file.Path
import java.time.Instant

/** A save as names and manifests describe it, by its [state]; a [Good] one says more. Immutable, so any thread may use it. */
public sealed class StoredSave(
    /** Its number, which is unique in the store. */
    @get:JvmName("number") public val number: Int,
    /** Its directory. */
    @get:JvmName("directory") public val directory: Path,
    /** Whether it is protected from deletion. */
    public val isPinned: Boolean,
    @get:JvmName("state") public val state: State,
    /** Why it is not good, in a sentence; null if it is, or if no reason is known. */
    @get:JvmName("reason") public val reason: String? = null,
) {
    /** What became of a save. */
    public enum class State {
        /** It was finished, its manifest is valid, and its files exist. Their bytes are verified when they are read. */
        GOOD,

        /** It was finished, but is no longer good. */
        DAMAGED,

        /** It was finished, and its manifest is lost, while its data seem to be whole: `cairn recover` restores the manifest. */
        LOST,

        /** Its bytes cannot be read now, so it may be good. */
        UNREADABLE,

        /** It is whole, but in a format that only a newer version reads, so it may be good. */
        UNSUPPORTED,

        /**
         * Its data are complete on the disks of the hosts that its file `hosts` names. It becomes a checkpoint when they are
         * drained: by the program that made it, by a restart, or by `cairn drain`.
         */
        SEALED,

        /** It is under way, was never finished, or is half deleted. It is not a checkpoint. */
        UNFINISHED,

        /**
         * It was deleted: its empty directory keeps the number from being used again. A program that was killed before its save
         * wrote any file leaves the same. It is not a checkpoint.
         */
        DELETED,
    }

    /** A good one: a checkpoint. */
    public class Good internal constructor(
        private val candidate: Candidate,
    ) : StoredSave(candidate.number, candidate.path, candidate.isPinned, State.GOOD) {
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

        override fun toString(): String = "save $number: good, step $step"
    }

    internal class Damaged(
        number: Int,
        directory: Path,
        isPinned: Boolean,
        reason: String,
    ) : StoredSave(number, directory, isPinned, State.DAMAGED, reason) {
        override fun toString(): String = "save $number: damaged: $reason"
    }

    internal class Lost(
        number: Int,
        directory: Path,
        reason: String,
    ) : StoredSave(number, directory, isPinned = false, State.LOST, reason) {
        override fun toString(): String = "save $number: manifest lost: $reason"
    }

    internal class Unreadable(
        number: Int,
        directory: Path,
        isPinned: Boolean,
        reason: String,
    ) : StoredSave(number, directory, isPinned, State.UNREADABLE, reason) {
        override fun toString(): String = "save $number: cannot be read now: $reason"
    }

    internal class Unsupported(
        number: Int,
        directory: Path,
        isPinned: Boolean,
        val failure: CheckpointException,
    ) : StoredSave(number, directory, isPinned, State.UNSUPPORTED, failure.message) {
        override fun toString(): String = "save $number: not readable by this version: $reason"
    }

    internal class Sealed(
        number: Int,
        directory: Path,
        val step: Long,
    ) : StoredSave(
            number,
            directory,
            isPinned = false,
            State.SEALED,
            "complete on its hosts, and not committed, step $step",
        ) {
        override fun toString(): String = "save $number: $reason"
    }

    internal class Unfinished(
        number: Int,
        directory: Path,
        reason: String?,
    ) : StoredSave(number, directory, isPinned = false, State.UNFINISHED, reason) {
        override fun toString(): String = "save $number: unfinished" + if (reason == null) "" else ": $reason"
    }

    internal class Deleted(
        number: Int,
        directory: Path,
    ) : StoredSave(number, directory, isPinned = false, State.DELETED) {
        override fun toString(): String = "save $number: deleted"
    }
}
