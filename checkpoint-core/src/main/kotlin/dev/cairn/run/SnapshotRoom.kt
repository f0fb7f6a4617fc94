package dev.cairn.run

import dev.cairn.checkpoint.SnapshotBudget
import dev.cairn.checkpoint.SnapshotMemory
import dev.cairn.save.SaveContext
import dev.cairn.save.roomForCopies

/** The memory for the copies of one rank's state, allocated by the first save that needs it. */
internal class SnapshotRoom(private val context: SaveContext) {
    private var memory: SnapshotMemory? = null

    /** Collective the first time, and always the same. */
    suspend fun get(): SnapshotMemory = memory ?: SnapshotMemory(budget()).also { memory = it }

    private suspend fun budget(): SnapshotBudget {
        val ranks = context.ranks
        val onHost = ranks.hostGroup().size
        return ranks.shareInProcess { inProcess ->
            SnapshotBudget(roomForCopies(context.options.snapshotMemory, processCount = onHost / inProcess))
        }
    }

    fun clear() {
        memory?.clear()
    }

    fun close() {
        memory?.close()
        memory = null
    }
}
