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
 * A rank's request for a new multifile.
 *
 * @property note the data from which rank 0 plans an extra task
 */
internal class RankRequest(
    val chunkSize: Long,
    val note: ByteBuffer = NOTHING,
)

/**
 * A [request] in the form in which rank 0 receives it.
 *
 * @property choice the file that the rank's own mapping gives its task, as [dev.cairn.sion.FileMapping.choice] returns it
 */
internal class SentRequest(
    val choice: Int,
    val request: RankRequest,
)

/**
 * Each rank writes the task that has its number.
 *
 * @param extraChunkSize computes the chunk size of an extra task, the last one, from the notes of all ranks; null for none
 */
internal class RankPlanning(
    private val spec: MultifileSpec,
    private val extraChunkSize: ((notes: List<ByteBuffer>) -> Long)?,
) : Planning<SentRequest, TaskSeat> {
    override val request get() = SENT_REQUEST
    override val place get() = SEAT

    override fun plan(requests: List<SentRequest>): PlannedTasks {
        val extra = extraChunkSize?.invoke(requests.map { it.request.note })
        requireParallel()
        requireSameFunction(requests)
        val tasks = requests.mapIndexed { rank, it -> TaskRequest(rank.toLong(), it.request.chunkSize) }
        if (extra == null) return PlannedTasks(tasks, spec.mapping())
        return PlannedTasks(tasks + TaskRequest(tasks.size.toLong(), extra), spec.mapping().withExtraTask())
    }

    override fun places(
        layout: MultifileLayout,
        requests: List<SentRequest>,
    ): List<TaskSeat> = layout.seats(requests.size)

    private fun requireParallel() =
        require(spec.dialect() == Dialect.PARALLEL) {
            "${spec.path()}: ranks that write a multifile together need a parallel spec, and this is a serial one: " +
                "use MultifileSpec.parallel."
        }

    private fun requireSameFunction(requests: List<SentRequest>) {
        val others = requests.indices.filter { requests[it].choice != spec.mapping().choice(it) }
        if (others.isEmpty()) return
        val first = others.first()
        throw CallsDifferException(
            "${spec.path()}: ${rankText(others)} and rank $ROOT map tasks to files by different functions: " +
                "for rank $first its own function returns ${requests[first].choice}, " +
                "but that of rank $ROOT returns ${spec.mapping().choice(first)}. Pass the same mapping on all ranks.",
        )
    }
}

private val RANK_REQUEST = Structure(RankRequest(0)) { RankRequest(u64(it.chunkSize), bytes(it.note)) }

private val SENT_REQUEST =
    Structure(SentRequest(0, RANK_REQUEST.blank)) { SentRequest(u32(it.choice), one(it.request, RANK_REQUEST)) }
