@file:JvmName("Simulations")

package dev.cairn

import dev.cairn.comm.Communicator
import dev.cairn.comm.RankFailedException
import dev.cairn.comm.RunFailedException
import dev.cairn.comm.ranks
import dev.cairn.config.CommandLine
import dev.cairn.config.Surroundings
import dev.cairn.config.helpText
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import kotlin.system.exitProcess

/**
 * Runs a program as a command: `--ranks 8 --dir heat.cairn --every 100 --fresh`; `--help` lists all options. If there is a
 * checkpoint in the directory, the program goes on from it, on however many ranks it has now.
 *
 * Returns when the program has finished; otherwise ends the process with an [ExitCode].
 *
 * @param name the name of the program; its checkpoints are in `name.cairn` unless said otherwise
 * @param options what the program says; a file of settings, the environment and the command line go over it
 */
public suspend fun simulation(
    name: String,
    args: Array<String>,
    options: SimulationOptions = SimulationOptions.DEFAULT,
    body: suspend Simulation.() -> Unit,
) {
    val code = runSimulation(name, args, options, body)
    if (code != ExitCode.FINISHED) exitProcess(code.number)
}

/** As [simulation], for programs that want to know how it ended. What failed is printed to the standard error. */
public suspend fun runSimulation(
    name: String,
    args: Array<String>,
    options: SimulationOptions = SimulationOptions.DEFAULT,
    body: suspend Simulation.() -> Unit,
): ExitCode = runSimulation(name, args, FileBlockStore(), options, body)

/** As the public one, on other [files]. */
internal suspend fun runSimulation(
    name: String,
    args: Array<String>,
    files: BlockStore,
    program: SimulationOptions = SimulationOptions.DEFAULT,
    body: suspend Simulation.() -> Unit,
): ExitCode {
    val options =
        try {
            val line = CommandLine.parse(args.toList(), Settings.ALL)
            if (line.isHelp) return explain(name, program)
            program.configured(name, line, Surroundings.ofThisProcess())
        } catch (wrong: IllegalArgumentException) {
            System.err.println("$name: ${wrong.message}")
            return ExitCode.REFUSED
        }
    return try {
        val endings = ranks(options.rankCount) { run(options, files, body) }
        report(name, endings.first())
    } catch (failure: RunFailedException) {
        report(name, failure)
    }
}

private suspend fun Communicator.run(
    options: SimulationOptions,
    files: BlockStore,
    body: suspend Simulation.() -> Unit,
): Ending {
    val signals = shareInProcess { SignalRequests() }
    val inFiles = FileRequests(files, options.directory)
    val requests = Requests { maxOf(signals.take(), inFiles.take()) }
    val simulation = Simulation(this, options.directory, options.triggers, options.checkpoints, files, requests)
    return simulation.use {
        it.body()
        it.requireResumed()
        Ending(it.isStopped, it.lastSave, it.wayBack)
    }
}

/** How a simulation came to its end; the same on all ranks. */
private class Ending(
    val isStopped: Boolean,
    val lastSave: SaveOutcome?,
    val wayBack: String?,
)

private fun report(
    name: String,
    ending: Ending,
): ExitCode {
    if (ending.lastSave == null || ending.lastSave is Saved) {
        return if (ending.isStopped) ExitCode.UNFINISHED else ExitCode.FINISHED
    }
    System.err.println("$name: the state at the end is not saved; ${ending.wayBack}. ${ending.lastSave}")
    return ExitCode.UNSAVED
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

private fun explain(
    name: String,
    program: SimulationOptions,
): ExitCode {
    println(helpText(name, program.configuration).joinToString("\n"))
    return ExitCode.EXPLAINED
}

/** How the process of a [simulation] ends. */
public enum class ExitCode(
    /** What the shell sees. */
    public val number: Int,
) {
    /** All steps were done. */
    FINISHED(0),

    /** Nothing was run: the command line asked which options there are, and was told. */
    EXPLAINED(0),

    /** The arguments or the checkpoint do not fit the program. */
    REFUSED(64),

    /** There are checkpoints, and none of them is good. */
    DAMAGED(65),

    /** The program came to its end, but its last save came to nothing: what was done since the save before is lost. */
    UNSAVED(74),

    /** The state was saved, and steps are left: start again to go on. */
    UNFINISHED(75),
}
