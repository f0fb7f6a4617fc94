package dev.cairn.multifile

import dev.cairn.base.Structure
import dev.cairn.base.one
import dev.cairn.event.rankText
import dev.cairn.sion.Dialect
import dev.cairn.sion.FileMapping
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.TaskPlace
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.TaskSlot

/** A task of a mapped multifile: its [number], the bytes requested for it in each block, and its place. */
internal class PlacedTask(
    val number: Int,
    val chunkSize: Long,
    val place: TaskPlace,
)

/** Each rank writes any tasks, and specifies their places itself. */
internal class PlacedPlanning(
    private val spec: MultifileSpec,
) : Planning<List<PlacedTask>, List<TaskSlot>> {
    override val request get() = PLACED_TASKS
    override val place get() = SLOTS

    override fun plan(requests: List<List<PlacedTask>>): PlannedTasks {
        require(spec.dialect() == Dialect.MAPPED) {
            "${spec.path()}: ranks write any tasks of a mapped multifile only: use MultifileSpec.mapped."
        }
        val tasks = requireEachOnce(requests)
        val places = tasks.map { it.place }
        return PlannedTasks(
            tasks.map { TaskRequest(it.number.toLong(), it.chunkSize) },
            FileMapping.byPlace(places::get),
        )
    }

    override fun places(
        layout: MultifileLayout,
        requests: List<List<PlacedTask>>,
    ): List<List<TaskSlot>> = requests.map { tasks -> tasks.map { layout.slot(it.number) } }

    /** All tasks in the order of their numbers, which have no gaps. */
    private fun requireEachOnce(tasksOfRanks: List<List<PlacedTask>>): List<PlacedTask> {
        val owners = tasksOfRanks.flatMapIndexed { rank, tasks -> tasks.map { it to rank } }
        val byNumber = owners.groupBy { (task) -> task.number }
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

private val PLACED_TASK =
    Structure(PlacedTask(0, 0, PLACE.blank)) { PlacedTask(u32(it.number), u64(it.chunkSize), one(it.place, PLACE)) }

private val PLACED_TASKS = Structure(emptyList<PlacedTask>()) { list(it, PLACED_TASK) }

private val SLOTS = Structure(emptyList<TaskSlot>()) { list(it, SLOT) }
