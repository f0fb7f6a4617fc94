package dev.cairn.multifile

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.DONE
import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.Structure
import dev.cairn.ranks.one
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.TaskSlot
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.BlockStore

/**
 * One rank's part in writing a mapped multifile, of which it has any number of tasks. All ranks [begin], each uses the writers
 * from [open], and all [end].
 */
internal class MappedWriting private constructor(private val shared: SharedWriting<List<TaskSlot>>) {
    /** The writers of this rank's tasks, in the order in which it requested them. */
    fun open(): List<ChunkWriter> = shared.place.map(shared::writer)

    /** Collective: [outcome] has the usage of each task of this rank. Returns when the multifile is closed. */
    suspend fun end(outcome: Result<List<TaskUsage>>) {
        val written =
            outcome.map { usages ->
                shared.place.zip(usages) { slot, usage -> WrittenTask(slot.task(), usage) }
            }
        shared.end("close", WRITTEN_TASKS, DONE, written) { tasksOfRanks ->
            shared.complete(tasksOfRanks.flatten().sortedBy { it.number }.map { it.usage })
        }
    }

    companion object {
        /** Collective: returns when the physical files exist. */
        suspend fun begin(ranks: Communicator, spec: MultifileSpec, tasks: List<MappedTask>, store: BlockStore) =
            MappedWriting(SharedWriting.begin(ranks, spec, PlacedPlanning(spec), Result.success(tasks), store))
    }
}

/** The usage of the task with this [number]. */
private class WrittenTask(val number: Int, val usage: TaskUsage)

private val WRITTEN_TASK =
    Structure(WrittenTask(0, USAGE.blank)) { WrittenTask(u32(it.number), one(it.usage, USAGE)) }

private val WRITTEN_TASKS =
    MessageFields("the usages of a rank's tasks", emptyList<WrittenTask>()) { list(it, WRITTEN_TASK) }
