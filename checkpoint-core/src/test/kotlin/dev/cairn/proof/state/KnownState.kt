package dev.cairn.proof.state

import dev.cairn.Checkpoints
import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.grid.Decomposition
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.Wait
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.collectively
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.DIRECTORY
import java.nio.file.Path

/**
 * One rank's share of a state, all of which is a formula of the step: whoever restores it knows what must come back, on
 * however many ranks.
 */
internal interface KnownState {
    fun declare(builder: StateBuilder)

    fun advanceTo(step: Long)

    /** Whether this is, bit by bit, what [writers] ranks had at [step]. */
    fun isThatOf(step: Long, writers: Int): Boolean

    /** Whether nothing was ever restored. */
    fun isUntouched(): Boolean
}

/** The states that there are: how a rank that saves makes its share, and how one that restores does. */
internal enum class Known(
    val toSave: (Communicator, BlockStore) -> KnownState,
    val toRestore: (Communicator, BlockStore) -> KnownState,
) {
    SMALL(
        { ranks, _ -> SmallState(ranks, Decomposition.rows(SmallState.SHAPE, ranks.size)) },
        { ranks, _ -> SmallState(ranks, Decomposition.blocks(SmallState.SHAPE, ranks.size)) },
    ),
    DUST(
        { ranks, files -> DustState(ranks.rank, ranks.size, files) },
        { ranks, files -> DustState(ranks.rank, ranks.size, files) },
    ),
}

/**
 * Collective: writes the checkpoints of [steps] after those that are there. Tells each one that is committed.
 *
 * @param wait if it is [Wait.COPIED], the state goes on while it is written
 */
internal suspend fun Communicator.saveKnown(
    known: Known,
    files: BlockStore,
    steps: LongRange,
    directory: Path = DIRECTORY,
    options: CheckpointOptions = SMALL_OPTIONS,
    wait: Wait = Wait.COMMITTED,
    onSaved: (Saved) -> Unit = {},
) {
    val state = known.toSave(this, files)
    checkpoints(directory, options, files) { state.declare(this) }.use {
        it.restore()
        for (step in steps) {
            collectively("go on to step $step") { state.advanceTo(step) }
            if (wait == Wait.COMMITTED) onSaved(it.save(step)) else it.saveBehind(step, onSaved)
        }
        if (wait == Wait.COPIED) (it.awaitSaves() as? Saved)?.let(onSaved)
    }
}

/** Collective: the save before ends here at the latest, and this one is met once. */
private suspend fun Checkpoints.saveBehind(step: Long, onSaved: (Saved) -> Unit) {
    (awaitSaves() as? Saved)?.let(onSaved)
    saveAsync(step)
    (progress() as? Saved)?.let(onSaved)
}

/**
 * Collective: what comes back; on each rank the same, or null where there is nothing.
 *
 * @param beside declares what the program has besides
 * @param look is called, on all ranks, before the checkpoints are closed
 */
internal suspend fun Communicator.restoreKnown(
    known: Known,
    files: BlockStore,
    directory: Path = DIRECTORY,
    options: CheckpointOptions = SMALL_OPTIONS,
    beside: StateBuilder.() -> Unit = {},
    look: suspend (Restored?) -> Unit = {},
): Restored? {
    val state = known.toRestore(this, files)
    val checkpoints =
        checkpoints(directory, options, files) {
            state.declare(this)
            beside()
        }
    val restored = checkpoints.use { opened -> opened.restore().also { look(it) } }
    val isRight = if (restored == null) state.isUntouched() else state.isThatOf(restored.step, restored.rankCount)
    if (!isRight) throw WrongState(restored)
    return restored
}

/** The one thing that must never happen. */
internal class WrongState(restored: Restored?) :
    AssertionError("what was restored from $restored is not what was saved")
