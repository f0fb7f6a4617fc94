package dev.cairn.multifile.task

import dev.cairn.comm.Communicator
import dev.cairn.comm.REFUSED
import dev.cairn.comm.ROOT
import dev.cairn.comm.gatherText
import dev.cairn.comm.settleRefused
import dev.cairn.failure.CallsDifferException
import dev.cairn.failure.rankText
import dev.cairn.sion.Dialect
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.store.BlockStore
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path

/** A rank's place in a new multifile; rank 0 has the whole plan as well. */
internal data class Creation(
    val seat: TaskSeat,
    val layout: MultifileLayout?,
)

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
 * Collective: rank 0 hears what all ranks ask for, plans, creates the physical files and tells each rank its place.
 * Wrong use is refused on all ranks together, and so is all if a rank has failed before it had a [wish].
 *
 * @param extraChunkSize what the notes of all ranks make of the extra task, on rank 0; null for none
 */
internal suspend fun Communicator.create(
    spec: MultifileSpec,
    wish: Result<TaskWish>,
    store: BlockStore,
    extraChunkSize: ((List<ByteBuffer>) -> Long)?,
): Creation {
    val requests = gather(ROOT, wish.fold({ requestOf(spec, it).toPayload() }, { NOTHING }))
    val verdict = if (rank == ROOT) judge(requests, spec, store, extraChunkSize) else null
    val answer = scatter(ROOT, verdict?.answers(size))
    return when {
        answer.remaining() > 1 -> Creation(answer.toSeat(), (verdict as? PlanVerdict.Created)?.layout)
        answer.hasRemaining() -> settleRefused("prepare", wish.exceptionOrNull())
        else -> refuse(verdict, spec)
    }
}

private fun Communicator.requestOf(
    spec: MultifileSpec,
    wish: TaskWish,
) = WriteRequest(fingerprint(spec.sharedArguments()), wish.chunkSize, spec.mapping().choice(rank), wish.note)

/** What rank 0 makes of all requests. */
private sealed interface PlanVerdict {
    class Created(
        val layout: MultifileLayout,
    ) : PlanVerdict

    class Failed(
        val failure: Throwable,
    ) : PlanVerdict

    /** In what they differ is found out only now, since it costs a message of some length for each rank. */
    data object ArgumentsDiffer : PlanVerdict

    /** A rank has failed, and nothing was created. */
    data object RankFailed : PlanVerdict

    fun answers(rankCount: Int): List<ByteBuffer> =
        when (this) {
            is Created -> layout.seats(rankCount).map { it.toPayload() }
            is RankFailed -> List(rankCount) { RANK_FAILED }
            else -> List(rankCount) { REFUSED }
        }
}

private fun judge(
    payloads: List<ByteBuffer>,
    spec: MultifileSpec,
    store: BlockStore,
    extraChunkSize: ((List<ByteBuffer>) -> Long)?,
): PlanVerdict {
    if (payloads.any { !it.hasRemaining() }) return PlanVerdict.RankFailed
    val requests = payloads.map(WriteRequest::of)
    if (requests.any { it.fingerprint != requests[ROOT].fingerprint }) return PlanVerdict.ArgumentsDiffer
    return runCatching {
        createFiles(requests, spec, store, extraChunkSize)
    }.fold(PlanVerdict::Created, PlanVerdict::Failed)
}

private fun createFiles(
    requests: List<WriteRequest>,
    spec: MultifileSpec,
    store: BlockStore,
    extraChunkSizeOf: ((List<ByteBuffer>) -> Long)?,
): MultifileLayout {
    val extraChunkSize = extraChunkSizeOf?.invoke(requests.map { it.note })
    requireParallel(spec)
    requireSameFunction(requests, spec)
    val tasks = requests.mapIndexed { rank, request -> TaskRequest(rank.toLong(), request.chunkSize) }
    val resolved = spec.resolve(store)
    val layout =
        if (extraChunkSize == null) {
            MultifileLayout.plan(resolved, tasks)
        } else {
            val extra = TaskRequest(tasks.size.toLong(), extraChunkSize)
            MultifileLayout.plan(resolved.withMapping(spec.mapping().withExtraTask()), tasks + extra)
        }
    requireRoom(spec, store, tasks.sumOf { it.chunkSize() } + (extraChunkSize ?: 0))
    Multifile.create(store, layout)
    layout.buddies().forEach { Multifile.create(store, it.layout()) }
    return layout
}

/** Nothing is free also where a file system does not tell, so then the first write decides. */
private fun requireRoom(
    spec: MultifileSpec,
    store: BlockStore,
    byteCount: Long,
) {
    val free = store.freeSpace(spec.path().parent ?: Path.of(""))
    if (free in 1 until byteCount) throw NoRoomException(spec.path(), byteCount, free)
}

/** A multifile was not created, because what is known of its size is more than the file system has free. */
internal class NoRoomException(
    file: Path,
    byteCount: Long,
    freeCount: Long,
) : IOException(
        "$file: it needs $byteCount bytes or more, but the file system calls $freeCount bytes free. Make room, or " +
            "write to another file system.",
    )

private fun requireParallel(spec: MultifileSpec) =
    require(spec.dialect() == Dialect.PARALLEL) {
        "${spec.path()}: ranks write a multifile together, and this is the spec of a serial one: " +
            "use MultifileSpec.parallel."
    }

private fun requireSameFunction(
    requests: List<WriteRequest>,
    spec: MultifileSpec,
) {
    val others = requests.indices.filter { requests[it].choice != spec.mapping().choice(it) }
    if (others.isEmpty()) return
    val first = others.first()
    throw CallsDifferException(
        "${spec.path()}: ${rankText(others)} and rank $ROOT map tasks to files by different functions: " +
            "for rank $first its own says ${requests[first].choice}, " +
            "but rank $ROOT's says ${spec.mapping().choice(first)}. Pass the same mapping on all ranks.",
    )
}

/** Collective: throws on all ranks. */
private suspend fun Communicator.refuse(
    verdict: PlanVerdict?,
    spec: MultifileSpec,
): Nothing {
    val all = gatherText(ROOT, spec.sharedArguments().joinToString("\n")).map { it.split("\n") }
    val failure =
        when (verdict) {
            null, is PlanVerdict.Created, is PlanVerdict.RankFailed -> null
            is PlanVerdict.Failed -> verdict.failure
            is PlanVerdict.ArgumentsDiffer -> CallsDifferException(difference(all))
        }
    settleRefused("create", failure)
}

/** The first argument that is not the same on all ranks, and who passes what. */
private fun difference(argumentsOfRanks: List<List<String>>): String {
    val index =
        argumentsOfRanks[ROOT].indices.first { at ->
            argumentsOfRanks.any { it[at] != argumentsOfRanks[ROOT][at] }
        }
    val ranksByValue = argumentsOfRanks.indices.groupBy { argumentsOfRanks[it][index] }
    val who = ranksByValue.entries.joinToString("; ") { (value, ranks) -> "$value: ${rankText(ranks)}" }
    return "the ranks do not mean the same multifile ($who). Pass the same arguments on all ranks."
}

private val RANK_FAILED: ByteBuffer = ByteBuffer.allocate(1)
