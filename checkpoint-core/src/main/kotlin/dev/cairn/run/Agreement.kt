package dev.cairn.run

import dev.cairn.base.Structure
import dev.cairn.base.flag
import dev.cairn.base.optional
import dev.cairn.base.text
import dev.cairn.comm.Communicator
import dev.cairn.comm.MessageFields
import dev.cairn.comm.ROOT
import dev.cairn.comm.agree
import dev.cairn.comm.broadcastText
import dev.cairn.comm.collectively
import dev.cairn.comm.inStep
import dev.cairn.event.CallsDifferException
import dev.cairn.event.RankDiffersException
import dev.cairn.event.RankFailedException
import dev.cairn.save.requireListable
import dev.cairn.store.Parameter

// What all ranks must say alike, and what one of them is told that does not.

/** Ranks do not declare the same settings or the same state. No step has begun, so it is a refusal, no failed run. */
internal class DeclarationsDifferException(
    message: String,
) : CallsDifferException(message)

/**
 * Collective: if all ranks have [declared] the same, and their boxes make up the fields, rank 0 calls [begin] with the host of each
 * rank. If not, or if that
 * fails, all ranks throw the same [RankFailedException].
 */
internal suspend fun Communicator.agreeToOpen(
    declared: Result<RankDeclaration>,
    begin: (hosts: List<String>) -> Unit,
) {
    val first = shareInProcess { declared }.getOrNull()
    val told = declared.inStep().mapCatching { it.digested(rank, size, host, first) }
    // A rank that fails brings nothing instead of its failure, so that the others learn of all that differs in one refusal.
    val answer =
        agree(OPENING, TOLD, ANSWER, Result.success(told.getOrNull())) { all ->
            val own = declared.getOrThrow()
            val hosts = if (all.any { it == null }) null else own.hostsOfSame(all.filterNotNull())
            hosts?.let(begin)
            OpeningAnswer(if (hosts == null) own.inFull() else null)
        }
    if (answer.toCompare == null) return declared.getOrThrow().acceptTiling()
    collectively(OPENING) {
        told.getOrThrow()
        declared.getOrThrow().requireSame(rank, answer.toCompare)
    }
    error("the ranks declare different settings or items, and no rank says which; please report this")
}

/**
 * The answer of rank 0 to the declarations of all ranks.
 *
 * @property toCompare what rank 0 declares, for ranks that compare it with their own; null if all agree and it has begun
 */
private class OpeningAnswer(
    val toCompare: FullDeclaration?,
)

private val PARAMETER =
    Structure(Parameter("", "", "")) { Parameter(text(it.name), text(it.type), text(it.value)) }

private val FULL =
    Structure(FullDeclaration("", isSent = false, "", emptyList())) {
        FullDeclaration(text(it.settings), flag(it.isSent), text(it.items), list(it.parameters, PARAMETER))
    }

private val TOLD =
    MessageFields<Digested?>("the digest of what a rank declares", null) { optional(it, DIGESTED) }

private val ANSWER =
    MessageFields("rank 0's answer to the declarations", OpeningAnswer(null)) {
        OpeningAnswer(optional(it.toCompare, FULL))
    }

private const val OPENING = "open the checkpoints"

/** Collective: refuses loops that are not the same on all ranks. */
internal suspend fun Communicator.requireSameLoop(
    until: Long,
    phase: String,
) {
    val own = "the steps until $until" + if (phase.isEmpty()) "" else " of the phase '$phase'"
    val ofRoot = broadcastText(ROOT) { own }
    collectively("compare the steps") {
        requireListable(phase)
        if (own == ofRoot) return@collectively
        throw RankDiffersException(
            rank,
            "iterates over $own",
            "rank $ROOT over $ofRoot",
            "All ranks must iterate over the same steps.",
        )
    }
}
