package dev.cairn.multifile.task

import dev.cairn.comm.NOTHING
import dev.cairn.comm.ROOT
import dev.cairn.failure.CallsDifferException
import dev.cairn.failure.rankText
import dev.cairn.sion.Dialect
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.TaskRequest
import dev.cairn.structure.Structure
import dev.cairn.structure.one
import java.nio.ByteBuffer

/**
 * What a rank wants of a new multifile.
 *
 * @property note tells rank 0 what it must know to plan an extra task
 */
internal class TaskWish(
    val chunkSize: Long,
    val note: ByteBuffer = NOTHING,
)

/**
 * A [wish], as rank 0 hears it.
 *
 * @property choice what the rank's own mapping says of its task
 */
internal class RankWish(
    val choice: Int,
    val wish: TaskWish,
)

/**
 * Each rank writes the task that bears its number.
 *
 * @param extraChunkSize what the notes of all ranks make of an extra task, the last one; null for none
 */
internal class RankPlanning(
    private val spec: MultifileSpec,
    private val extraChunkSize: ((notes: List<ByteBuffer>) -> Long)?,
) : Planning<RankWish, TaskSeat> {
    override val wish get() = RANK_WISH
    override val place get() = SEAT

    override fun plan(wishes: List<RankWish>): PlannedTasks {
        val extra = extraChunkSize?.invoke(wishes.map { it.wish.note })
        requireParallel()
        requireSameFunction(wishes)
        val tasks = wishes.mapIndexed { rank, it -> TaskRequest(rank.toLong(), it.wish.chunkSize) }
        if (extra == null) return PlannedTasks(tasks, spec.mapping())
        return PlannedTasks(tasks + TaskRequest(tasks.size.toLong(), extra), spec.mapping().withExtraTask())
    }

    override fun places(
        layout: MultifileLayout,
        wishes: List<RankWish>,
    ): List<TaskSeat> = layout.seats(wishes.size)

    private fun requireParallel() =
        require(spec.dialect() == Dialect.PARALLEL) {
            "${spec.path()}: ranks write a multifile together, and this is the spec of a serial one: " +
                "use MultifileSpec.parallel."
        }

    private fun requireSameFunction(wishes: List<RankWish>) {
        val others = wishes.indices.filter { wishes[it].choice != spec.mapping().choice(it) }
        if (others.isEmpty()) return
        val first = others.first()
        throw CallsDifferException(
            "${spec.path()}: ${rankText(others)} and rank $ROOT map tasks to files by different functions: " +
                "for rank $first its own says ${wishes[first].choice}, " +
                "but rank $ROOT's says ${spec.mapping().choice(first)}. Pass the same mapping on all ranks.",
        )
    }
}

private val WISH = Structure(TaskWish(0)) { TaskWish(u64(it.chunkSize), bytes(it.note)) }

private val RANK_WISH = Structure(RankWish(0, WISH.blank)) { RankWish(u32(it.choice), one(it.wish, WISH)) }
