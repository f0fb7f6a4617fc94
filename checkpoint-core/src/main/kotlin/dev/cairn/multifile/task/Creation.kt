package dev.cairn.multifile.task

import dev.cairn.comm.Communicator
import dev.cairn.comm.MessageFields
import dev.cairn.comm.NOTHING
import dev.cairn.comm.ROOT
import dev.cairn.comm.gatherText
import dev.cairn.comm.settleRefused
import dev.cairn.failure.CallsDifferException
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.store.BlockStore
import dev.cairn.structure.choice
import dev.cairn.structure.one
import dev.cairn.structure.optional
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path

/** A rank's [place] in a new multifile; rank 0 has the whole plan as well. */
internal data class Creation<P>(
    val place: P,
    val layout: MultifileLayout?,
)

/**
 * Collective: rank 0 hears what all ranks wish, plans, creates the physical files and tells each rank its place. Wrong use is
 * refused on all ranks together, and so is all if a rank has failed before it had a [wish].
 */
internal suspend fun <W, P : Any> Communicator.create(
    spec: MultifileSpec,
    planning: Planning<W, P>,
    wish: Result<W>,
    store: BlockStore,
): Creation<P> {
    val messages = CreationMessages(planning)
    val own = wish.mapCatching { messages.request.encode(CreationRequest(fingerprint(spec.sharedArguments()), it)) }
    val requests = gather(ROOT, own.getOrElse { NOTHING })
    val verdict = if (rank == ROOT) judge(requests, messages, spec, planning, store) else null
    val answer = messages.answer.decode(scatter(ROOT, verdict?.answers(size)?.map(messages.answer::encode)))
    return when (answer.kind) {
        AnswerKind.PLACE -> Creation(checkNotNull(answer.place), (verdict as? PlanVerdict.Created)?.layout)
        AnswerKind.RANK_FAILED -> settleRefused("prepare", own.exceptionOrNull())
        AnswerKind.REFUSED -> refuse(verdict, spec)
    }
}

/**
 * What a rank asks for.
 *
 * @property fingerprint of all arguments that must be the same on all ranks
 */
private class CreationRequest<W>(
    val fingerprint: Long,
    val wish: W,
)

/** What rank 0 answers to a rank: its [place] if the multifile was created, and otherwise why there is none. */
private class CreationAnswer<P>(
    val kind: AnswerKind,
    val place: P? = null,
)

private enum class AnswerKind { PLACE, RANK_FAILED, REFUSED }

private class CreationMessages<W, P : Any>(
    planning: Planning<W, P>,
) {
    val request =
        MessageFields("what a rank wishes of a new multifile", CreationRequest(0, planning.wish.blank)) {
            CreationRequest(u64(it.fingerprint), one(it.wish, planning.wish))
        }

    val answer =
        MessageFields("its place in a new multifile", CreationAnswer<P>(AnswerKind.REFUSED)) {
            CreationAnswer(choice(AnswerKind.entries, it.kind), optional(it.place, planning.place))
        }
}

/** What rank 0 makes of all requests. */
private sealed interface PlanVerdict<out P> {
    class Created<P>(
        val layout: MultifileLayout,
        val places: List<P>,
    ) : PlanVerdict<P>

    class Failed(
        val failure: Throwable,
    ) : PlanVerdict<Nothing>

    /** In what they differ is found out only now, since it costs a message of some length for each rank. */
    data object ArgumentsDiffer : PlanVerdict<Nothing>

    /** A rank has failed, and nothing was created. */
    data object RankFailed : PlanVerdict<Nothing>
}

private fun <P> PlanVerdict<P>.answers(rankCount: Int): List<CreationAnswer<P>> =
    when (this) {
        is PlanVerdict.Created -> places.map { CreationAnswer(AnswerKind.PLACE, it) }
        is PlanVerdict.RankFailed -> List(rankCount) { CreationAnswer(AnswerKind.RANK_FAILED) }
        else -> List(rankCount) { CreationAnswer(AnswerKind.REFUSED) }
    }

private fun <W, P : Any> judge(
    payloads: List<ByteBuffer>,
    messages: CreationMessages<W, P>,
    spec: MultifileSpec,
    planning: Planning<W, P>,
    store: BlockStore,
): PlanVerdict<P> {
    if (payloads.any { !it.hasRemaining() }) return PlanVerdict.RankFailed
    val requests =
        runCatching { payloads.map(messages.request::decode) }.getOrElse { return PlanVerdict.Failed(it) }
    if (requests.any { it.fingerprint != requests[ROOT].fingerprint }) return PlanVerdict.ArgumentsDiffer
    val wishes = requests.map { it.wish }
    return runCatching {
        val layout = createFiles(planning.plan(wishes), spec, store)
        PlanVerdict.Created(layout, planning.places(layout, wishes))
    }.getOrElse { PlanVerdict.Failed(it) }
}

private fun createFiles(
    tasks: PlannedTasks,
    spec: MultifileSpec,
    store: BlockStore,
): MultifileLayout {
    val layout = MultifileLayout.plan(spec.resolve(store).withMapping(tasks.mapping), tasks.requests)
    requireRoom(spec, store, tasks.requests.sumOf { it.chunkSize() })
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

/** Collective: throws on all ranks. */
private suspend fun Communicator.refuse(
    verdict: PlanVerdict<*>?,
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
