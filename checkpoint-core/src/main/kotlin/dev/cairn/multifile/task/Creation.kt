package dev.cairn.multifile.task

import dev.cairn.comm.Communicator
import dev.cairn.comm.MessageFields
import dev.cairn.comm.NOTHING
import dev.cairn.comm.ROOT
import dev.cairn.comm.gatherText
import dev.cairn.comm.refuseStep
import dev.cairn.comm.settleRefused
import dev.cairn.failure.CallsDifferException
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
 * Collective: rank 0 gathers the requests of all ranks, plans, creates the physical files and sends each rank its place. If the
 * arguments are invalid, or if a rank failed before it had a [request], all ranks throw.
 */
internal suspend fun <R, P : Any> Communicator.create(
    spec: MultifileSpec,
    planning: Planning<R, P>,
    request: Result<R>,
    store: BlockStore,
    making: FileMaking,
): Creation<P> {
    val messages = CreationMessages(planning)
    val own = request.mapCatching { messages.request.encode(CreationRequest(fingerprint(spec.sharedArguments()), it)) }
    val payloads = gather(ROOT, own.getOrElse { NOTHING })
    val verdict =
        if (rank ==
            ROOT
        ) {
            judge(payloads, messages, spec, planning) { makeFiles(it, spec, store, making) }
        } else {
            null
        }
    val answer = messages.answer.decode(scatter(ROOT, verdict?.answers(size)?.map(messages.answer::encode)))
    return when (answer.kind) {
        AnswerKind.PLACE -> Creation(checkNotNull(answer.place), (verdict as? PlanVerdict.Created)?.layout)
        AnswerKind.RANK_FAILED -> refuseStep("prepare", own.exceptionOrNull())
        AnswerKind.REFUSED -> refuse(verdict, spec)
    }
}

/**
 * The request of one rank.
 *
 * @property fingerprint of all arguments that must be the same on all ranks
 */
private class CreationRequest<R>(
    val fingerprint: Long,
    val content: R,
)

/** The answer of rank 0 to one rank: its [place] if the multifile was created, and otherwise the reason why it was not. */
private class CreationAnswer<P>(
    val kind: AnswerKind,
    val place: P? = null,
)

private enum class AnswerKind { PLACE, RANK_FAILED, REFUSED }

private class CreationMessages<R, P : Any>(
    planning: Planning<R, P>,
) {
    val request =
        MessageFields("a rank's request for a new multifile", CreationRequest(0, planning.request.blank)) {
            CreationRequest(u64(it.fingerprint), one(it.content, planning.request))
        }

    val answer =
        MessageFields("a rank's place in a new multifile", CreationAnswer<P>(AnswerKind.REFUSED)) {
            CreationAnswer(choice(AnswerKind.entries, it.kind), optional(it.place, planning.place))
        }
}

/** The decision of rank 0 on the requests of all ranks. */
private sealed interface PlanVerdict<out P> {
    class Created<P>(
        val layout: MultifileLayout,
        val places: List<P>,
    ) : PlanVerdict<P>

    class Failed(
        val failure: Throwable,
    ) : PlanVerdict<Nothing>

    /** The arguments themselves are compared only after this, since that costs a longer message for each rank. */
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

private suspend fun <R, P : Any> judge(
    payloads: List<ByteBuffer>,
    messages: CreationMessages<R, P>,
    spec: MultifileSpec,
    planning: Planning<R, P>,
    makeFiles: suspend (PlannedTasks) -> MultifileLayout,
): PlanVerdict<P> {
    if (payloads.any { !it.hasRemaining() }) return PlanVerdict.RankFailed
    val received =
        runCatching { payloads.map(messages.request::decode) }.getOrElse { return PlanVerdict.Failed(it) }
    if (received.any { it.fingerprint != received[ROOT].fingerprint }) return PlanVerdict.ArgumentsDiffer
    val requests = received.map { it.content }
    return runCatching {
        val layout = makeFiles(planning.plan(requests))
        PlanVerdict.Created(layout, planning.places(layout, requests))
    }.getOrElse { PlanVerdict.Failed(it) }
}

private suspend fun makeFiles(
    tasks: PlannedTasks,
    spec: MultifileSpec,
    store: BlockStore,
    making: FileMaking,
): MultifileLayout {
    val layout = MultifileLayout.plan(spec.resolve(store).withMapping(tasks.mapping), tasks.requests)
    making.create(store, layout, tasks.requests.map { it.chunkSize() })
    return layout
}

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
