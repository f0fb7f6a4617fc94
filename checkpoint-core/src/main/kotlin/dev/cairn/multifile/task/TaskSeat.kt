package dev.cairn.multifile.task

import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.TaskSlot
import dev.cairn.structure.Structure
import dev.cairn.structure.one

/**
 * What rank 0 tells a rank of a new multifile.
 *
 * @property slot where its stream lies
 * @property others the other tasks of its group, if it is the collector; otherwise none
 * @property buddies where the copies of its stream lie
 */
internal class TaskSeat(
    val slot: TaskSlot,
    val others: List<Int>,
    val buddies: List<BuddySeat>,
)

/**
 * What a rank must know of one level of copies.
 *
 * @property slot where the copy of its stream lies
 * @property writer the rank that writes the copy of the rank's own physical file
 * @property keptFile the physical file whose copy the ranks of its own file keep
 * @property keptSender the rank that sends what that one holds
 */
internal class BuddySeat(
    val slot: TaskSlot,
    val writer: Int,
    val keptFile: Int,
    val keptSender: Int,
)

/** The places of ranks 0 to [rankCount] - 1. */
internal fun MultifileLayout.seats(rankCount: Int): List<TaskSeat> {
    val slots = (0 until rankCount).map(::slot)
    val members = slots.groupBy({ it.collector() }, { it.task() })
    return slots.map { TaskSeat(it, members[it.task()].orEmpty() - it.task(), buddySeats(it)) }
}

/** A task without a group is its own collector. */
internal fun TaskSlot.collector(): Int = group().map { it.collector() }.orElse(task())

private fun MultifileLayout.buddySeats(slot: TaskSlot): List<BuddySeat> =
    buddies().map {
        val file = slot.fileNumber()
        val kept = it.keptFile(file)
        BuddySeat(it.layout().slot(slot.task()), it.writer(file), kept, it.sender(kept))
    }

private val BUDDY_SEAT =
    Structure(BuddySeat(SLOT.blank, 0, 0, 0)) {
        BuddySeat(one(it.slot, SLOT), u32(it.writer), u32(it.keptFile), u32(it.keptSender))
    }

internal val SEAT =
    Structure(TaskSeat(SLOT.blank, emptyList(), emptyList())) {
        TaskSeat(one(it.slot, SLOT), list(it.others, TASK_NUMBER), list(it.buddies, BUDDY_SEAT))
    }
