package dev.cairn.java

import dev.cairn.SoloCheckpoints
import dev.cairn.SoloState
import dev.cairn.endProcess
import dev.cairn.event.CheckpointException
import dev.cairn.event.ExitCode
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.options.CheckpointOptions
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.state.ThrowingConsumer
import java.nio.file.Path
import java.util.Optional

/**
 * [SoloCheckpoints] for Java, and for other blocking programs that are one process:
 *
 * ```
 * try (var checkpoints = BlockingSoloCheckpoints.open(Path.of("run.cairn"), options, state -> {
 *       state.value("time", Codecs.DOUBLE, () -> time, restored -> time = restored);
 *       state.array("u", () -> u);
 *     })) {
 *   for (long step = checkpoints.restore(); step < n; step++) {
 *     advance(step);
 *     if (!checkpoints.saveIfDue(step + 1, n)) break;
 *   }
 * }
 * ```
 *
 * All functions run on the thread that calls, and so do the program's own functions that they call.
 */
public class BlockingSoloCheckpoints private constructor(
    private val solo: SoloCheckpoints,
    private val bridge: ThreadBridge,
) : AutoCloseable {
    /** Whether [saveIfDue] has ended the loop early; see [SoloCheckpoints.isStopped]. */
    public val isStopped: Boolean get() = solo.isStopped

    /** How the last save ended, or that it is under way; empty if there was none. */
    public fun lastSave(): Optional<SaveOutcome> = Optional.ofNullable(solo.lastSave)

    /** The exit code with which the program should end, once its checkpoints are closed; see [SoloCheckpoints.exitCode]. */
    public fun exitCode(): ExitCode = solo.exitCode

    /** Restores the newest good checkpoint, and returns its step; 0 if there is none. See [SoloCheckpoints.restore]. */
    @Throws(CheckpointException::class)
    public fun restore(): Long = bridge.call { solo.restore() }

    /** Saves if that is due after [step], and returns whether the loop goes on; see [SoloCheckpoints.saveIfDue]. */
    @JvmOverloads
    @Throws(CheckpointException::class)
    public fun saveIfDue(step: Long, until: Long = Long.MAX_VALUE): Boolean =
        solo.passIdle(step, until) || bridge.call { solo.saveIfDue(step, until) }

    /** Saves the state after [step] in any case, and returns when the save is committed. */
    @Throws(CheckpointException::class)
    public fun save(step: Long): Saved = bridge.call { solo.save(step) }

    /**
     * Waits for a save that is under way, and gives the directory and the signals back; then [exitCode] is final.
     *
     * @throws CheckpointException if all is closed, but the last save of the loop has failed, or lines of an output are in no file
     */
    @Throws(CheckpointException::class)
    override fun close() {
        bridge.call { solo.shut() }
    }

    public companion object {
        /** Declares the state of the program, and opens the directory of its checkpoints; see [SoloCheckpoints.open]. */
        @JvmStatic
        @JvmOverloads
        @Throws(CheckpointException::class)
        public fun open(
            directory: Path,
            options: CheckpointOptions = CheckpointOptions(),
            files: BlockStore = FileBlockStore(),
            declare: ThrowingConsumer<SoloState>,
        ): BlockingSoloCheckpoints {
            val bridge = ThreadBridge()
            val solo = bridge.call { SoloCheckpoints.open(directory, options, files) { declare.accept(this) } }
            return BlockingSoloCheckpoints(solo, bridge)
        }

        /** Runs a program to its end, and ends the process unless its loop has finished; see [SoloCheckpoints.main]. */
        @JvmStatic
        @JvmOverloads
        public fun main(
            directory: Path,
            options: CheckpointOptions = CheckpointOptions(),
            declare: ThrowingConsumer<SoloState>,
            loop: ThrowingConsumer<BlockingSoloCheckpoints>,
        ) {
            endProcess(directory) {
                val checkpoints = open(directory, options, declare = declare)
                try {
                    loop.accept(checkpoints)
                } catch (failure: Throwable) {
                    checkpoints.solo.giveUp(failure)
                }
                checkpoints.close()
                checkpoints.solo.checkpoints
            }
        }
    }
}
