@file:JvmName("Simulations")

package dev.cairn

import dev.cairn.comm.Communicator
import dev.cairn.comm.RankFailedException
import dev.cairn.comm.RunFailedException
import dev.cairn.comm.ranks
import dev.cairn.sion.store.FileBlockStore
import kotlin.system.exitProcess

/**
 * Runs a program as a command: `--ranks 8 --dir heat.cairn --every 100 --every-seconds 60 --fresh`. If there is a checkpoint
 * in the directory, the program goes on from it, on however many ranks it has now.
 *
 * Returns when the program has finished; otherwise ends the process with an [ExitCode].
 *
 * @param name the name of the program; its checkpoints are in `name.cairn` unless said otherwise
 */
public suspend fun simulation(
    name: String,
    args: Array<String>,
    body: suspend Simulation.() -> Unit,
) {
    val code = runSimulation(name, args, body)
    if (code != ExitCode.FINISHED) exitProcess(code.number)
}

/** As [simulation], for programs that want to know how it ended. What failed is printed to the standard error. */
public suspend fun runSimulation(
    name: String,
    args: Array<String>,
    body: suspend Simulation.() -> Unit,
): ExitCode {
    val arguments =
        try {
            SimulationArguments.parse(name, args)
        } catch (wrong: IllegalArgumentException) {
            System.err.println("$name: ${wrong.message}")
            return ExitCode.REFUSED
        }
    return try {
        val stopped = ranks(arguments.rankCount) { run(arguments, body) }
        if (stopped.any { it }) ExitCode.UNFINISHED else ExitCode.FINISHED
    } catch (failure: RunFailedException) {
        report(name, failure)
    }
}

private suspend fun Communicator.run(
    arguments: SimulationArguments,
    body: suspend Simulation.() -> Unit,
): Boolean {
    val signals = shareInProcess { SignalRequests() }
    val files = FileBlockStore()
    val inFiles = FileRequests(files, arguments.directory)
    val requests = Requests { maxOf(signals.take(), inFiles.take()) }
    val simulation = Simulation(this, arguments.directory, arguments.triggers, CheckpointOptions(), files, requests)
    return simulation.use {
        it.body()
        it.requireResumed()
        it.isStopped
    }
}

private fun report(
    name: String,
    failure: RunFailedException,
): ExitCode {
    val cause = (failure.cause as? RankFailedException)?.cause ?: failure.cause
    System.err.println("$name: ${cause?.message ?: failure.message}")
    return when (cause) {
        is CheckpointException.DamagedOnly -> ExitCode.DAMAGED
        is CheckpointException -> ExitCode.REFUSED
        else -> throw failure
    }
}

/** How the process of a [simulation] ends. */
public enum class ExitCode(
    /** What the shell sees. */
    public val number: Int,
) {
    /** All steps were done. */
    FINISHED(0),

    /** The arguments or the checkpoint do not fit the program. */
    REFUSED(64),

    /** There are checkpoints, and none of them is good. */
    DAMAGED(65),

    /** The state was saved, and steps are left: start again to go on. */
    UNFINISHED(75),
}
