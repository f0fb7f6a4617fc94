package dev.cairn.event

import dev.cairn.sion.store.DiskException
import java.io.IOException

/** Ranks could not work together. All participating ranks throw it with the same message. */
public sealed class CommunicatorException(message: String, cause: Throwable? = null) : RuntimeException(message, cause)

/** Some ranks did not reach a call before its limit; [absentees] lists them, and their last known calls. */
public class RanksMissingException internal constructor(internal val rollCall: RollCall) :
    CommunicatorException(rollCall.toString()) {
        /** The call that could not complete, and its activity. */
        public val call: String get() = rollCall.call

        /** The number of ranks that arrived. */
        public val presentCount: Int get() = rollCall.presentCount

        /** The missing ranks, lowest first. */
        public val absentees: List<Absentee> get() = rollCall.absentees

        /** The reason for the end of the wait. */
        public val reason: String get() = rollCall.reason

        /** A missing rank. */
        public class Absentee internal constructor(
            public val rank: Int,
            public val host: String,
            public val lastSeen: String,
        ) {
            /** The rank, its host and where it was last seen. */
            override fun toString(): String = "rank $rank on $host: $lastSeen"
        }
    }

/**
 * At least one rank failed at [step]. [failures] begins with the lowest rank; its cause is also the cause of this exception.
 * All ranks throw it, with the same data.
 */
public class RankFailedException private constructor(
    message: String,
    public val step: String,
    public val failures: List<RankFailedException.Failure>,
) : CommunicatorException(message, failures.first().cause) {
    public constructor(step: String, failures: List<RankFailedException.Failure>) :
        this(failureText(step, failures), step, failures)

    /** The lowest rank that failed. */
    public val rank: Int get() = failures.first().rank

    /** The host of that rank. */
    public val host: String get() = failures.first().host

    /**
     * One rank's failure. Other processes get a [dev.cairn.event.CheckpointException] and a [DiskException] with their types and messages,
     * and for any other [cause] a [RuntimeException] with its text.
     * Immutable.
     */
    public class Failure internal constructor(
        public val rank: Int,
        public val host: String,
        public val cause: Throwable,
        /** Whether it happened in this process and was reported to others. */
        internal val isHere: Boolean,
        /** The step that failed; null if it is the one at which the ranks settle. */
        internal val step: String? = null,
    ) {
        public constructor(rank: Int, host: String, cause: Throwable) : this(rank, host, cause, isHere = false)

        /** The failure in one sentence. */
        override fun toString(): String = "rank $rank on $host failed: $reason"

        internal val reason: String?
            get() = if (cause is DiskException) cause.message else sentenceIn("$cause")
    }

    internal companion object {
        /** The failure of the only rank, whose program may know no ranks. */
        fun ofOnly(step: String, failure: Failure) =
            RankFailedException("'$step' failed: ${failure.reason}", step, listOf(failure))
    }
}

/** The ranks called different things at the same point, or the same thing with arguments that do not fit together. */
public open class CallsDifferException(message: String) : CommunicatorException(message)

/**
 * [rank] differs from rank 0: [own] and [ofRoot] describe the difference, and [advice] is for all. Processes send these texts to each
 * other, so that all ranks throw one text, which names each rank that differs.
 */
internal class RankDiffersException(rank: Int, val own: String, val ofRoot: String, val advice: String) :
    CallsDifferException("rank $rank $own, but $ofRoot. $advice") {
    val sentence: String get() = message.orEmpty()
}

/** The reason for all failures in one sentence, if each is a [RankDiffersException] with the same reference. */
internal val RankFailedException.difference: String? get() = differenceIn(failures)

private fun differenceIn(failures: List<RankFailedException.Failure>): String? {
    val differing = failures.map { it.cause as? RankDiffersException ?: return null }
    val (ofRoot, advice) = differing.map { it.ofRoot to it.advice }.distinct().singleOrNull() ?: return null
    val groups = failures.groupBy({ (it.cause as RankDiffersException).own }, { it.rank })
    val listed =
        groups.entries.take(NAMED_COUNT).map { (own, ranks) ->
            val others = ranks.drop(1)
            val also = if (others.size == 1) ", as does " else ", as do "
            "rank ${ranks.first()} $own" + if (others.isEmpty()) "" else also + rankText(others)
        }
    val more = if (groups.size > NAMED_COUNT) ", others something else" else ""
    return listed.joinToString() + "$more, but $ofRoot. $advice"
}

/**
 * A launcher has started several processes, but their transport is missing, cannot be loaded, or knows of other ones.
 * Thrown by each process, where its ranks begin.
 */
public class TransportMissingException
    @JvmOverloads
    constructor(message: String, cause: Throwable? = null) :
    CommunicatorException(message, cause)

/** Whether the ranks are out of step after this failure: they cannot agree on anything any more. */
internal val Throwable.isOutOfStep: Boolean get() = this is RanksMissingException || this is CallsDifferException

/** The ranks that failed, if all ranks know of this failure; the lowest comes first. */
internal val Throwable.rankFailures: List<RankFailedException.Failure>
    get() =
        when (this) {
            is RankFailedException -> failures
            is CheckpointException -> failures
            else -> emptyList()
        }

/** Whether disks alone have failed, so that the same call may succeed later. The same on all ranks. */
internal val Throwable.isOfDisks: Boolean
    get() = this is RankFailedException && failures.all { it.cause is DiskException }

/**
 * Whether this process prints this failure: one that all processes know of is printed by that of the lowest failed rank
 * only.
 */
internal val Throwable.isPrintedHere: Boolean get() = rankFailures.firstOrNull()?.isHere ?: true

/** The text of an exception that another process threw. */
internal class RemoteFailure(private val text: String) : RuntimeException(text) {
    /** The text of the original, which begins with its type. */
    override fun toString(): String = text
}

/**
 * The text of a [failure] without its type, if that is Cairn's own or Java's plain one for files and networks: their messages are
 * sentences.
 */
private fun sentenceIn(failure: String): String {
    val type = failure.substringBefore(':')
    return if (type.startsWith(OF_CAIRN) || type == OF_FILES) failure.substringAfter(": ") else failure
}

private const val OF_CAIRN = "dev.cairn."
private val OF_FILES = IOException::class.java.name

private fun failureText(step: String, failures: List<RankFailedException.Failure>): String {
    differenceIn(failures)?.let { return "'$step' was abandoned on all ranks, because $it" }
    val others = failures.drop(1).map { it.rank }
    val also = if (others.isEmpty()) "" else "; ${rankText(others)} failed too"
    return "'$step' was abandoned on all ranks, because ${failures.first()}$also"
}

private const val NAMED_COUNT = 16
