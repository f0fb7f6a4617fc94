package dev.cairn.run

import dev.cairn.base.NUMBER
import dev.cairn.base.Structure
import dev.cairn.base.choice
import dev.cairn.base.flag
import dev.cairn.base.optional
import dev.cairn.base.text
import dev.cairn.comm.Communicator
import dev.cairn.comm.MessageFields
import dev.cairn.comm.ROOT
import dev.cairn.comm.agree
import dev.cairn.comm.broadcastText
import dev.cairn.comm.collectively
import dev.cairn.comm.decide
import dev.cairn.comm.inStep
import dev.cairn.event.CallsDifferException
import dev.cairn.event.RankDiffersException
import dev.cairn.event.RankFailedException
import dev.cairn.options.Wait
import dev.cairn.store.Parameter
import dev.cairn.store.SaveDirectory

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

/**
 * What rank 0 saves, as it has told all ranks.
 *
 * @property sealed the earlier saves that hosts still keep
 */
internal class AgreedSave(
    val number: Int,
    val position: LoopPosition,
    val wait: Wait,
    val sealed: List<Int>,
) {
    /** Throws on a [rank] that saves something else, or waits for something else. */
    fun requireSame(
        rank: Int,
        position: LoopPosition,
        wait: Wait,
    ) {
        if (position != this.position.copy(phasesBefore = position.phasesBefore)) {
            throw RankDiffersException(
                rank,
                "saves $position",
                "rank $ROOT saves ${this.position}",
                "Nothing was saved: all ranks must save the same step in the same phase.",
            )
        }
        if (wait != this.wait) {
            throw RankDiffersException(
                rank,
                "saves $position and waits until that is ${wait.inWords}",
                "rank $ROOT until it is ${this.wait.inWords}",
                "Nothing was saved: all ranks must call the same function, save or saveAsync.",
            )
        }
    }

    private val Wait.inWords: String
        get() =
            when (this) {
                Wait.COPIED -> "copied"
                Wait.LOCAL -> "on the disks of the hosts"
                Wait.COMMITTED -> "committed"
            }
}

/** What lists of saves show in one row each, before anything is saved that they could not show. */
private fun LoopPosition.requireListable() {
    require(step >= 0) { "a save is made after 0 steps or more, but the program saves after $step. Nothing was saved" }
    requireListable(phase)
}

private fun requireListable(phase: String) {
    val unfit = phase.find { it.isISOControl() || it.category in LINE_ENDS } ?: return
    throw IllegalArgumentException(
        "the name of a phase is shown in one line, but '${phase.replace(unfit, '?')}' has the character " +
            "U+%04X in place of its first '?': name the phase without it".format(unfit.code),
    )
}

private val LINE_ENDS = setOf(CharCategory.LINE_SEPARATOR, CharCategory.PARAGRAPH_SEPARATOR)

/** Collective: rank 0 lets [begin] begin a save, which gives it a number, and tells all what it saves. */
internal suspend fun Communicator.agreeOnSave(
    position: LoopPosition,
    wait: Wait,
    begin: suspend () -> SaveDirectory,
): AgreedSave =
    decide("begin a save", AGREED_SAVE) {
        position.requireListable()
        val begun = begin()
        AgreedSave(begun.number, position, wait, begun.sealedBefore)
    }

private val AGREED_SAVE =
    MessageFields("what rank 0 saves", AgreedSave(0, LoopPosition(0, ""), Wait.COMMITTED, emptyList())) { save ->
        val (step, phase, isFinished) = save.position
        AgreedSave(
            u32(save.number),
            LoopPosition(u64(step), text(phase), flag(isFinished)),
            choice(Wait.entries, save.wait),
            list(save.sealed, NUMBER),
        )
    }

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
