package dev.cairn

import dev.cairn.comm.CallsDifferException
import dev.cairn.comm.Communicator
import dev.cairn.comm.broadcastText
import dev.cairn.comm.collectively
import dev.cairn.multifile.ROOT

// What all ranks must say alike, and what one of them is told that does not. Settings and declarations are in Opening.kt.

/** What rank 0 saves, as it has told all ranks. */
internal class AgreedSave(
    val number: Int,
    private val step: Long,
    private val phase: String,
) {
    /** Throws on a [rank] that saves another step or phase. */
    fun require(
        rank: Int,
        step: Long,
        phase: String,
    ) {
        if (step == this.step && phase == this.phase) return
        throw CallsDifferException(
            "rank $rank saves ${stepText(
                step,
                phase,
            )}, but rank $ROOT saves ${stepText(this.step, this.phase)}. Nothing " +
                "was saved: all ranks save the same step in the same phase.",
        )
    }
}

/** Collective: rank 0 tells all what it saves as save [number], which is null on other ranks. */
internal suspend fun Communicator.agreeOnSave(
    number: Int?,
    step: Long,
    phase: String,
): AgreedSave {
    val (numberOfRoot, stepOfRoot, phaseOfRoot) = broadcastText(ROOT) { "$number $step $phase" }.split(" ", limit = 3)
    return AgreedSave(numberOfRoot.toInt(), stepOfRoot.toLong(), phaseOfRoot)
}

/** Collective: refuses loops that are not the same on all ranks. */
internal suspend fun Communicator.requireSameLoop(
    until: Long,
    phase: String,
) {
    val own = "the steps until $until" + if (phase.isEmpty()) "" else " of the phase '$phase'"
    val ofRoot = broadcastText(ROOT) { own }
    collectively("compare the steps") {
        if (own == ofRoot) return@collectively
        throw CallsDifferException(
            "rank $rank walks through $own, but rank $ROOT through $ofRoot. All ranks walk through the same steps.",
        )
    }
}

private fun stepText(
    step: Long,
    phase: String,
) = "step $step" + if (phase.isEmpty()) "" else " of the phase '$phase'"
