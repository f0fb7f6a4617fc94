package dev.cairn.multifile

import dev.cairn.event.rankText
import dev.cairn.ranks.Structure
import dev.cairn.ranks.one
import dev.cairn.sion.Dialect
import dev.cairn.sion.FileMapping
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.TaskSlot

/** Each rank writes any tasks, and specifies their places itself. */
internal class PlacedPlanning(private val spec: MultifileSpec) : Planning<List<MappedTask>, List<TaskSlot>> {
    override val request get() = MAPPED_TASKS
    override val place get() = SLOTS

    override fun plan(requests: List<List<MappedTask>>): PlannedTasks {
        require(spec.dialect() == Dialect.MAPPED) {
            "${spec.path()}: ranks write any tasks of a mapped multifile only: use MultifileSpec.mapped."
        }
        val tasks = requireEachOnce(requests)
        val places = tasks.map { it.place }
        return PlannedTasks(
            tasks.map { TaskRequest(it.task.toLong(), it.chunkSize) },
            FileMapping.byPlace(places::get),
        )
    }

    override fun places(layout: MultifileLayout, requests: List<List<MappedTask>>): List<List<TaskSlot>> =
        requests.map { tasks -> tasks.map { layout.slot(it.task) } }

    /** All tasks in the order of their numbers, which have no gaps. */
    private fun requireEachOnce(tasksOfRanks: List<List<MappedTask>>): List<MappedTask> {
        val owners = tasksOfRanks.flatMapIndexed { rank, tasks -> tasks.map { it to rank } }
        val byNumber = owners.groupBy { (task) -> task.task }
        for (number in owners.indices) {
            val found = byNumber[number].orEmpty().map { (_, rank) -> rank }
            require(found.size == 1) {
                val writers = if (found.isEmpty()) "no rank" else rankText(found)
                "${spec.path()}: task $number is written by $writers, but each of the tasks 0 to ${owners.size - 1} " +
                    "must be written by exactly one rank."
            }
        }
        return owners.indices.map { byNumber.getValue(it).single().first }
    }
}

private val MAPPED_TASK =
    Structure(MappedTask(0, 0, PLACE.blank)) { MappedTask(u32(it.task), u64(it.chunkSize), one(it.place, PLACE)) }

private val MAPPED_TASKS = Structure(emptyList<MappedTask>()) { list(it, MAPPED_TASK) }

private val SLOTS = Structure(emptyList<TaskSlot>()) { list(it, SLOT) }
