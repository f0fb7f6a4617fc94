package dev.cairn.event

import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import java.nio.file.Path

/**
 * A checkpoint, its store or the declared state is not as it must be. The type says what a program can do about it, [reason]
 * distinguishes cases of a type, and the message names the file or item, the expected and the found state, and what to do now.
 *
 * Collective functions throw the same type with the same data on all ranks, whether these share a process or not; [failures] says
 * which ranks failed.
 *
 * Errors of the disk (no such file, no permission, no space) stay the [java.io.IOException] of the file's store, and wrong use stays
 * an [IllegalArgumentException] or [IllegalStateException]: collective functions throw a [RankFailedException] whose cause it is.
 */
public sealed class CheckpointException(internal val details: Details) :
    RuntimeException(details.message, details.cause ?: details.failures.firstOrNull()?.cause) {
    /** The case within its type; null for the usual case, which the text of the type describes. */
    public val reason: Reason? get() = details.reason

    /** The file or directory that the message is about; null if it is about none. */
    public val path: Path? get() = details.path

    /** The items that the message is about, by their names; a parameter, a phase or a moment of hooks has its own name here. */
    public val items: List<String> get() = details.items

    /** With [Reason.NONE_GOOD]: the flaw of each checkpoint in a sentence, newest first. */
    public val flaws: List<String> get() = details.flaws

    /** The ranks that failed, lowest first, each with its cause; empty where ranks took no part. */
    public val failures: List<RankFailedException.Failure> get() = details.failures

    /**
     * The state, a loop or a setting of the program is not valid: a name is declared twice, blocks do not tile a field, an element cannot
     * be stored, the directory cannot hold checkpoints, ranks declare, save or restore different things. Correct the program or its
     * settings.
     */
    public class InvalidDeclaration internal constructor(details: Details) : CheckpointException(details)

    /**
     * A good checkpoint does not fit the program: other items, parameters or loops, a value that it cannot take, an output that differs.
     * Start the program that made it, declare the difference, or begin a new run.
     */
    public class Mismatch internal constructor(details: Details) : CheckpointException(details)

    /**
     * Files of a checkpoint are lost or changed. Restore them from another copy, or use another checkpoint. A restart uses an older
     * checkpoint by itself; it throws this with a [reason] if it cannot.
     */
    public class Damaged internal constructor(details: Details) : CheckpointException(details)

    /** A checkpoint or an output cannot be read now, though it may be good, or there is none. Make it readable, and try again. */
    public class Unreadable internal constructor(details: Details) : CheckpointException(details)

    /** Another program, or this one a second time, writes into the store or the output. Wait for its end, or use another one. */
    public class InUse internal constructor(details: Details) : CheckpointException(details)

    /** The virtual machine has no memory outside of its heap for the buffers through which data go to and from the disk. */
    public class NoMemory internal constructor(details: Details) : CheckpointException(details)

    /** State changed while it was saved, by another thread. Nothing was saved. */
    public class StateDiffers internal constructor(details: Details) : CheckpointException(details)

    /**
     * There is no checkpoint of a step: [reason] says why, and whether a later save may succeed. Without one, a disk has failed, so that a
     * program has ended whose last save, or an output, is not complete; start it again when there is room.
     */
    public class NotSaved internal constructor(details: Details) : CheckpointException(details)

    /** A case that a program may distinguish from others of the same type. */
    public enum class Reason {
        /** [Damaged], [Unreadable]: there are checkpoints, and none can be restored; a user must decide before a new run is started. */
        NONE_GOOD,

        /** [Damaged]: the newest save is on the disks of hosts, of which the program cannot reach all, or its files are damaged. */
        LOST_ON_HOSTS,

        /** [Damaged]: found after the program had got some of its state, and an older one would not replace all of that. */
        HALF_RESTORED,

        /** [Unreadable]: in a format that only a newer version of Cairn reads. */
        NEWER_FORMAT,

        /** [Unreadable]: the checkpoint that was asked for does not exist. */
        NO_SUCH_CHECKPOINT,

        /**
         * [Unreadable], [Mismatch]: a file that the program appends to cannot be read, cut or begun now, or holds something else than
         * the checkpoint says; the checkpoints are not affected.
         */
        OUTPUT,

        /** [InUse]: another program took the store over, or the directory is gone, so this program may no longer change it. */
        TAKEN_OVER,

        /** [StateDiffers]: a save was restored as a check and differs; the state is of no single step, and must not be used. */
        NOT_RESTORED,

        /** [NotSaved]: another save was under way, and the setting when-busy is skip. */
        SKIPPED,

        /** [NotSaved]: there are too few free bytes at the path, or local-limit leaves too few. Nothing was written; make room there. */
        NO_ROOM,

        /** [NotSaved]: the save is on the disks of the hosts, or was, and is not drained while the program runs. */
        NOT_DRAINED,

        /**
         * [NotSaved]: the log of an output has lost cells, or an output has refused bytes, so no later save can succeed; a restart goes on
         * from the last checkpoint.
         */
        LOST_CELLS,

        /** [NotSaved], [Mismatch]: code of the program that saves or restores an item threw the last cause. No file is to blame. */
        PROGRAM,
    }

    /** The content of an exception besides its type. Processes report it to each other, but for [failures] and [cause]. */
    internal data class Details(
        val message: String,
        val items: List<String> = emptyList(),
        val path: Path? = null,
        val reason: Reason? = null,
        val flaws: List<String> = emptyList(),
        val failures: List<RankFailedException.Failure> = emptyList(),
        /** The exception of the program's code, or of the disk. */
        val cause: Throwable? = null,
    )

    /** The name of the type, by which processes report an exception to each other. */
    internal val type: String get() = javaClass.simpleName
}

/** Refuses a declaration of these [items], or of none, unless it [fits]; the message says why not, and what to do. */
internal inline fun requireDeclared(fits: Boolean, vararg items: String, message: () -> String) {
    if (!fits) throw InvalidDeclaration(Details(message(), items.asList()))
}

/** The exception that another process reported by its [type] and [details]; null if this is the name of no type. */
internal fun checkpointException(type: String, details: CheckpointException.Details): CheckpointException? =
    CheckpointException::class.java.permittedSubclasses
        .find { it.simpleName == type }
        ?.getDeclaredConstructor(CheckpointException.Details::class.java)
        ?.newInstance(details) as CheckpointException?

/**
 * The exception of a rank that learned of this failure: of the lowest rank's type, if that is a [CheckpointException]. Ranks that differ
 * in what they pass to Cairn run a program that is not correct.
 */
internal fun RankFailedException.typed(): RuntimeException =
    when (val cause = cause) {
        is CheckpointException -> checkpointException(cause.type, cause.details.copy(failures = failures, cause = null))
        is RankDiffersException -> InvalidDeclaration(Details(difference ?: cause.sentence, failures = failures))
        else -> null
    } ?: this

/** Collective: a [CheckpointException] of [work] reaches all ranks with its own type, not wrapped in another one. */
internal inline fun <T> withTypedFailures(work: () -> T): T =
    try {
        work()
    } catch (failure: RankFailedException) {
        throw failure.typed()
    }
