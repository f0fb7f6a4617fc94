package dev.cairn.multifile

import dev.cairn.comm.CallsDifferException
import dev.cairn.comm.Communicator
import dev.cairn.comm.gatherText
import dev.cairn.comm.rankText
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
    val seat: Seat,
    val layout: MultifileLayout?,
)

/**
 * Collective: rank 0 hears what all ranks ask for, plans, creates the physical files and tells each rank its place.
 * Wrong use is refused on all ranks together.
 */
internal suspend fun Communicator.create(
    spec: MultifileSpec,
    chunkSize: Long,
    store: BlockStore,
    extraChunkSize: Long?,
): Creation {
    val request = Request(fingerprint(spec.sharedArguments()), chunkSize, spec.mapping().choice(rank))
    val requests = gather(ROOT, request.toPayload()).map(Request::of)
    val verdict = if (rank == ROOT) judge(requests, spec, store, extraChunkSize) else null
    val answer = scatter(ROOT, verdict?.answers(size))
    return if (answer.hasRemaining()) {
        Creation(answer.toSeat(), (verdict as? Verdict.Created)?.layout)
    } else {
        refuse(verdict, spec)
    }
}

/** What rank 0 makes of all requests. */
private sealed interface Verdict {
    class Created(
        val layout: MultifileLayout,
    ) : Verdict

    class Failed(
        val failure: Throwable,
    ) : Verdict

    /** In what they differ is found out only now, since it costs a message of some length for each rank. */
    data object ArgumentsDiffer : Verdict

    fun answers(rankCount: Int): List<ByteBuffer> =
        if (this is Created) layout.seats(rankCount).map { it.toPayload() } else List(rankCount) { REFUSED }
}

private fun judge(
    requests: List<Request>,
    spec: MultifileSpec,
    store: BlockStore,
    extraChunkSize: Long?,
): Verdict {
    if (requests.any { it.fingerprint != requests[ROOT].fingerprint }) return Verdict.ArgumentsDiffer
    return runCatching { createFiles(requests, spec, store, extraChunkSize) }.fold(Verdict::Created, Verdict::Failed)
}

private fun createFiles(
    requests: List<Request>,
    spec: MultifileSpec,
    store: BlockStore,
    extraChunkSize: Long?,
): MultifileLayout {
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
    requests: List<Request>,
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
    verdict: Verdict?,
    spec: MultifileSpec,
): Nothing {
    val all = gatherText(ROOT, spec.sharedArguments().joinToString("\n")).map { it.split("\n") }
    val failure =
        when (verdict) {
            null, is Verdict.Created -> null
            is Verdict.Failed -> verdict.failure
            is Verdict.ArgumentsDiffer -> CallsDifferException(difference(all))
        }
    settle("create", failure)
    error("rank $ROOT refused to create the multifile and did not say why; please report this")
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

private val REFUSED: ByteBuffer = ByteBuffer.allocate(0)
