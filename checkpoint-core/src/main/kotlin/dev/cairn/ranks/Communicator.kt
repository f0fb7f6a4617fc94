package dev.cairn.ranks

import dev.cairn.event.RankFailedException
import dev.cairn.event.RanksMissingException
import kotlinx.coroutines.CancellationException
import java.nio.ByteBuffer
import java.util.function.BinaryOperator
import kotlin.time.Duration

/**
 * One rank's seat among [size] ranks that work together.
 *
 * A payload is the remaining bytes of a buffer. It is copied when it is handed over, so the caller may reuse its
 * buffer at once; its position is not moved. Buffers that come back are read-only and little-endian, and start at
 * position 0. A list that comes back makes a fresh view at each access.
 *
 * Functions marked "Collective:" must be called by all ranks, in the same order. Each is named by its operation and its
 * [activity], and each has a [limit]: when it passes, all waiting ranks throw [RanksMissingException], whose roll call
 * names the missing ranks.
 *
 * A communicator belongs to one rank. Collectives of one communicator are called one after the other; sending and
 * receiving may go on beside them in other coroutines of the same rank. It owns nothing that must be closed.
 */
public interface Communicator {
    /** This rank's index among [size]. */
    public val rank: Int

    /** The number of ranks. */
    public val size: Int

    /** The name of the host on which this rank runs. */
    public val host: String

    /** The name of this communicator in messages: `world`, or the name of a part of it. */
    public val name: String

    /** The present activity of the program, for messages. */
    public val activity: String

    /** The limit of one call's wait for other ranks. */
    public val limit: Duration

    /** The same seat, whose calls from now on carry the name [activity] and wait for at most [limit]. */
    public fun during(activity: String, limit: Duration = this.limit): Communicator

    /** Notes where this rank is between two calls, for roll calls. Costs no message. */
    public fun note(place: String)

    /** Sends [payload] to [target] without waiting for the receiver. Messages of a pair and a tag keep their order. */
    public suspend fun send(target: Int, tag: Int, payload: ByteBuffer)

    /** Waits for the next message of rank [source] that bears [tag]. */
    public suspend fun receive(source: Int, tag: Int): ByteBuffer

    /**
     * The next message of rank [source] that bears [tag], if it has arrived; null otherwise. Does not wait. Throws
     * [RanksMissingException] if it is known that none will come.
     */
    public suspend fun poll(source: Int, tag: Int): ByteBuffer?

    /** Collective: returns when all ranks have arrived. */
    public suspend fun barrier()

    /** Collective: returns the payload of [root] on all ranks. The arguments of the other ranks are ignored. */
    public suspend fun broadcast(root: Int, payload: ByteBuffer?): ByteBuffer

    /** Collective: gives [root] the payloads of all ranks, in their order, and an empty list to the others. */
    public suspend fun gather(root: Int, payload: ByteBuffer): List<ByteBuffer>

    /** Collective: gives each rank its element of the list that [root] passes. The other ranks may pass null. */
    public suspend fun scatter(root: Int, payloads: List<ByteBuffer>?): ByteBuffer

    /** Collective: returns the payloads of all ranks, in their order, on all ranks. */
    public suspend fun allGather(payload: ByteBuffer): List<ByteBuffer>

    /** Collective: element i of [payloads] goes to rank i; element i of the result came from rank i. */
    public suspend fun allToAll(payloads: List<ByteBuffer>): List<ByteBuffer>

    /**
     * Collective: returns the combined payloads of all ranks on all ranks. All payloads have the same size.
     *
     * @param combination puts the payload of lower ranks, its first argument, and that of upper ones together. It is associative: the
     *     order of ranks is kept, but where the parentheses fall is up to the implementation. It leaves both as they are; the
     *     result may be a new buffer.
     */
    public suspend fun allReduce(payload: ByteBuffer, combination: BinaryOperator<ByteBuffer>): ByteBuffer

    /**
     * Collective: gives each rank the combined payloads of those below it; null to rank 0. All have the same size, and [combination] is
     * one as for [allReduce].
     */
    public suspend fun exScan(payload: ByteBuffer, combination: BinaryOperator<ByteBuffer>): ByteBuffer?

    /**
     * Collective: ranks that pass the same [group] get a communicator of their own, in the order of [key] and then of
     * their rank here. A rank that passes [NO_GROUP] gets null.
     */
    public suspend fun split(group: Int, key: Int = rank): Communicator?

    /** Collective: the ranks that share this rank's [host]. */
    public suspend fun hostGroup(): Communicator

    /**
     * Collective: returns on all ranks if no rank brings a [failure]; if any does, throws the same
     * [RankFailedException] on all. Most callers want [collectively].
     */
    public suspend fun settle(step: String, failure: Throwable?)

    /**
     * An object that the ranks of this process share, such as open files: the first rank to arrive makes it with
     * [make], which gets the number of sharing ranks, and the others get the same object. All ranks call it at the same
     * place among their collectives, but no rank waits, and no message is sent. Ranks on different simulated hosts
     * share nothing.
     */
    public fun <T : Any> shareInProcess(make: (rankCount: Int) -> T): T

    public companion object {
        /** Passed to [split] by a rank that joins no part. */
        public const val NO_GROUP: Int = -1

        /** Tags run from 0 to this number. */
        public const val LARGEST_TAG: Int = 32767
    }

    /** The checks at every collective, ordered by cost. Arguments that one rank can judge alone are always checked. All ranks pass the same. */
    public enum class Checks {
        /**
         * No check that costs a message. For production. Between processes, each rank waits only for those from which it
         * receives, so ranks that name different roots may not notice it, and none does if each names itself.
         */
        LOCAL,

        /** All ranks call the same collective, with the same root and activity. */
        CALLS,

        /** And their payloads have the same size where a collective demands it. For tests and simulation. */
        SIZES,
    }
}

/**
 * Collective: runs [work] on this rank, then learns the outcome on the others. Returns if all succeeded. If [work]
 * threw on any rank, all ranks throw the same [RankFailedException], so none waits for a rank that has failed.
 *
 * [work] itself must not call collectives of this communicator: a rank that fails would miss them.
 */
public suspend fun <T> Communicator.collectively(step: String, work: suspend () -> T): T {
    note(step)
    val outcome = runCatching { work() }
    val failure = outcome.exceptionOrNull()
    if (failure is CancellationException) throw failure
    settle(step, failure)
    return outcome.getOrThrow()
}

/** The rank that plans, creates and closes. */
internal const val ROOT = 0
