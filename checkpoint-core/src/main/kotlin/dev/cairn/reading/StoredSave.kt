package dev.cairn.reading

import dev.cairn.event.CheckpointException
import dev.cairn.store.Candidate
import dev.cairn.store.Entry
import dev.cairn.store.Flaw
import dev.cairn.store.Manifest
import dev.cairn.store.Verdict
import java.nio.file.Path
import java.time.Instant

/** A save as names and manifests describe it, by its [state]; a [Good] one says more. Immutable, so any thread may use it. */
public sealed class StoredSave private constructor(
    private val entry: Entry.Numbered,
    @get:JvmName("state") public val state: State,
    /** Why it is not good, in a sentence; null if it is, or if no reason is known. */
    @get:JvmName("reason") public val reason: String? = null,
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
    internal val isBad: Boolean get() = state == State.DAMAGED || state == State.LOST || state == State.UNREADABLE

    override fun toString(): String = "save $number: ${state.inWords}" + if (reason == null) "" else ": $reason"

    /** What became of a save. */
    public enum class State(internal val inWords: String) {
        /** It was finished, its manifest is valid, and its files exist. Their bytes are verified when they are read. */
        GOOD("good"),

        /** It was finished, but is no longer good. */
        DAMAGED("damaged"),

        /** It was finished, and its manifest is lost, while its data seem to be whole: `cairn recover` restores the manifest. */
        LOST("manifest lost"),

        /** Its bytes cannot be read now, so it may be good. */
        UNREADABLE("cannot be read now"),

        /** It is whole, but in a format that only a newer version reads, so it may be good. */
        UNSUPPORTED("not readable by this version"),

        /**
         * Its data are complete on the disks of the hosts that its file `hosts` names. It becomes a checkpoint when they are
         * drained: by the program that made it, by a restart, or by `cairn drain`.
         */
        SEALED("complete on its hosts, and not committed"),

        /** It is under way, was never finished, or is half deleted. It is not a checkpoint. */
        UNFINISHED("unfinished"),

        /**
         * It was deleted: its empty directory keeps the number from being used again. A program that was killed before its save
         * wrote any file leaves the same. It is not a checkpoint.
         */
        DELETED("deleted"),
    }

    /** A good one: a checkpoint. */
    public class Good internal constructor(private val candidate: Candidate) :
        StoredSave(candidate.entry, State.GOOD) {
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

    internal class Damaged(entry: Entry.Numbered, reason: String) : StoredSave(entry, State.DAMAGED, reason)

    internal class Lost(entry: Entry.Numbered, reason: String) : StoredSave(entry, State.LOST, reason)

    internal class Unreadable(entry: Entry.Numbered, reason: String) : StoredSave(entry, State.UNREADABLE, reason)

    internal class Unsupported(entry: Entry.Numbered, val failure: CheckpointException) :
        StoredSave(entry, State.UNSUPPORTED, failure.message)

    internal class Sealed(entry: Entry.Numbered, val step: Long) :
        StoredSave(entry, State.SEALED, "complete on its hosts, and not committed, step $step") {
        override fun toString(): String = "save $number: $reason"
    }

    internal class Unfinished(entry: Entry.Numbered, reason: String?) : StoredSave(entry, State.UNFINISHED, reason)

    internal class Deleted(entry: Entry.Numbered) : StoredSave(entry, State.DELETED)
}

/** The save of [entry], on which the store has this [verdict]; null if it is no checkpoint. */
internal fun storedSave(entry: Entry.Numbered, verdict: Verdict?): StoredSave =
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
                StoredSave.Unfinished(
                    entry,
                    if (entry is Entry.Sealed) UNSEALED else (entry as? Entry.Unfinished)?.failure,
                )
            }
        }
    }

/** Also of a save under way, in the moment before it is sealed. */
private const val UNSEALED = "its files are complete on its hosts, but it has no seal"
