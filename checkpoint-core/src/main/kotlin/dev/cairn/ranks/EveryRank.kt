package dev.cairn.ranks

import dev.cairn.event.CommunicatorException
import dev.cairn.event.RankFailedException
import dev.cairn.event.RanksMissingException
import dev.cairn.event.TransportMissingException
import dev.cairn.event.counted
import dev.cairn.event.isPrintedHere
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.completeWith
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import java.lang.System.Logger.Level.INFO
import kotlin.concurrent.thread
import kotlin.coroutines.ContinuationInterceptor
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * Runs [body] on every rank of this program, and returns the results of the ranks in this process.
 *
 * If a launcher such as `mpirun` has started this process as one of several, [body] runs once here, on a thread of its
 * own, and its communicator reaches the other processes. Otherwise [count] ranks run in this process, as with [ranks].
 *
 * A failure that all processes know of is thrown on all of them. A process that fails alone ends the whole job, with a
 * message that names its rank and host.
 */
public suspend fun <T> everyRank(count: Int, body: suspend Communicator.() -> T): List<T> {
    val launch = Launch.ofThisProcess() ?: return ranks(planHere(count), body)
    val caller = Thread.currentThread()
    caller.printUncaughtOnce()
    val end = EndOfProgram(EndOfProgram.limitOfThisProcess())
    return listOf(
        launch.takePart(body, end = end, untilHandled = { end.awaitEndOf(caller) }) { launch.openTransport() },
    )
}

/**
 * Java prints an uncaught exception when its thread ends. If all processes throw the same exception, only one prints
 * it. A handler of the program's own stays in place.
 */
internal fun Thread.printUncaughtOnce() {
    val byJava = threadGroup
    if (uncaughtExceptionHandler !== byJava || Thread.getDefaultUncaughtExceptionHandler() != null) return
    setUncaughtExceptionHandler { thread, failure ->
        if (failure.isPrintedHere) byJava.uncaughtException(thread, failure)
    }
}

/**
 * An event loop of its own, so that its coroutines stay on its thread, even if the program blocks that thread.
 *
 * The processes part when they close the transport. After a failure each of them waits for [untilHandled] first, so that no process
 * exits, and makes the launcher end the others, before the failure is printed. If the close does not return, the process
 * [ends][EndOfProgram] without it; so its thread is a daemon, and another thread keeps the process alive.
 */
internal suspend fun <T> Launch.takePart(
    body: suspend Communicator.() -> T,
    patience: Duration = PATIENCE,
    end: EndOfProgram = EndOfProgram(Duration.INFINITE),
    untilHandled: () -> Unit = {},
    open: () -> Transport,
): T {
    val result = CompletableDeferred<T>()
    var outcome: Result<T>? = null
    end.await("end of rank $rank") { result.completeWith(checkNotNull(outcome)) }
    thread(name = threadName(rank), isDaemon = true) {
        outcome =
            runCatching { open() }.mapCatching { transport ->
                val played =
                    runBlocking {
                        play(transport, patience, body) { failure ->
                            // On another thread, since the program may go on there, and exit.
                            thread(name = "failure of rank $rank") { result.completeExceptionally(failure) }
                            untilHandled()
                        }
                    }
                outcome = played
                val closed = runCatching { end.close(transport) }
                played.getOrThrow().also { closed.getOrThrow() }
            }
        end.ended()
    }
    return result.await()
}

/** Each process waits for the others at the end, since launchers end the whole job when one exits with a failure. */
private suspend fun <T> Launch.play(
    transport: Transport,
    patience: Duration,
    body: suspend Communicator.() -> T,
    untilHandled: (Throwable) -> Unit,
): Result<T> {
    val (world, leaving) = runCatching { join(transport) }.getOrElse { return Result.failure(it.also(untilHandled)) }
    val outcome = runCatching { world.body() }
    val leaveFailure = runCatching { leaving.leave(outcome.exceptionOrNull(), patience) }.exceptionOrNull()
    val failure = outcome.exceptionOrNull() ?: leaveFailure ?: return outcome
    val isKnown = leaveFailure is RankFailedException
    if (!isKnown) transport.abort("rank $rank on ${transport.host} ${lastWords(failure)}")
    untilHandled(failure)
    if (isKnown) leaving.during("", Duration.INFINITE).barrier()
    return Result.failure(failure)
}

/** All ranks, and a communicator for their end, where this call is the same on all, independently of their earlier calls. */
private suspend fun Launch.join(transport: Transport): Pair<Communicator, Communicator> {
    if (transport.size != size) {
        val known = counted(transport.size, "rank")
        throw TransportMissingException(
            "$this, but its transport knows of $known: the launcher and the library may belong to different MPIs. " +
                "Make them find each other: with Slurm, use 'srun --mpi=pmix' for Open MPI, 'srun --mpi=pmi2' for " +
                "MPICH, or that MPI's launcher.",
        )
    }
    val thread = checkNotNull(currentCoroutineContext()[ContinuationInterceptor])
    val world = TransportCommunicator.connect(transport, thread = thread)
    return world to checkNotNull(world.split(group = 0))
}

/** The reason for which this process ends the job: one sentence; for an exception of the program, its stack trace. */
private fun lastWords(failure: Throwable): String =
    if (failure is CommunicatorException) {
        "ends the job: ${failure.message}"
    } else {
        "failed and ends the job, while others continue: ${failure.stackTraceToString().trimEnd()}"
    }

/**
 * Collective: waits until all ranks have reached the end, and throws if any failed. A rank that failed waits [patience]
 * or twice as long before it ends the job.
 */
private suspend fun Communicator.leave(failure: Throwable?, patience: Duration) {
    val ending = during("", Duration.INFINITE)
    if (failure == null) {
        ending.settle(THE_END, null)
    } else {
        withTimeout(patience * turn(failure)) { ending.settle(THE_END, failure) }
    }
}

/**
 * The lowest rank that waits for missing ones ends the job; the others end it only if that rank does not.
 */
private fun Communicator.turn(failure: Throwable): Int {
    val absentees =
        (failure as? RanksMissingException)
            ?.rollCall
            ?.absentees
            ?.map { it.rank }
            .orEmpty()
    val lowest = (0 until size).firstOrNull { it !in absentees }
    return if (absentees.isEmpty() || rank == lowest) 1 else 2
}

/** Opens the transport for this process; one rank logs the choice and its reason. */
private fun Launch.openTransport(): Transport {
    val choice =
        try {
            TransportChoice.ofThisProcess()
        } catch (missing: TransportMissingException) {
            throw TransportMissingException(
                "$this. ${missing.message} Or start the program without $launcher.",
                missing,
            )
        }
    return choice.provider.open().also { if (rank == 0) LOG.log(INFO, choice.sentence(it)) }
}

private val LOG: System.Logger = System.getLogger(Launch::class.java.name)

private const val THE_END = "the end of the program"

/** The time that a failed rank waits for the others to fail, too. */
private val PATIENCE = 5.seconds
