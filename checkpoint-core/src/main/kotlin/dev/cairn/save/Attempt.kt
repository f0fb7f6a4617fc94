package dev.cairn.save

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.CommunicatorException
import dev.cairn.event.RankFailedException
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.event.typed
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.allReduce
import dev.cairn.store.Flaw
import java.io.IOException
import java.io.UncheckedIOException

/** The result of one call to save: its outcome, and the exception for a caller that expects a checkpoint. */
internal sealed interface Attempt {
    val outcome: SaveOutcome

    /** The result as the ranks know it since their last meeting. */
    val latest: Attempt get() = this

    class Committed(override val outcome: Saved) : Attempt

    /** The program goes on. A later meeting ends the save, and then [resultOf] the save is another one. */
    class UnderWay(override val outcome: SaveOutcome.UnderWay, private val resultOf: () -> Attempt) : Attempt {
        override val latest: Attempt get() = resultOf()
    }

    /** If it [isFatal], later attempts would fail as well, or would save what is not the program's state. */
    class Unsuccessful(
        override val outcome: SaveOutcome,
        private val failure: RuntimeException,
        val isFatal: Boolean,
    ) : Attempt {
        val thrown: RuntimeException
            get() = if (failure is RankFailedException) failure.typed() else failure
    }

    /** For a caller that continues after errors of the disk. */
    fun requireNotFatal(): Attempt = if (this is Unsuccessful && isFatal) throw thrown else this

    /** For a caller that expects a checkpoint. */
    fun requireCommitted(): Saved =
        when (this) {
            is Committed -> outcome
            is UnderWay -> error("$CLOSED: $outcome. $ADVICE")
            is Unsuccessful -> throw thrown
        }
}

private const val CLOSED = "the checkpoints were closed before the program learned the outcome of the save"
private const val ADVICE = "Await the save before close()."

/** The kinds of failures of a save, by weight: each one outweighs those before it. */
internal enum class Trouble {
    NO_ROOM,
    DISK,

    /** A sealed file on the disk of a host is damaged. */
    DAMAGE,
    PROGRAM,
}

/** Collective: only the failed rank knows the exact cause, and all ranks must decide the same. */
internal suspend fun Communicator.troubleOf(failure: CommunicatorException): Trouble {
    // Ranks that are missing or out of step would not take part in the decision.
    if (failure !is RankFailedException) return Trouble.PROGRAM
    val own =
        failure.failures
            .find { it.rank == rank }
            ?.cause
            ?.let(::troubleOf) ?: Trouble.NO_ROOM
    return Trouble.entries[allReduce(own.ordinal.toLong(), Math::max).toInt()]
}

private fun troubleOf(cause: Throwable): Trouble =
    when {
        cause is CheckpointException && cause.reason == Reason.NO_ROOM -> Trouble.NO_ROOM
        Flaw.of(cause) == Flaw.DAMAGED -> Trouble.DAMAGE
        Flaw.of(cause) == Flaw.UNREADABLE -> Trouble.DISK
        cause is IOException || cause is UncheckedIOException -> Trouble.DISK
        else -> Trouble.PROGRAM
    }
