package dev.cairn.multifile

import dev.cairn.ranks.Structure
import dev.cairn.ranks.one
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.TaskSlot

/**
 * The places of one rank in a new multifile.
 *
 * @property slot the place of its stream
 * @property others the other tasks of its group, if it is the collector; otherwise empty
 * @property buddies the places of the copies of its stream
 */
internal class TaskSeat(val slot: TaskSlot, val others: List<Int>, val buddies: List<BuddySeat>)

/**
 * The place of one rank in one level of copies.
 *
 * @property slot the place of the copy of its stream
 * @property writer the rank that writes the copy of this rank's physical file
 * @property keptFile the physical file whose copy the ranks of this rank's file keep
 * @property keptSender the rank that sends the data of [keptFile]
 */
internal class BuddySeat(val slot: TaskSlot, val writer: Int, val keptFile: Int, val keptSender: Int)

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
