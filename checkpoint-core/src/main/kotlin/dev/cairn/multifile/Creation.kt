package dev.cairn.multifile

import dev.cairn.event.CallsDifferException
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.DONE
import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.Structure
import dev.cairn.ranks.agree
import dev.cairn.ranks.assign
import dev.cairn.ranks.atStep
import dev.cairn.ranks.one
import dev.cairn.ranks.optional
import dev.cairn.ranks.text
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.store.BlockStore

/** A rank's [place] in a new multifile; rank 0 has the whole plan as well. */
internal data class Creation<P>(val place: P, val layout: MultifileLayout?)

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
    val own = request.map { CreationRequest(fingerprint(spec.sharedArguments()), it) }.atStep("prepare")
    var layout: MultifileLayout? = null
    val answer =
        assign("create", messages.request, messages.answer, own) { all ->
            if (all.any { it.fingerprint != all[ROOT].fingerprint }) return@assign List(size) { CreationAnswer(null) }
            val requests = all.map { it.content }
            val files = makeFiles(planning.plan(requests), spec, store, making).also { layout = it }
            planning.places(files, requests).map { CreationAnswer(it) }
        }
    return Creation(answer.place ?: refuseDifferent(spec), layout)
}

/**
 * The request of one rank.
 *
 * @property fingerprint of all arguments that must be the same on all ranks
 */
private class CreationRequest<R>(val fingerprint: Long, val content: R)

/**
 * The answer of rank 0 to one rank.
 *
 * @property place null if the ranks differ in their arguments. These are compared only after this, since that costs a longer message
 *   for each rank
 */
private class CreationAnswer<P>(val place: P?)

private class CreationMessages<R, P : Any>(planning: Planning<R, P>) {
    val request =
        MessageFields("a rank's request for a new multifile", CreationRequest(0, planning.request.blank)) {
            CreationRequest(u64(it.fingerprint), one(it.content, planning.request))
        }

    val answer =
        MessageFields("a rank's place in a new multifile", CreationAnswer<P>(null)) {
            CreationAnswer(optional(it.place, planning.place))
        }
}

private suspend fun makeFiles(
    tasks: PlannedTasks,
    spec: MultifileSpec,
    store: BlockStore,
    making: FileMaking,
): MultifileLayout {
    val layout = MultifileLayout.plan(spec.resolve(store).withMapping(tasks.mapping), tasks.requests)
    making.prepare(store, layout, tasks.requests.map { it.chunkSize() })
    return layout
}

/** Collective: throws on all ranks. */
private suspend fun Communicator.refuseDifferent(spec: MultifileSpec): Nothing {
    val arguments = Result.success(spec.sharedArguments().map { "$it" })
    agree<_, Unit>("create", ARGUMENTS, DONE, arguments) { all -> throw CallsDifferException(difference(all)) }
    error("the arguments of the ranks differ, and no rank says in what; please report this")
}

private val ARGUMENT = Structure("") { text(it) }

private val ARGUMENTS = MessageFields("the arguments of a rank", emptyList<String>()) { list(it, ARGUMENT) }
