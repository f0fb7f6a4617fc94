package dev.cairn

import dev.cairn.event.CheckpointEvent.ProgramEnd
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.ExitCode
import dev.cairn.event.RankFailedException
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.item.KindWords
import dev.cairn.item.notFitting
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.SettingsSources
import dev.cairn.ranks.communicatorOfOne
import dev.cairn.ranks.onCaller
import dev.cairn.run.loopOf
import dev.cairn.run.shownProgress
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.store.Manifest
import kotlinx.coroutines.Job
import kotlinx.coroutines.currentCoroutineContext
import java.io.IOException
import java.nio.file.Path

/**
 * The checkpoints of a program that is one process and has a loop of its own: it opens them, restores, and calls [saveIfDue] after each
 * step. One coroutine at a time uses them, and closes them, as [use] does.
 *
 * All functions run on the caller's dispatcher, or without one on the thread that calls, and so do the program's own functions that they
 * call. What these throw is thrown as it is.
 */
public class SoloCheckpoints private constructor(internal val checkpoints: Checkpoints) {
    /** Whether [saveIfDue] has ended the loop early, after a save: then there are no results yet, and the next start continues. */
    public val isStopped: Boolean get() = checkpoints.isStopped

    /** How the last save ended, or that it is under way; null if there was none. */
    public val lastSave: SaveOutcome? get() = checkpoints.lastSave

    /**
     * The exit code with which the program should end, once its checkpoints are closed.
     *
     * @throws IllegalStateException if they are open; or if the program has thrown an exception, or left its loop before the end
     */
    public val exitCode: ExitCode
        get() {
            check(checkpoints.isClosed) { "${checkpoints.directory}: the exit code is known after close()" }
            return checkpoints.exitCode
        }

    /**
     * Restores the newest good checkpoint, and returns the number of steps that were done then; 0 if there is none. The options `fresh` and
     * `from` choose another start. One that is damaged is passed over with a warning.
     *
     * @throws CheckpointException if there are only damaged ones, or if the newest does not fit the program
     */
    public suspend fun restore(): Long =
        alone {
            checkpoints.restore { it.requireOfOnlyLoop() }?.step ?: 0
        }

    /**
     * The point between two steps where the program saves if its options or a request say so; requests are signals (TERM, INT, USR1) and
     * those of the command `cairn`. Returns whether the loop goes on: not after a request to stop, nor shortly before the end of the job, nor
     * at the step [until]. Then the state is saved.
     * The loop may call it before its first step, too: `while (saveIfDue(step, until)) advance(step++)`.
     *
     * A failed save does not end the program: it is logged, tried again, and in [lastSave].
     *
     * @param step the number of steps that are done; the loop may leave some out
     * @param until the number of steps after which the loop ends, if that is known; a loop that ends early passes its [step],
     *     and after a restart the first call returns false there
     */
    public suspend fun saveIfDue(step: Long, until: Long = Long.MAX_VALUE): Boolean =
        passIdle(step, until) || alone { checkpoints.saveIfDue(step, until) }

    /** Passes the point after [step] if nothing is to be done there; returns whether it has. */
    internal fun passIdle(step: Long, until: Long): Boolean = checkpoints.passIdle(step, until, "")

    /**
     * Saves the state after [step] in any case, and returns when the save is committed.
     *
     * @throws CheckpointException if there is no checkpoint of this step; those before are untouched
     */
    public suspend fun save(step: Long): Saved =
        alone {
            try {
                checkpoints.save(step)
            } catch (failure: RankFailedException) {
                throw failure.ofDisk?.let { NotSaved(Details("$lastSave", cause = it)) } ?: failure
            }
        }

    /**
     * Waits for a save that is under way, and gives the directory and the signals back. Returns [exitCode]: [ExitCode.UNFINISHED] if the
     * program was stopped.
     *
     * @throws CheckpointException if all is closed, but the last save of the loop has failed, or lines of an output are in no file; the
     *     [exitCode] is [ExitCode.UNSAVED] then
     */
    public suspend fun close(): ExitCode {
        shut()
        return exitCode
    }

    /** As [close], for a program that may have left its loop. */
    internal suspend fun shut(): Unit = alone { AutoCloseable(checkpoints::close).use { checkpoints.awaitOutcome() } }

    /** Runs [block], and closes at its end, which may throw as [close] does; the directory is also given back if the block throws. */
    @JvmSynthetic
    public suspend inline fun <R> use(block: (SoloCheckpoints) -> R): R {
        var failure: Throwable? = null
        try {
            return block(this)
        } catch (thrown: Throwable) {
            failure = thrown
            throw thrown
        } finally {
            end(failure)
        }
    }

    /** Closes after a block that has thrown [failure], which is thrown again, or nothing. */
    @PublishedApi
    internal suspend fun end(failure: Throwable?) {
        if (failure == null) shut() else giveUp(failure)
    }

    /** Closes after the program has thrown [failure], and throws it. */
    internal fun giveUp(failure: Throwable): Nothing =
        AutoCloseable { checkpoints.close(ProgramEnd.FAILED) }.use { throw failure }

    public companion object {
        /**
         * Declares the state of the program by [declare], and opens the [directory] of its checkpoints, which is made if there is none.
         * The file `cairn.conf` and the environment override both the directory and the [options]: `CAIRN_DIR=run.cairn`, `CAIRN_EVERY=100`.
         *
         * @throws CheckpointException if another program writes into the directory, or if a setting has an invalid value
         */
        @JvmSynthetic
        public suspend fun open(
            directory: Path,
            options: CheckpointOptions = CheckpointOptions(),
            files: BlockStore = FileBlockStore(),
            declare: SoloState.() -> Unit,
        ): SoloCheckpoints {
            val configured = options.configuredSolo(directory, SettingsSources.ofThisProcess())
            return alone {
                val one = communicatorOfOne()
                val shown = one.shownProgress(configured.directory, configured)
                val state = Declarations(configured, one, files, words = KindWords.OF_ONE_PROCESS)
                val declared = runCatching { state.also { it.declare(declare) } }
                SoloCheckpoints(
                    Opening(one, configured.directory, configured, files, dedicated = null, declared).open(shown),
                )
            }
        }

        private fun Declarations.declare(declare: SoloState.() -> Unit) {
            val state = StateBuilder(this)
            state.oneRankOnly()
            SoloState(state).apply {
                declare()
                seal()
            }
        }

        /**
         * Runs a program to its end: opens its checkpoints, runs [loop], and closes them. Returns if the loop has finished; otherwise ends
         * the process with an [ExitCode], or with 1 after an exception, which is printed to the standard error.
         */
        @JvmSynthetic
        public suspend fun main(
            directory: Path,
            options: CheckpointOptions = CheckpointOptions(),
            declare: SoloState.() -> Unit,
            loop: suspend (SoloCheckpoints) -> Unit,
        ) {
            val job = currentCoroutineContext()[Job]
            endProcess(directory, { job?.isCancelled == true }) {
                open(directory, options, declare = declare).let { checkpoints ->
                    checkpoints.use { loop(it) }
                    checkpoints.checkpoints
                }
            }
        }
    }
}

/** Refuses a checkpoint of one of several loops: its step is not one of the only loop that a program of one process names. */
private fun Manifest.requireOfOnlyLoop() {
    if (phase.isEmpty()) return
    throw notFitting(
        phase,
        "save $save was made in ${loopOf(phase)}, but a program of one process has a single loop, without a phase, " +
            "so it cannot tell where to go on from step $step. Continue it with the program that made it, or start " +
            "from the beginning: in another directory, or with the setting fresh = true.",
    )
}

/** Ends the process as the program of [run] has ended, which returns its closed checkpoints; returns only if that has finished. */
internal inline fun endProcess(directory: Path, isCancelled: () -> Boolean = { false }, run: () -> Checkpoints) {
    val name = "${directory.fileName}"
    exitAfter(name, isCancelled) {
        try {
            val ended = run()
            ended.unsaved?.let { System.err.println("$name: $it") }
            ended.endCode
        } catch (failure: Exception) {
            refusal(name, failure)
        }
    }
}

/** The error of the disk by which a save has failed. */
private val RankFailedException.ofDisk: IOException? get() = failures.single().cause as? IOException

/** Runs [call] for a program that knows no ranks: on its thread or dispatcher, and what has failed is thrown as it was. */
private suspend fun <R> alone(call: suspend () -> R): R =
    try {
        onCaller { call() }
    } catch (failure: RankFailedException) {
        throw failure.failures.single().cause
    } catch (failure: CheckpointException) {
        throw failure.ofProgram ?: failure
    }

/** What the program's own code has thrown, if that is why Cairn has thrown this. */
private val CheckpointException.ofProgram: Throwable?
    get() =
        if (reason != CheckpointException.Reason.PROGRAM) {
            null
        } else {
            generateSequence(cause) { it.cause }.find { it !is CheckpointException && it !is RankFailedException }
        }
