package dev.cairn.java

import dev.cairn.Checkpoints
import dev.cairn.Declarations
import dev.cairn.Opening
import dev.cairn.PendingSave
import dev.cairn.StateBuilder
import dev.cairn.concentrate.DedicatedRanks
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.CheckpointException
import dev.cairn.event.ExitCode
import dev.cairn.event.RankFailedException
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.options.CheckpointOptions
import dev.cairn.run.shownProgress
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.state.ThrowingConsumer
import java.nio.file.Path
import java.util.Optional

/**
 * [Checkpoints] for Java, and for other blocking programs. Each rank opens one on its own thread, which
 * alone may use it, and closes it.
 */
public class BlockingCheckpoints private constructor(
    private val ranks: BlockingCommunicator,
    private val checkpoints: Checkpoints,
) : AutoCloseable {
    /** Collective: restores the newest good checkpoint; see [Checkpoints.restore]. Empty if there is none. */
    @Throws(RankFailedException::class, CheckpointException::class)
    public fun restore(): Optional<Restored> = Optional.ofNullable(ranks.call { checkpoints.restore() })

    /** Collective: restores the save [number] and no other; see [Checkpoints.restore]. */
    @Throws(RankFailedException::class, CheckpointException::class)
    public fun restore(number: Int): Restored = ranks.call { checkpoints.restore(number) }

    /** Collective: makes a checkpoint of the state as it is now; see [Checkpoints.save]. */
    @JvmOverloads
    @Throws(RankFailedException::class, CheckpointException::class)
    public fun save(step: Long, phase: String = ""): Saved = ranks.call { checkpoints.save(step, phase) }

    /** Collective: as [save], but returns the outcome if a later save may succeed; see [Checkpoints.trySave]. */
    @JvmOverloads
    @Throws(RankFailedException::class, CheckpointException::class)
    public fun trySave(step: Long, phase: String = ""): SaveOutcome = ranks.call { checkpoints.trySave(step, phase) }

    /** Collective: as [save], but returns when the state is copied; see [Checkpoints.saveAsync]. */
    @JvmOverloads
    @Throws(RankFailedException::class, CheckpointException::class)
    public fun saveAsync(step: Long, phase: String = ""): PendingSave =
        ranks.call { checkpoints.saveAsync(step, phase) }

    /** Collective: waits until [save] is committed; see [PendingSave.await]. */
    @Throws(RankFailedException::class, CheckpointException::class)
    public fun await(save: PendingSave): Saved = ranks.call { save.await() }

    /** Collective: the safe point of a loop of the program's own; see [Checkpoints.saveIfDue]. Returns whether the loop goes on. */
    @JvmOverloads
    @Throws(RankFailedException::class, CheckpointException::class)
    public fun saveIfDue(step: Long, until: Long = Long.MAX_VALUE, phase: String = ""): Boolean =
        checkpoints.passIdle(step, until, phase) || ranks.call { checkpoints.saveIfDue(step, until, phase) }

    /** Whether [saveIfDue] has ended the loop early, so that there are no results yet; see [Checkpoints.isStopped]. */
    public val isStopped: Boolean get() = checkpoints.isStopped

    /** The exit code for the end of the program, after its last save has ended; see [Checkpoints.exitCode]. */
    public fun exitCode(): ExitCode = checkpoints.exitCode

    /** Collective: lets a save that is under way go on; see [Checkpoints.progress]. Returns [lastSave]. */
    @Throws(RankFailedException::class, CheckpointException::class)
    public fun progress(): Optional<SaveOutcome> = Optional.ofNullable(ranks.call { checkpoints.progress() })

    /** Collective: whether the job ends so soon that the program should save now and stop; see [Checkpoints.endsSoon]. */
    @Throws(RankFailedException::class, CheckpointException::class)
    public fun endsSoon(): Boolean = ranks.call { checkpoints.endsSoon() }

    /** Collective: waits for the save under way, and throws if that fails; see [Checkpoints.awaitSaves]. Returns [lastSave]. */
    @Throws(RankFailedException::class, CheckpointException::class)
    public fun awaitSaves(): Optional<SaveOutcome> = Optional.ofNullable(ranks.call { checkpoints.awaitSaves() })

    /** How the last save ended, or that it is under way; see [Checkpoints.lastSave]. Empty if there was none. */
    public fun lastSave(): Optional<SaveOutcome> = Optional.ofNullable(checkpoints.lastSave)

    /**
     * Releases the store. Not collective, since it is also called where a rank alone has thrown an exception. So it does not
     * wait for a save that is under way, but gives it up, unless it is being committed already: call [awaitSaves] at the end of a
     * block of try. Rank 0 waits until older saves are deleted, as [Checkpoints.close] does.
     *
     * @throws IllegalStateException if another thread is in the middle of a call, and nothing is closed then; or at the end, if a save
     *     was under way
     * @throws CheckpointException if all is closed, but the last save of [saveIfDue] has failed, or lines of an output are in no file
     */
    override fun close() {
        val pending = if (checkpoints.isSaveUnderWay) checkpoints.lastSave else null
        checkpoints.close()
        check(pending == null) {
            "the checkpoints in ${checkpoints.directory} were closed while a save was under way, so the program " +
                "cannot rely on it ($pending). Call awaitSaves() before close()"
        }
    }

    public companion object {
        /** Collective: declares the state of all ranks and opens the directory of their checkpoints. */
        @JvmStatic
        @JvmOverloads
        @Throws(RankFailedException::class, CheckpointException::class)
        public fun open(
            ranks: BlockingCommunicator,
            directory: Path,
            options: CheckpointOptions = CheckpointOptions(),
            files: BlockStore = FileBlockStore(),
            dedicated: DedicatedRanks? = null,
            declare: ThrowingConsumer<StateBuilder>,
        ): BlockingCheckpoints {
            val shown = ranks.communicator.shownProgress(directory, options)
            // On the rank's own thread, between two calls: the declarations may depend on an agreement of the ranks.
            val declared =
                runCatching {
                    Declarations(options, ranks.communicator, files).also { declare.accept(StateBuilder(it)) }
                }
            val checkpoints = ranks.call { Opening(this, directory, options, files, dedicated, declared).open(shown) }
            return BlockingCheckpoints(ranks, checkpoints)
        }
    }
}
