package dev.cairn.java

import dev.cairn.Checkpoints
import dev.cairn.StateBuilder
import dev.cairn.event.Restored
import dev.cairn.event.SaveOutcome
import dev.cairn.event.Saved
import dev.cairn.failure.CheckpointException
import dev.cairn.failure.RankFailedException
import dev.cairn.openCheckpoints
import dev.cairn.options.CheckpointOptions
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import java.nio.file.Path
import java.util.Optional
import java.util.function.Consumer

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
    public fun save(
        step: Long,
        phase: String = "",
    ): Saved = ranks.call { checkpoints.save(step, phase) }

    /** Collective: as [save], but returns the outcome if a later save may succeed; see [Checkpoints.trySave]. */
    @JvmOverloads
    @Throws(RankFailedException::class, CheckpointException::class)
    public fun trySave(
        step: Long,
        phase: String = "",
    ): SaveOutcome = ranks.call { checkpoints.trySave(step, phase) }

    /** How the last save ended, the same on all ranks; empty if there was none. */
    public fun lastSave(): Optional<SaveOutcome> = Optional.ofNullable(checkpoints.lastSave)

    /** Gives the store back. */
    override fun close(): Unit = checkpoints.close()

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
            declare: Consumer<StateBuilder>,
        ): BlockingCheckpoints {
            // On the rank's own thread, between two calls: the declarations may depend on an agreement of the ranks.
            val declared = runCatching { StateBuilder().also(declare::accept) }
            return BlockingCheckpoints(ranks, ranks.call { openCheckpoints(this, directory, options, files, declared) })
        }
    }
}
