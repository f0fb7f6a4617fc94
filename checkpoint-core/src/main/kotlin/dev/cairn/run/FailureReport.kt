package dev.cairn.run

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Damaged
import dev.cairn.event.CheckpointException.InUse
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.event.CheckpointException.NoMemory
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.CheckpointException.StateDiffers
import dev.cairn.event.CheckpointException.Unreadable
import dev.cairn.event.CommunicatorException
import dev.cairn.event.ExitCode
import dev.cairn.event.RankFailedException
import dev.cairn.event.isPrintedHere
import dev.cairn.event.sentence
import dev.cairn.ranks.Launch
import dev.cairn.ranks.RunFailedException
import dev.cairn.save.Trouble
import dev.cairn.sion.store.DiskException

/**
 * The text that a failed [dev.cairn.simulation] prints on the standard error: one sentence, from one process. An exception of the
 * program itself is printed with its stack trace.
 */
internal object FailureReport {
    /** The exit code of a Java process with an uncaught exception. */
    const val FAILED: Int = 1

    fun print(name: String, failure: Throwable) {
        val launch = Launch.ofThisProcess()
        if (isPrintedHere(failure, launch)) System.err.println("$name: ${text(failure, launch)}")
    }

    /** The exit code of a refusal by Cairn; null for any other failure. */
    fun codeOf(failure: Throwable): ExitCode? {
        val cause = originOf(failure)
        return when {
            cause is CheckpointException -> cause.code
            cause is DiskException -> cause.code
            else -> null
        }
    }

    private val CheckpointException.code: ExitCode?
        get() =
            when (this) {
                // Without a reason, the program itself has read the checkpoint: a restart continues from an older one.
                is Damaged -> if (reason == null) ExitCode.REFUSED else ExitCode.DAMAGED

                is Unreadable -> if (reason in NOT_FOR_THIS) ExitCode.REFUSED else ExitCode.UNREADABLE

                is NotSaved -> if (reason == Reason.PROGRAM) null else ExitCode.UNSAVED

                is InvalidDeclaration, is Mismatch, is InUse, is NoMemory, is StateDiffers -> ExitCode.REFUSED
            }

    private val NOT_FOR_THIS = setOf(Reason.NEWER_FORMAT, Reason.NO_SUCH_CHECKPOINT)

    /** A full disk means that the run could not save; after any other error the disk may work again later. */
    private val DiskException.code: ExitCode
        get() = if (trouble() == DiskException.Trouble.NO_ROOM) ExitCode.UNSAVED else ExitCode.UNREADABLE

    /** All processes of a launcher know the failure; the process of the lowest failed rank prints it. */
    fun isPrintedHere(failure: Throwable, launch: Launch?): Boolean = launch == null || failure.isPrintedHere

    fun text(failure: Throwable, launch: Launch?): String =
        if (failure is RunFailedException) {
            failure.cause?.let { textOf(it, failure.report.failedRank(), failure.report.outcomes.size) }
                ?: failure.message.orEmpty()
        } else {
            textOf(failure, launch?.rank, launch?.size)
        }

    private fun textOf(failure: Throwable, rank: Int?, size: Int?): String {
        val cause = originOf(failure)
        return when {
            cause is CheckpointException -> cause.message + cause.framesOfProgram()
            cause is DiskException -> cause.sentence() + adviceFor(cause)
            cause is CommunicatorException -> cause.message.orEmpty()
            failure is RankFailedException -> failure.message + failure.cause?.frames().orEmpty()
            rank == null -> "$failure${failure.frames()}"
            else -> "rank $rank of $size failed: $failure${failure.frames()}"
        }
    }

    private fun adviceFor(failure: DiskException): String =
        when (failure.trouble()) {
            DiskException.Trouble.NO_ROOM -> ""
            else -> " Nothing is known to be damaged: start the program again when the file system works."
        }

    private fun originOf(failure: Throwable): Throwable? =
        when (failure) {
            is RunFailedException -> failure.cause?.let(::originOf)
            is RankFailedException -> failure.cause
            else -> failure
        }

    /** The stack trace of the program's code, if that code threw. */
    private fun CheckpointException.framesOfProgram(): String {
        if (reason != Reason.PROGRAM) return ""
        return generateSequence(cause) { it.cause }.find { it !is CheckpointException }?.frames().orEmpty()
    }

    /** The stack trace without its first line. */
    private fun Throwable.frames(): String = stackTraceToString().removePrefix(toString()).trimEnd()
}
