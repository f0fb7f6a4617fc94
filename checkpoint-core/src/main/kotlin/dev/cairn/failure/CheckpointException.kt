package dev.cairn.failure

import dev.cairn.text.counted
import dev.cairn.text.sizeText
import java.io.IOException
import java.nio.file.Path

/**
 * A checkpoint, or its store, is invalid or unusable. The message names the file, the expected and the found state, and
 * what to do now; the type is the kind of error.
 *
 * Collective functions throw the same type with the same message on all ranks, whether these share a process or
 * not; [failures] says which ranks failed.
 *
 * Errors of the disk (no such file, no permission, no space) stay the [java.io.IOException] of the file's
 * store, and wrong use stays an [IllegalArgumentException] or [IllegalStateException]: collective functions throw a
 * [RankFailedException] whose cause it is.
 *
 * All types are in this one file because users name them as `CheckpointException.X`; each only holds its sentence.
 */
public sealed class CheckpointException(
    private val details: Details,
) : RuntimeException(details.message, details.reason ?: details.failures.firstOrNull()?.cause) {
    /** The ranks that failed, lowest first, each with its cause; empty where ranks took no part. */
    public val failures: List<RankFailure> get() = details.failures

    internal val kind: String get() = javaClass.simpleName

    internal val facts: List<String> get() = details.facts

    /**
     * The content of an exception besides its kind.
     *
     * @property facts the values of the properties of its type
     * @property reason what code of the program has thrown
     */
    internal class Details(
        val message: String,
        val facts: List<String> = emptyList(),
        val failures: List<RankFailure> = emptyList(),
        val reason: Throwable? = null,
    )

    /** Another program writes into the store, or wrote a moment ago on a host that locks may not reach. */
    public class StoreInUse internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            lock: Path,
            owner: String,
            advice: String,
        ) : this(
            Details(
                "$lock: the store should be free, but it belongs to $owner. $advice",
            ),
        )

        internal constructor(lock: Path, line: String) : this(
            Details(
                "$lock: the store should be free, but this program itself has opened it, in $line, and not closed it " +
                    "yet. Close it before it is opened again, or use another directory.",
            ),
        )
    }

    /** The directory of checkpoints cannot be created or used. */
    public class StoreUnusable internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(store: Path, reason: String) : this(
            Details("$store: it cannot be a directory of checkpoints: $reason. Choose another one, or correct that."),
        )
    }

    /** Another program took the store over, or the directory is missing, so this program may no longer change it. */
    public class StoreTakenOver internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            note: Path,
            owner: String,
            loss: String,
        ) : this(Details("$note: the store should belong to $owner, but $loss"))
    }

    /** A manifest that is not, byte for byte, what its writer wrote. */
    public class DamagedManifest internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            manifest: Path,
            part: String,
            expected: String,
            found: String,
        ) : this(
            Details(
                "$manifest: $part should be $expected, but is $found. " +
                    "The manifest is damaged: restore it from another copy.",
            ),
        )
    }

    /** A manifest in a format that this version does not read. */
    public class UnsupportedManifest internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            manifest: Path,
            found: String,
            readable: String,
        ) : this(
            Details(
                "$manifest: its format should be $readable, but is $found. Use a newer version of Cairn. The " +
                    "checkpoint may be good, so no older one is used in its place.",
            ),
        )
    }

    /** A save in the directory of another save's number, as after a manual copy. */
    public class MisplacedSave internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            manifest: Path,
            directoryNumber: Int,
            manifestNumber: Int,
        ) : this(
            Details(
                "$manifest: it should be the manifest of save $directoryNumber, as its directory says, but it is " +
                    "that of save $manifestNumber. If the whole directory is that of save $manifestNumber, rename " +
                    "it to its own number.",
            ),
        )
    }

    /** A value has a type of which there is no serializer. */
    public class NoSerializer internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(reason: Throwable) : this(
            Details(
                "${reason.text()}: annotate the class with @Serializable, and apply the compiler plugin " +
                    "kotlinx-serialization in the build of the program, without which the annotation has no effect. " +
                    "Or pass a codec of your own.",
            ),
        )
    }

    /** The checkpoint that was asked for does not exist. */
    public class NoSuchCheckpoint internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(sentence: String) : this(Details(sentence))
    }

    /** A save with a manifest, but without its data. */
    public class MissingData internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(data: Path) : this(
            Details(
                "$data: this file of a finished save should exist, but is missing. Restore it from another copy.",
            ),
        )
    }

    /** There are checkpoints, but none of them is good: a user must decide before a new run is started. */
    public class DamagedOnly internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        public val reasons: List<String> get() = facts

        internal constructor(
            store: Path,
            sentence: String,
            reasons: List<String>,
        ) : this(
            Details(
                "$store: $sentence Restore the damaged or missing files from another copy, or deliberately start " +
                    "anew in another directory, a simulation also with --fresh. ${reasons.joinToString(" ")}",
                reasons,
            ),
        )
    }

    /**
     * There are checkpoints, but none can be restored, and at least one only because its bytes cannot be read now: it
     * may be good.
     */
    public class NoneReadable internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        public val reasons: List<String> get() = facts

        internal constructor(
            store: Path,
            sentence: String,
            reasons: List<String>,
        ) : this(
            Details(
                "$store: $sentence Not all are damaged: some cannot be read now. Make them " +
                    "readable, and start again. ${reasons.joinToString(" ")}",
                reasons,
            ),
        )
    }

    /**
     * The newest save is complete on the disks of its hosts, of which the program cannot reach all, or whose files are damaged.
     */
    public class LocalSaveLost internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            sentence: String,
            advice: String,
        ) : this(
            Details(
                "$sentence. ${advice}To give the save up for good, start with --lost-local go-on: then a restart " +
                    "continues from the newest checkpoint, or begins anew if there is none.",
            ),
        )
    }

    /** The bytes of a checkpoint cannot be read now, though they may be good. */
    public class UnreadableData internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            data: Path,
            reason: IOException,
        ) : this(
            Details(
                "$data: it cannot be read now: ${reason.phrase()}. The checkpoint may be good: make it readable, and start again.",
            ),
        )
    }

    /** Another program, or this one a second time, writes the file of an output now. */
    public class OutputInUse internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            file: Path,
            holderAndRemedy: String,
        ) : this(Details("$file: the output should be free, but $holderAndRemedy, or declare another file."))
    }

    /** A NetCDF file holds something else than the program declares now, so the program cannot go on with it. */
    public class OutputDeclaredAnew internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            item: String,
            file: Path,
            difference: String,
        ) : this(
            Details(
                "$file: the output '$item' cannot be continued, since the file $difference. Nothing was changed: " +
                    "declare what the file has, or set lost-outputs = begin-anew, and the output continues without " +
                    "what it had.",
            ),
        )
    }

    /** A file that the program appends to cannot be read, cut or begun now; the checkpoints are not affected. */
    public class UnreadableOutput internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            item: String,
            file: Path,
            reason: IOException,
        ) : this(
            Details(
                "$file: the output '$item' should be cut back to its length in the checkpoint, but " +
                    "${reason.phraseOf(file)}. The checkpoint is good: make sure that the file of that run is there, " +
                    "readable and writable, and start again.",
            ),
        )

        internal constructor(
            item: String,
            file: Path,
            hindrance: String,
        ) : this(
            Details(
                "$file: the output '$item' should begin here, but $hindrance. Name another file, or correct that, " +
                    "and start again.",
            ),
        )
    }

    /** The ranks do not have the same value where they should. */
    public class ReplicatedDiffers internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            item: String,
            ranks: List<Int>,
        ) : this(
            Details(
                "'$item' is declared as replicated, so all ranks should have the same value, but " +
                    "${rankText(ranks)} and rank 0 do not. Nothing was saved: make it the same, or declare " +
                    "it as perRank.",
            ),
        )
    }

    /** The boxes that the ranks declare do not cover the whole field. */
    public class FieldNotTiled internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(flaw: String) : this(Details(flaw))
    }

    /** The tables of contents are not those of the manifest. */
    public class WrongContents internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            data: Path,
            expected: String,
            found: String,
        ) : this(
            Details(
                "$data: the tables of contents should have the digest $expected, but have $found. The data are " +
                    "damaged or belong to another save: restore them from another copy.",
            ),
        )
    }

    /** The copy of the manifest in the index is not that of the manifest. */
    public class WrongCopy internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            data: Path,
            found: String,
        ) : this(
            Details(
                "$data: the index should hold a copy of the manifest, but $found. The data are damaged or belong to " +
                    "another save: restore them from another copy.",
            ),
        )
    }

    /** The meta data of a physical file on the disk of its host are not those that were written. */
    public class WrongMeta internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            file: Path,
            expected: Int,
            found: Int,
        ) : this(
            Details(
                "$file: its meta data should have the CRC32C ${hex(expected)}, but have ${hex(found)}. The file is " +
                    "damaged.",
            ),
        )
    }

    /** The setting `local` names a directory that cannot take saves. */
    public class LocalUnusable internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            directory: Path,
            reason: String,
        ) : this(
            Details(
                "$directory: the setting local names it for saves on the disk of each host, but $reason. Name " +
                    "another directory, or correct that.",
            ),
        )
    }

    /** The tables of contents are those of the manifest, but cannot be decoded. */
    public class DamagedContents internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            data: Path,
            flaw: String,
        ) : this(Details("$data: its tables of contents cannot be read: $flaw. Use another checkpoint."))
    }

    /** The data hold another number of tasks than the manifest states. */
    public class WrongTaskCount internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            data: Path,
            expected: String,
            found: Int,
        ) : this(
            Details(
                "$data: its tasks should be $expected, as the manifest says, but there are $found. " +
                    "It belongs to another save: restore it from another copy.",
            ),
        )
    }

    /** Bytes that differ from the written ones. */
    public class DamagedFrame internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            data: Path,
            rank: Int,
            item: String,
            frame: Int,
            expected: Int,
            found: Int,
        ) : this(
            Details(
                "$data: frame $frame of '$item' of rank $rank should have the CRC32C ${hex(expected)}, but has " +
                    "${hex(found)}. The bytes are damaged: restore them from another copy.",
            ),
        )
    }

    /** The table of contents that a rank wrote is not the one in the index. */
    public class StrayTable internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            data: Path,
            rank: Int,
            difference: String,
        ) : this(
            Details(
                "$data: the records of rank $rank should be those in the index, but $difference. The data are " +
                    "damaged, or mixed from several saves: restore them from another copy.",
            ),
        )
    }

    /** The manifest counts other elements or bytes than the data hold. */
    public class WrongCount internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            data: Path,
            item: String,
            expected: String,
            found: String,
        ) : this(
            Details(
                "$data: '$item' should have $expected, as the manifest says, but has $found. Please report this.",
            ),
        )
    }

    /** The restored state differs from the saved one, although every frame was good: a bug in Cairn. */
    public class WrongDigest internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            data: Path,
            item: String,
            expected: String,
            found: String,
        ) : this(
            Details(
                "$data: '$item' should have the digest $expected once it was read, but has $found, although every " +
                    "frame is good. Please report this.",
            ),
        )
    }

    /** State changed while it was saved, so the written data may belong to no single moment. */
    public class StateMoved internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        /** The items that changed, as found by the first rank that noticed it. */
        public val items: List<String> get() = facts

        internal constructor(
            items: List<String>,
        ) : this(
            Details(
                "${items.joinToString {
                    "'$it'"
                }} changed while it was saved. Nothing was saved: let no other thread " +
                    "write to the state until the save has returned.",
                items,
            ),
        )
    }

    /**
     * The setting check-restart has found that a save, restored into the running program, did not restore its state.
     * The state then belongs to no single step, and must not be used.
     */
    public class StateNotRestored internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        /** The items that differ from the save; empty if the restore itself failed. */
        public val items: List<String> get() = facts
    }

    /** Two rows of a table have the same id. */
    public class IdTwice internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            table: String,
            column: String,
            id: Long,
            ranks: List<Int>,
        ) : this(
            Details(
                "the ids in the column '$column' of the table '$table' should be unique, but two rows have $id, on " +
                    "${rankText(ranks)}. Nothing was saved: give each row an id of its own, or do not declare them " +
                    "as unique.",
            ),
        )
    }

    /** A table's owner function names a rank that does not exist. */
    public class NoSuchOwner internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            table: String,
            owner: Int,
            rankCount: Int,
        ) : this(
            Details(
                "the owner of a row of the table '$table' should be a rank from 0 to ${rankCount - 1}, but its owner " +
                    "function returns $owner. It is called with ${counted(rankCount, "rank")}: let it return one " +
                    "of these.",
            ),
        )
    }

    /** The beginning of a file that the program appends to differs from the checkpoint's. */
    public class OutputDiffers internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            item: String,
            file: Path,
            length: Long,
            found: String,
            kept: Path?,
        ) : this(
            Details(
                "$file: the output '$item' should have the $length bytes that it had when the checkpoint was made, " +
                    "but it $found. Nothing was cut: " +
                    if (kept == null) {
                        "restore the file of that run, or set lost-outputs = begin-anew, and the output continues " +
                            "without what it had."
                    } else {
                        "$kept has them; it was kept when the output began anew. Rename it to " +
                            "${file.fileName}, and start again."
                    },
            ),
        )
    }

    /** An element of a table's column that cannot be stored as it was declared; [item] is the name of the table. */
    public class ColumnNotStorable internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        public val item: String get() = facts.single()

        internal constructor(
            item: String,
            flaw: String,
        ) : this(Details("$flaw Nothing was saved.", listOf(item)))
    }

    /**
     * Code of the program that saves [item] threw the last cause of this exception, or has written what it cannot read. No disk has
     * failed, so a later save would end in the same way.
     */
    public class ItemNotSaved internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        public val item: String get() = facts.single()

        internal constructor(
            kind: String,
            item: String,
            reason: Throwable,
        ) : this(
            Details(
                "the $kind '$item' cannot be saved: the program's own code for it threw ${reason.line()}. " +
                    "No disk has failed, so a later save would end in the same way. Nothing was saved: correct " +
                    "that code, and start again.",
                listOf(item),
                reason = reason,
            ),
        )

        internal constructor(
            item: String,
            rank: Int,
            reason: Throwable,
        ) : this(
            Details(unreadable(item, "on rank $rank its codec threw ${reason.line()}"), listOf(item), reason = reason),
        )

        internal constructor(
            item: String,
            unread: StreamNotRead.Rest,
        ) : this(Details(unreadable(item, "its codec left $unread"), listOf(item)))

        internal constructor(
            item: String,
            rank: Int,
        ) : this(Details(unreadable(item, "on rank $rank its codec reads another value than it wrote"), listOf(item)))

        /** A function of beforeSave, which is no item. */
        internal constructor(
            moment: String,
            reason: Throwable,
        ) : this(
            Details(
                "a function of $moment threw ${reason.line()}. No disk has failed, so a later save would end in " +
                    "the same way. Nothing was saved: correct that function, and start again.",
                listOf(moment),
                reason = reason,
            ),
        )

        private companion object {
            fun unreadable(
                item: String,
                flaw: String,
            ) = "the stream '$item' cannot be read back: $flaw. A restart would fail in the same way. Nothing was " +
                "saved: let the codec read exactly what it writes, and flush what it wraps around its stream."
        }
    }

    /** Code of the program that restores [item] threw the last cause of this exception. The checkpoint is not damaged. */
    public class ItemNotRestored internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        public val item: String get() = facts.single()

        internal constructor(
            kind: String,
            item: String,
            reason: Throwable,
        ) : this(
            Details(
                "the $kind '$item' cannot be restored: the program's own code for it threw ${reason.line()}. " +
                    "The checkpoint is not damaged: let that code take what was saved, or declare " +
                    "removed(\"$item\") and give the item another name.",
                listOf(item),
                reason = reason,
            ),
        )

        /** A function of afterRestore, which is no item. */
        internal constructor(
            moment: String,
            reason: Throwable,
        ) : this(
            Details(
                "a function of $moment threw ${reason.line()}. The checkpoint is not damaged: correct that function, " +
                    "and start again.",
                listOf(moment),
                reason = reason,
            ),
        )
    }

    /** A value that cannot be turned into bytes; [item] is its name. */
    public class ValueNotStorable internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        public val item: String get() = facts.single()

        internal constructor(
            item: String,
            reason: Throwable,
        ) : this(Details("'$item' cannot be stored: ${reason.text()}. Nothing was saved.", listOf(item))) {
            addSuppressed(reason)
        }
    }

    /**
     * A stored value cannot be decoded into the program's present type, although its schema fits; [item] is its name.
     */
    public class ValueDiffers internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        public val item: String get() = facts.single()

        internal constructor(
            item: String,
            reason: Throwable,
        ) : this(
            Details(
                "'$item' in the checkpoint is not a value of the program's type: ${reason.text()}. Let the program " +
                    "read it as it was stored, or declare removed(\"$item\") and give the new one another name.",
                listOf(item),
            ),
        ) {
            addSuppressed(reason)
        }
    }

    /** The checkpoint and the program do not agree on an item; [item] is its name in the checkpoint. */
    public class SchemaDiffers internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        public val item: String get() = facts.single()

        internal constructor(
            item: String,
            difference: String,
        ) : this(Details(difference, listOf(item)))
    }

    /** The checkpoint was made with another value of a [parameter] than the program was started with. */
    public class ParameterDiffers internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        /** Its name in the checkpoint. */
        public val parameter: String get() = facts[0]

        /** Its value in the checkpoint. */
        public val stored: String get() = facts[1]

        /** The value that the program was started with; null if the program does not declare the parameter. */
        public val given: String? get() = facts.getOrNull(2)

        internal constructor(
            parameter: String,
            stored: String,
            given: String?,
            difference: String,
        ) : this(Details(difference, listOfNotNull(parameter, stored, given)))
    }

    /**
     * A checkpoint turned out damaged after the program had got some of its state, and an older one would not replace all of that.
     */
    public class HalfRestored internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        public val item: String get() = facts.single()

        internal constructor(
            item: String,
            sentence: String,
        ) : this(Details(sentence, listOf(item)))
    }

    /** The program did not read a stream to its end when it was restored; [item] is its name. */
    public class StreamNotRead internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        public val item: String get() = facts.single()

        internal constructor(
            item: String,
            rank: Int,
            unread: List<Rest>,
        ) : this(
            Details(
                "rank $rank should read the stream '$item' to its end, but left ${unread.text()}. That state would " +
                    "be lost: read all of it, or skip the bytes that the program no longer needs.",
                listOf(item),
            ),
        )

        /** The [left] unread bytes of the [size] bytes that [rank] stored. */
        internal class Rest(
            private val rank: Int,
            private val left: Long,
            private val size: Long,
        ) {
            override fun toString(): String = "$left of the ${counted(size, "byte")} that rank $rank saved"
        }
    }

    /** The virtual machine has no memory outside of its heap for the buffers through which data go to and from the disk. */
    public class NoDirectMemory internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            needed: Long,
            limit: Long,
            used: Long,
            reason: OutOfMemoryError,
        ) : this(
            Details(
                "a process that saves and restores may need up to ${sizeText(needed)} more outside of the Java " +
                    "heap for its buffers, but the virtual machine allows ${sizeText(limit)}, of which " +
                    "${sizeText(used)} are in use. Set -XX:MaxDirectMemorySize=${(used + needed) / MEBIBYTE + 1}m, " +
                    "which has room for that, or leave that option out to have as much as -Xmx.",
            ),
        ) {
            addSuppressed(reason)
        }

        private companion object {
            const val MEBIBYTE = 1L shl 20
        }
    }

    /** There are too few hosts, or too many of them fail together, for the copies that `local-copies` demands. */
    public class TooFewHosts internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(
            copies: Int,
            flaw: String,
        ) : this(
            Details(
                "local-copies is $copies, but $flaw. Start on other hosts, or set local-copies to at-most-$copies.",
            ),
        )
    }

    /** The save that the program awaits lies sealed on the disks of its hosts, or did, and is not drained while the program runs. */
    public class SaveNotCommitted internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(outcome: String) : this(
            Details(
                "$outcome. There is no commit to wait for: set drain = every, or look at the outcome of a save before you await it.",
            ),
        )
    }

    /** The save that the program awaits was skipped, because another one was under way and when-busy is skip. */
    public class SaveSkipped internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        internal constructor(skipped: String) : this(
            Details(
                "$skipped. There is no checkpoint to wait for: set when-busy = wait, or look at the outcome of " +
                    "a save before you await it.",
            ),
        )
    }

    /**
     * The checkpoint was made in a [phase] that the program does not reach through the same loops as the one that saved
     * it.
     */
    public class NoSuchPhase internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        public val phase: String get() = facts.single()

        internal constructor(
            phase: String,
            difference: String,
        ) : this(Details(difference, listOf(phase)))
    }

    /** The loop of a [phase] begins where a restart could not find it again; see [dev.cairn.Simulation.steps]. */
    public class LoopRefused internal constructor(
        details: Details,
    ) : CheckpointException(details) {
        public val phase: String get() = facts.single()

        internal constructor(
            phase: String,
            reason: String,
        ) : this(Details(reason, listOf(phase)))
    }
}

/** The first one, and how many more there are. */
private fun List<CheckpointException.StreamNotRead.Rest>.text(): String =
    "${first()}" + if (size > 1) ", and bytes of ${counted(size - 1, "more stream")}" else ""

/** Its message in one line without its full stop, for use within a sentence. */
private fun Throwable.text(): String = (message ?: "$this").lineSequence().first().removeSuffix(".")

/** Its type and message in one line without its full stop. */
private fun Throwable.line(): String = "$this".lineSequence().first().removeSuffix(".")

private fun hex(checksum: Int) = "%08x".format(checksum)
