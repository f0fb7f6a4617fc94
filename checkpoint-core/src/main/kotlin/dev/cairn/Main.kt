@file:JvmName("Simulations")

package dev.cairn

import dev.cairn.concentrate.DedicatedRanks
import dev.cairn.event.CheckpointEvent.ProgramEnd
import dev.cairn.event.ExitCode
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.event.withTypedFailures
import dev.cairn.options.CommandLine
import dev.cairn.options.Settings
import dev.cairn.options.SettingsSources
import dev.cairn.options.SimulationOptions
import dev.cairn.options.helpText
import dev.cairn.options.readingSettings
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.Launch
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.collectively
import dev.cairn.ranks.everyRank
import dev.cairn.run.FailureReport
import dev.cairn.run.Requests
import dev.cairn.run.SignalRequests
import dev.cairn.run.shownProgress
import dev.cairn.run.surroundings
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.Job
import kotlinx.coroutines.currentCoroutineContext
import java.io.IOException
import kotlin.system.exitProcess

/**
 * Runs a program as a command: `--ranks 8 --dir heat.cairn --every 100 --fresh`; `--help` lists all options. If there
 * is a checkpoint in the directory, the program continues from it, on its present number of ranks.
 *
 * Returns when the program has finished; otherwise ends the process with an [ExitCode], or with 1 after an exception, which is
 * printed to the standard error once, with the rank that threw it.
 *
 * @param name the name of the program; its checkpoints are in `name.cairn` by default
 * @param options the settings of the program; a file of settings, the environment and the command line override them
 */
public suspend fun simulation(
    name: String,
    args: Array<String>,
    options: SimulationOptions = SimulationOptions.DEFAULT,
    body: suspend Simulation.() -> Unit,
) {
    val job = currentCoroutineContext()[Job]
    exitAfter(name, { job?.isCancelled == true }) { runSimulation(name, args, options, body) }
}

/**
 * As [simulation], for programs that need the result. A failure with an [ExitCode] of its own is printed to the
 * standard error; any other is thrown.
 */
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
): ExitCode =
    launchSimulation(name, args, program) { requested, signals ->
        everyRank(requested.getOrNull()?.rankCount ?: 1) {
            onComputingRanks(requested, files, signals) { dedicated ->
                run(name, simulationOf(name, requested, files, dedicated, signals), program, body)
            }
        }
    }

/** Runs a program as a command: [onEveryRank] returns the exit codes of the ranks in this process, which are the same. */
internal inline fun launchSimulation(
    name: String,
    args: Array<String>,
    program: SimulationOptions,
    onEveryRank: (requested: Result<SimulationOptions?>, signals: Requests) -> List<ExitCode>,
): ExitCode {
    val requested = requestedOptions(name, args, program) { it.startedBy(Launch.ofThisProcess()) }
    return try {
        val isCaught = requested.getOrNull()?.checkpoints?.signals ?: false
        val signals = if (isCaught) SignalRequests(name) else null
        signals.use { onEveryRank(requested, it ?: Requests.NONE).first() }
    } catch (failure: Exception) {
        refusal(name, failure)
    }
}

/**
 * Collective: runs a program on the ranks of this communicator, such as those of a [dev.cairn.ranks.RankPlan] in a
 * test, or those that a larger program has already. As [runSimulation], but failures are thrown, and signals to the
 * process are left to its own handlers.
 *
 * @param files the file system that all ranks share, of checkpoints and outputs
 */
@JvmSynthetic
public suspend fun Communicator.simulate(
    name: String,
    args: Array<String> = emptyArray(),
    options: SimulationOptions = SimulationOptions.DEFAULT,
    files: BlockStore = FileBlockStore(),
    body: suspend Simulation.() -> Unit,
): ExitCode {
    val requested = requestedOptions(name, args, options) { it.on(this) }
    return onComputingRanks(requested, files, Requests.NONE) { dedicated ->
        run(name, simulationOf(name, requested, files, dedicated), options, body)
    }
}

/** Collective: runs [simulation] to its end; if there is none, only the list of options was requested. */
private suspend fun Communicator.run(
    name: String,
    simulation: Simulation?,
    options: SimulationOptions,
    body: suspend Simulation.() -> Unit,
): ExitCode {
    if (simulation == null) return explain(name, options)
    return simulation.use {
        it.body()
        it.end(name)
    }
}

/**
 * The plan of this process; null if only the list of options was requested. Errors are thrown only after all processes
 * have met: a launcher ends the others when one exits with a failure, and then the reason might not be printed.
 */
internal fun requestedOptions(
    name: String,
    args: Array<String>,
    program: SimulationOptions,
    withRanks: (SimulationOptions) -> SimulationOptions,
): Result<SimulationOptions?> =
    runCatching {
        readingSettings {
            val line = CommandLine.parse(args.toList(), Settings.ALL)
            if (line.isHelp) {
                null
            } else {
                withRanks(program.configured(name, line, SettingsSources.ofThisProcess())).also { it.triggers }
            }
        }
    }

/** Collective; null if only the list of options was requested. */
internal suspend fun Communicator.simulationOf(
    name: String,
    requested: Result<SimulationOptions?>,
    files: BlockStore,
    dedicated: DedicatedRanks?,
    signals: Requests = Requests.NONE,
): Simulation? =
    withTypedFailures {
        collectively(READ_SETTINGS) {
            requested.getOrThrow()?.let {
                val (directory, options) = it.directory to it.checkpoints
                val shown = shownProgress(directory, options)
                try {
                    val around = surroundings(directory, options, files, dedicated.and(signals), shown)
                    Simulation(this, directory, it.triggers, options, files, around, dedicated, name)
                } catch (failure: Throwable) {
                    shown?.close()
                    throw failure
                }
            }
        }
    }

/** A signal may reach any process, a dedicated one as well. */
private fun DedicatedRanks?.and(signals: Requests) = if (this == null) signals else signals.and { takeRequest() }

/** Collective: the exit code of the program, the same on all ranks; one of them prints the reason. */
internal suspend fun Simulation.end(name: String): ExitCode {
    requireResumed()
    awaitSaves()
    val lack = finishOutputs()
    val last = lastSave
    val unsaved =
        when {
            last != null && last !is Saved -> {
                "the state at the end is not saved; $wayBack. $last"
            }

            lack.isNotEmpty() -> {
                "an output is not complete; $wayBack. Start the program again, and it writes what is missing. $lack"
            }

            isStopped -> {
                return ExitCode.UNFINISHED.also { end = ProgramEnd.STOPPED }
            }

            else -> {
                return ExitCode.FINISHED.also { logUnfinished(name) }.also { end = ProgramEnd.FINISHED }
            }
        }
    end = ProgramEnd.UNSAVED
    if (rank == ROOT) System.err.println("$name: $unsaved")
    return ExitCode.UNSAVED
}

/** A program that leaves its loop by break or return gets a warning about the unsaved work. */
private fun Simulation.logUnfinished(name: String) {
    if (rank == ROOT) unfinished?.let { System.err.println("$name: $it") }
}

/** The exit code of a refusal by Cairn, which is printed; any other [failure] is thrown. */
internal fun refusal(name: String, failure: Exception): ExitCode {
    val code = FailureReport.codeOf(failure) ?: throw failure
    FailureReport.print(name, failure)
    return code
}

/**
 * Ends the process with the code of [run]; returns only if that has finished, or throws if the caller [is cancelled][isCancelled]. A
 * cancellation of something else is a failure of the program.
 */
internal inline fun exitAfter(name: String, isCancelled: () -> Boolean = { false }, run: () -> ExitCode) {
    val code =
        try {
            run()
        } catch (failure: Throwable) {
            if (failure is CancellationException && isCancelled()) throw failure
            FailureReport.print(name, failure)
            exitProcess(FailureReport.FAILED)
        }
    if (code != ExitCode.FINISHED) exitProcess(code.number)
}

/** Collective: one rank prints the list of options. */
internal suspend fun Communicator.explain(name: String, program: SimulationOptions): ExitCode {
    collectively("print the help") {
        if (rank == ROOT) {
            println(helpText(name, program.configuration).joinToString("\n"))
            // A print stream does not throw on write errors.
            if (System.out.checkError()) throw IOException("the standard output did not take all of the help")
        }
    }
    return ExitCode.EXPLAINED
}
