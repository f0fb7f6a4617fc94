package dev.cairn.proof.local

import dev.cairn.Checkpoints
import dev.cairn.PendingSave
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointEvent
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.Wait
import dev.cairn.proof.state.Known
import dev.cairn.proof.state.restoreKnown
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.collectively
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.store.DIRECTORY
import dev.cairn.store.SaveNames
import java.io.IOException
import java.util.concurrent.CountDownLatch

internal val THREE = RankPlan(3, hosts = { hosts[it] })

internal val CheckpointEvent.kind get() = "${this::class.simpleName}"

internal suspend fun HostDisks.restoredStep(): Long? =
    ranks(RankPlan(4, hosts = { hosts[it % 3] })) {
        restoreKnown(Known.SMALL, door(host), options = LOCALLY)?.step
    }.distinct().single()

/** Runs [program], which gets a function that goes on by a step and saves to the hosts. */
internal suspend fun Communicator.saves(
    disks: HostDisks,
    drains: HeldDrains,
    options: CheckpointOptions = LOCALLY,
    wait: Wait = Wait.LOCAL,
    program: suspend Checkpoints.(save: suspend () -> PendingSave) -> Unit,
) {
    val files = drains.inFrontOf(disks.door(host))
    val state = Known.SMALL.toSave(this, files)
    checkpoints(DIRECTORY, CheckpointOptions(options) { this.wait = wait }, files) { state.declare(this) }.use {
        var step = 0L
        it.program {
            step++
            collectively("go on to step $step") { state.advanceTo(step) }
            it.saveAsync(step)
        }
    }
}

/** No file is drained before they are opened, all or those of one save. */
internal open class HeldDrains {
    private val latches = List(10) { CountDownLatch(1) }

    /** The saves for whose files there is no room. */
    @Volatile var lackRoom: Set<Int> = emptySet()

    fun open() = latches.forEach(CountDownLatch::countDown)

    fun open(save: Int) = latches[save].countDown()

    open fun inFrontOf(files: BlockStore): BlockStore =
        object : ForwardingStore(files) {
            override fun onOperation(operation: BlockStore.Operation) {
                val path = operation.path()
                if (!path.startsWith(DIRECTORY) || operation.kind() != BlockStore.Operation.Kind.CREATE) return
                val save = SaveNames.numberOf("${path.parent.fileName}") ?: return
                val isDrain = SaveNames.isPart("${path.fileName}")
                if (isDrain) latches[save % latches.size].await()
                if (save in lackRoom && (isDrain || SaveNames.isData("${path.fileName}"))) {
                    throw IOException("$path: no room")
                }
            }
        }
}
