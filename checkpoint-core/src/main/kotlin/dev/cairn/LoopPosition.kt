package dev.cairn

/**
 * Where a program stands: after [step] steps of the loop of [phase].
 *
 * @property isFinished whether that was the last step, by [Steps.finish], although others would come
 */
internal data class LoopPosition(
    val step: Long,
    val phase: String,
    val isFinished: Boolean = false,
) {
    override fun toString(): String =
        "step $step" +
            (if (phase.isEmpty()) "" else " of the phase '$phase'") +
            if (isFinished) " as the last one" else ""
}
