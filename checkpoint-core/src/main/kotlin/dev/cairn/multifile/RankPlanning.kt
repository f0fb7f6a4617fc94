package dev.cairn.multifile

import dev.cairn.event.CallsDifferException
import dev.cairn.event.rankText
import dev.cairn.ranks.NOTHING
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.Structure
import dev.cairn.ranks.one
import dev.cairn.ranks.optional
import dev.cairn.sion.Dialect
import dev.cairn.sion.FileMapping
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.TaskRequest
import java.nio.ByteBuffer

/**
 * A rank's request for a new multifile.
 *
 * @property note the data from which rank 0 plans an extra task
 * @property byteCount the bytes of the rank, as far as they are known
 */
internal class RankRequest(val chunkSize: Long, val note: ByteBuffer = NOTHING, val byteCount: Long = chunkSize)

/**
 * A [request] in the form in which rank 0 receives it.
 *
 * @property choice the file that the rank's own mapping gives its task, as [FileMapping.choice] returns it
 * @property load null if the files do not depend on it
 */
internal class SentRequest(val choice: Int, val request: RankRequest, val load: Load? = null)

/** Computes the chunk size of an extra task, the last one, from the notes of all ranks and the files of their tasks. */
internal typealias ExtraChunkSize = (notes: List<ByteBuffer>, mapping: FileMapping) -> Long

/**
 * Each rank writes the task that has its number.
 *
 * @param bounds of the files, if the ranks choose them
 * @param extraChunkSize null if there is no extra task
 */
internal class RankPlanning(
    private val spec: MultifileSpec,
    private val bounds: FileBounds,
    private val extraChunkSize: ExtraChunkSize?,
) : Planning<SentRequest, TaskSeat> {
    override val request get() = SENT_REQUEST
    override val place get() = SEAT

    override fun plan(requests: List<SentRequest>): PlannedTasks {
        val wanted = spec.mapping()
        val mapping = if (wanted.isAuto) chooseFiles(requests.mapNotNull { it.load }, bounds) else wanted
        val extra = extraChunkSize?.invoke(requests.map { it.request.note }, mapping)
        requireParallel()
        requireSameFunction(requests)
        val tasks = requests.mapIndexed { rank, it -> TaskRequest(rank.toLong(), it.request.chunkSize) }
        if (extra == null) return PlannedTasks(tasks, mapping)
        return PlannedTasks(tasks + TaskRequest(tasks.size.toLong(), extra), mapping.withExtraTask())
    }

    override fun places(layout: MultifileLayout, requests: List<SentRequest>): List<TaskSeat> =
        layout.seats(requests.size)

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

private val RANK_REQUEST =
    Structure(RankRequest(0)) { RankRequest(u64(it.chunkSize), bytes(it.note), u64(it.byteCount)) }

private val SENT_REQUEST =
    Structure(SentRequest(0, RANK_REQUEST.blank)) {
        SentRequest(u32(it.choice), one(it.request, RANK_REQUEST), optional(it.load, LOAD))
    }
