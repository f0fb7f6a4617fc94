package dev.cairn.testing

import kotlinx.coroutines.runBlocking
import java.nio.file.Path
import kotlin.random.Random

/**
 * A trial of a program that a command starts. All its runs have working directories of their own in [directory], and stores there.
 *
 * @param trial with any step at which it is interrupted
 * @param compared the outputs that are compared, below the working directory; all files if there are none
 */
internal class CommandTrial(
    private val directory: Path,
    private val java: JavaCommand,
    private val trial: RestartTrial,
    private val compared: Set<Path>,
) {
    private val unbroken by lazy {
        ProcessHistory(
            directory.toAbsolutePath().resolve("run-0"),
            trial,
            java.command,
            WatchedOutputs(emptyList()),
            compared,
        ).also { runBlocking { it.playToEnd(trial.rankCount) } }
    }

    /** A step after which the program saves and goes on, drawn from [seed]. */
    fun anyStep(seed: Long): Long {
        val steps =
            unbroken.saves
                .map { it.step }
                .dropLast(1)
                .filter { it % trial.every == 0L }
        check(steps.isNotEmpty()) { "the program has saved at its end only: let it do more steps, or save more often" }
        return steps.random(Random(seed))
    }

    /** The program is killed after the step [breakAt], and continued. Null as a report if its results differ then. */
    fun run(breakAt: Long): Result {
        val missing = compared.find { "$it" !in unbroken.finishedFiles }
        check(missing == null) { "the program has left no output '$missing' in its working directory. Check the name." }
        val interrupted = trial.withBreakAt(breakAt)
        val report = runCatching { interrupted.runCommand(directory, java.command, unbroken) }
        val differs = report.exceptionOrNull()?.let { it as? RestartDiffers ?: throw it }
        return Result(
            breakAt,
            report.getOrNull(),
            differs,
            interrupted.findForgottenState(directory, java.command, java.program, compared),
        )
    }

    /** Either a [report], or what [differs]. */
    class Result(
        val breakAt: Long,
        val report: RestartTrial.Report?,
        val differs: RestartDiffers?,
        val forgotten: ForgottenState,
    )
}
