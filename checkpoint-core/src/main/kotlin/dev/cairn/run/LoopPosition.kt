package dev.cairn.run

import dev.cairn.base.utf8Of

/**
 * Where a program stands: after [step] steps of the loop of [phase].
 *
 * @property isFinished whether that was the last step, by [dev.cairn.Steps.finish], although others would come
 * @property phasesBefore the phases of the loops before this one, in their order; null if they are not known, as in a program
 *   with a loop of its own
 */
internal data class LoopPosition(
    val step: Long,
    val phase: String,
    val isFinished: Boolean = false,
    val phasesBefore: List<String>? = null,
) {
    init {
        requirePhaseIsText(phase)
    }

    override fun toString(): String =
        "step $step" +
            (if (phase.isEmpty()) "" else " of the phase '$phase'") +
            if (isFinished) " and has called finish()" else ""
}

/** The manifest has its name, by which a restart finds the loop again. */
internal fun requirePhaseIsText(phase: String) {
    utf8Of(phase) { "the phase '$phase'" }
}
