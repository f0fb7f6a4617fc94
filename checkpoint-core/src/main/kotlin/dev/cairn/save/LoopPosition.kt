package dev.cairn.save

import dev.cairn.event.requireDeclared
import dev.cairn.event.utf8Of

/**
 * The position of a program: after [step] steps of the loop of [phase].
 *
 * @property isFinished whether the program has made this the last step, by [dev.cairn.Steps.finish] or by `saveIfDue(step, step)`
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
            if (isFinished) " and ends its loop there" else ""
}

/** The manifest holds the name of the phase, by which a restart finds the loop again. */
internal fun requirePhaseIsText(phase: String) {
    utf8Of(phase) { "the phase '$phase'" }
}

/** Refuses a position that a list of saves could not show in one row. */
internal fun LoopPosition.requireListable() {
    requireDeclared(step >= 0) {
        "a save is made after 0 steps or more, but the program saves after $step. Nothing was saved"
    }
    requireListable(phase)
}

internal fun requireListable(phase: String) {
    val unfit = phase.find { it.isISOControl() || it.category in LINE_ENDS }
    requireDeclared(unfit == null, phase) {
        "the name of a phase is shown in one line, but '${unfit?.let { phase.replace(it, '?') }}' has the character " +
            "U+%04X in place of its first '?': name the phase without it".format(unfit?.code)
    }
}

private val LINE_ENDS = setOf(CharCategory.LINE_SEPARATOR, CharCategory.PARAGRAPH_SEPARATOR)
