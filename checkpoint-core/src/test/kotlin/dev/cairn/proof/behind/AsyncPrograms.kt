package dev.cairn.proof.behind

import dev.cairn.checkpoints
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.state.Known
import dev.cairn.proof.state.SMALL_OPTIONS
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.collectively
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.state.PerRankRule
import dev.cairn.store.DIRECTORY
import java.util.concurrent.CountDownLatch

/** Collective: saves [known] at [steps], and goes on while it is written. */
internal suspend fun Communicator.saveAsync(
    known: Known,
    files: BlockStore,
    steps: LongRange,
    options: CheckpointOptions = SMALL_OPTIONS,
) {
    val state = known.toSave(this, files)
    checkpoints(DIRECTORY, options, files) { state.declare(this) }.use {
        for (step in steps) {
            collectively("go on to step $step") { state.advanceTo(step) }
            it.saveAsync(step)
            it.progress()
        }
    }
}

/** A field and a value of a program. */
internal class Meter {
    var value = 0L
    private val cells = DoubleArray(100)

    suspend fun open(ranks: Communicator, files: BlockStore, options: CheckpointOptions = CheckpointOptions()) =
        ranks.checkpoints(DIRECTORY, options, files) {
            replicated("value", { value }, { value = it })
            perRank("cells", { cells.toList() }, {}, PerRankRule.Drop())
        }
}

/** Forces the data of save [number] only when it is open. */
internal class Gate(private val number: Int = 1) {
    private val latch = CountDownLatch(1)

    fun open() = latch.countDown()

    fun inFrontOf(store: BlockStore): BlockStore =
        object : ForwardingStore(store) {
            override fun onOperation(operation: BlockStore.Operation) {
                val isHeld = operation.path().endsWith("%06d/data.sion".format(number))
                if (isHeld && operation.kind() == BlockStore.Operation.Kind.FORCE) latch.await()
            }
        }
}
