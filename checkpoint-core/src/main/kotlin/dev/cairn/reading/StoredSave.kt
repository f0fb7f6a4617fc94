package dev.cairn.reading

import dev.cairn.failure.CheckpointException
import dev.cairn.store.Candidate
import dev.cairn.store.Manifest
import java.nio.file.Path
import java.time.Instant

/** A save as names and manifests describe it. */
public sealed class StoredSave(
    /** Its number, of which each is given out once. */
    @get:JvmName("number") public val number: Int,
    /** Its directory. */
    @get:JvmName("directory") public val directory: Path,
    /** Whether it is kept from being deleted. */
    public val isPinned: Boolean,
) {
    /** It was finished, its manifest is whole, and its files are there. Their bytes are verified when they are read. */
    public class Good internal constructor(
        private val candidate: Candidate,
    ) : StoredSave(candidate.number, candidate.path, candidate.isPinned) {
        private val manifest: Manifest get() = candidate.manifest

        @get:JvmName("step")
        public val step: Long get() = manifest.step

        /** In which of the program's loops it was made. */
        @get:JvmName("phase")
        public val phase: String get() = manifest.phase

        /** Tells runs apart; a restart goes on with the run from which it restores. */
        @get:JvmName("run")
        public val run: String get() = manifest.run

        /** The number of the save before it in its run; null if it is the first one. */
        @get:JvmName("parent")
        public val parent: Int? get() = manifest.parent

        @get:JvmName("time")
        public val time: Instant get() = manifest.time

        @get:JvmName("rankCount")
        public val rankCount: Int get() = manifest.rankCount

        /** How many bytes of state it holds. */
        @get:JvmName("byteCount")
        public val byteCount: Long get() = manifest.items.sumOf { it.byteCount }

        internal val itemCount: Int get() = manifest.items.size

        override fun toString(): String = "save $number: good, step $step"
    }

    /** It was finished, and is not good any more. */
    public class Damaged internal constructor(
        number: Int,
        directory: Path,
        isPinned: Boolean,
        /** What is wrong, in a sentence. */
        @get:JvmName("reason") public val reason: String,
    ) : StoredSave(number, directory, isPinned) {
        override fun toString(): String = "save $number: damaged: $reason"
    }

    /** It was finished, and has lost its manifest, while its data seem to be whole: `cairn recover` takes it back. */
    public class Lost internal constructor(
        number: Int,
        directory: Path,
        /** What can be done, in a sentence. */
        @get:JvmName("reason") public val reason: String,
    ) : StoredSave(number, directory, isPinned = false) {
        override fun toString(): String = "save $number: manifest lost: $reason"
    }

    /** The disk does not hand its bytes out now, so it may be good. */
    public class Unreadable internal constructor(
        number: Int,
        directory: Path,
        isPinned: Boolean,
        /** Why not, in a sentence. */
        @get:JvmName("reason") public val reason: String,
    ) : StoredSave(number, directory, isPinned) {
        override fun toString(): String = "save $number: cannot be read now: $reason"
    }

    /** It is whole, but in a format that only a newer version reads, so it may be good. */
    public class Unsupported internal constructor(
        number: Int,
        directory: Path,
        isPinned: Boolean,
        internal val failure: CheckpointException.UnsupportedManifest,
    ) : StoredSave(number, directory, isPinned) {
        /** Which format it is, in a sentence. */
        @get:JvmName("reason")
        public val reason: String get() = failure.message.toString()

        override fun toString(): String = "save $number: not readable by this version: $reason"
    }

    /** It is under way, or was never finished, or is half deleted. It is no checkpoint. */
    public class Unfinished internal constructor(
        number: Int,
        directory: Path,
        /** Why the program gave it up; null if it is not known. */
        @get:JvmName("reason") public val reason: String?,
    ) : StoredSave(number, directory, isPinned = false) {
        override fun toString(): String = "save $number: unfinished" + if (reason == null) "" else ": $reason"
    }

    /**
     * Its directory is empty, and keeps the number from being given out again: it was deleted. A program that was killed before
     * its save wrote anything leaves the same. It is no checkpoint.
     */
    public class Deleted internal constructor(
        number: Int,
        directory: Path,
    ) : StoredSave(number, directory, isPinned = false) {
        override fun toString(): String = "save $number: deleted"
    }
}
