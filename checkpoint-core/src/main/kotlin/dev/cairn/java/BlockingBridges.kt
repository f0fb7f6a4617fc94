package dev.cairn.java

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ProgramCode
import dev.cairn.ranks.RankThread
import dev.cairn.ranks.requirePresent
import dev.cairn.ranks.runHere
import kotlinx.coroutines.Job
import kotlinx.coroutines.currentCoroutineContext
import kotlin.coroutines.CoroutineContext

/**
 * This seat for a body that blocks the thread on which it is called: that of the rank, on which all operations run, and so all
 * functions of the program that they call.
 *
 * @param open cancelled at the end of the run, for a rank that died and would wait for ever
 */
internal suspend fun Communicator.blocking(open: Job = Job()): BlockingCommunicator {
    val rankContext = currentCoroutineContext()
    val thread = rankContext[RankThread]
    val bridge = if (thread == null) ThreadBridge(open) else TurnBridge(thread, rankContext)
    return BlockingCommunicator(this, RankBridge(this, bridge))
}

/** The bridge of a rank of [ranks], which belongs to the thread that has made it: an operation on another one would wait for that. */
private class RankBridge(private val ranks: Communicator, private val bridge: Bridge) : Bridge {
    private val owner = Thread.currentThread()

    /** The owner waits for an operation, so a call at that time comes from a function of the program in the middle of it. */
    @Volatile private var isBusy = false

    override fun <R> call(operation: suspend () -> R): R {
        if (isBusy) throw ProgramCode.refusal()
        ranks.requirePresent()
        requireOwner()
        isBusy = true
        try {
            return bridge.call(operation)
        } finally {
            isBusy = false
        }
    }

    private fun requireOwner() {
        val caller = Thread.currentThread()
        check(caller === owner) {
            "the thread '${caller.name}' calls the communicator of rank ${ranks.rank}, which belongs to the thread " +
                "'${owner.name}': call it on that thread only."
        }
    }
}

/** Blocks the calling thread. */
internal class ThreadBridge(private val open: Job = Job()) : Bridge {
    private val isBusy = ThreadLocal.withInitial { false }

    override fun <R> call(operation: suspend () -> R): R {
        if (isBusy.get()) throw ProgramCode.refusal()
        isBusy.set(true)
        try {
            return runHere(open, operation)
        } finally {
            isBusy.remove()
        }
    }
}

/** Runs operations on the thread of the rank, in the turns of a deterministic run's scheduler. */
private class TurnBridge(private val thread: RankThread, private val rankContext: CoroutineContext) : Bridge {
    override fun <R> call(operation: suspend () -> R): R = thread.await(rankContext, operation)
}
