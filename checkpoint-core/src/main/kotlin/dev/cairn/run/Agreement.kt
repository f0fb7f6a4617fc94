package dev.cairn.run

import dev.cairn.event.RankDiffersException
import dev.cairn.event.RankFailedException
import dev.cairn.event.withTypedFailures
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.Structure
import dev.cairn.ranks.agree
import dev.cairn.ranks.broadcastText
import dev.cairn.ranks.collectively
import dev.cairn.ranks.flag
import dev.cairn.ranks.inStep
import dev.cairn.ranks.optional
import dev.cairn.ranks.text
import dev.cairn.save.requireListable
import dev.cairn.store.Parameter

// Checks that all ranks declare the same, and reports the differences.

/**
 * Collective: if all ranks have [declared] the same and their boxes make up the fields, rank 0 calls [begin] with the host of each
 * rank. Otherwise, or if [begin] fails, all ranks throw the same [RankFailedException].
 */
internal suspend fun Communicator.agreeToOpen(
    declared: Result<RankDeclaration>,
    begin: (hosts: List<String>) -> Unit,
) {
    val first = shareInProcess { declared }.getOrNull()
    val digested = declared.inStep().mapCatching { it.digested(rank, size, host, first) }
    // A rank that fails sends null instead of its failure, so that one refusal lists all differences.
    val answer =
        agree(OPENING, DECLARATION, ANSWER, Result.success(digested.getOrNull())) { all ->
            val own = declared.getOrThrow()
            val hosts = if (all.any { it == null }) null else own.hostsOfSame(all.filterNotNull())
            hosts?.let(begin)
            OpeningAnswer(if (hosts == null) own.inFull() else null)
        }
    if (answer.toCompare == null) return declared.getOrThrow().acceptTiling()
    collectively(OPENING) {
        digested.getOrThrow()
        declared.getOrThrow().requireSame(rank, answer.toCompare)
    }
    error("the ranks declare different settings or items, and no rank says which; please report this")
}

/**
 * The answer of rank 0 to the declarations of all ranks.
 *
 * @property toCompare the declaration of rank 0, with which ranks compare their own; null if all agree and rank 0 has begun
 */
private class OpeningAnswer(val toCompare: FullDeclaration?)

private val PARAMETER =
    Structure(Parameter("", "", "")) { Parameter(text(it.name), text(it.type), text(it.value)) }

private val FULL =
    Structure(FullDeclaration("", isSent = false, "", emptyList())) {
        FullDeclaration(text(it.settings), flag(it.isSent), text(it.items), list(it.parameters, PARAMETER))
    }

private val DECLARATION =
    MessageFields<Digested?>("the digest of a rank's declaration", null) { optional(it, DIGESTED) }

private val ANSWER =
    MessageFields("rank 0's answer to the declarations", OpeningAnswer(null)) {
        OpeningAnswer(optional(it.toCompare, FULL))
    }

private const val OPENING = "open the checkpoints"

/** Collective: refuses loops that are not the same on all ranks. */
internal suspend fun Communicator.requireSameLoop(until: Long, phase: String) {
    val own = "the steps until $until" + if (phase.isEmpty()) "" else " of the phase '$phase'"
    val ofRoot = broadcastText(ROOT) { own }
    withTypedFailures {
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
}
