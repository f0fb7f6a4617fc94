package dev.cairn.ranks

import dev.cairn.ranks.Communicator.Checks
import java.nio.ByteBuffer
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes

/**
 * Carries messages between processes: the whole interface of an implementor. [connect] makes a communicator of it,
 * and for callers that block, [dev.cairn.java.BlockingCommunicator.connect] does.
 *
 * One thread at a time calls it. Messages of one sender, receiver and tag keep their order. Tags use up to 31 bits; a
 * rank may send to itself. Failures throw; a transport never returns as if a message had been sent.
 *
 * The caller that opened a transport closes it, after the last call of every communicator over it.
 */
public interface Transport : AutoCloseable {
    /** This process' rank. */
    public val rank: Int

    /** The number of ranks. */
    public val size: Int

    /** The name of the host on which this rank runs. */
    public val host: String

    /**
     * Sends the remaining bytes of [payload]. Must return without waiting for the receiver, or two ranks that send to
     * each other would wait for ever; and [payload] may be reused when it returns.
     */
    public fun send(target: Int, tag: Int, payload: ByteBuffer)

    /**
     * The next message of rank [source], or of any rank if [source] is negative, that bears [tag]. Waits for at most [nanos]
     * nanoseconds, which may be 0, and returns null if there is none by then; while a message arrives in parts, from one part
     * to the next. The buffer belongs to the caller.
     */
    public fun receive(source: Int, tag: Int, nanos: Long): ByteBuffer?

    /** Ends the whole job at once, on all ranks, because of [reason]. */
    public fun abort(reason: String)

    /**
     * [close] has not returned in time, and the process is about to end without it. Called on another thread. Remaining waits for
     * other processes must not keep this one from ending with its own exit code.
     */
    public fun abandon() {}
}

/**
 * Collective: the ranks of this transport learn each other's hosts. The communicator does not own the transport: the caller that opened
 * it closes it.
 *
 * @param checks the comparisons between the ranks
 * @param limit the default limit of one call's wait for other ranks
 * @param thread the context in which the transport is called, which must stay on one thread; by default that of the caller
 */
public suspend fun Transport.connect(
    checks: Checks = Checks.LOCAL,
    limit: Duration = 10.minutes,
    thread: CoroutineContext = EmptyCoroutineContext,
): Communicator = TransportCommunicator.connect(this, checks, limit, thread)

/** Stands for every rank in [Transport.receive]. */
internal const val ANY_SOURCE = -1
