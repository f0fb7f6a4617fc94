package dev.cairn.testing

/**
 * The results of a program after a restart differ from those without one; [step] and [items] are the first difference. The message
 * also names its place in an item, both values, and the items that agree.
 * Thrown to the caller of the trial.
 */
public class RestartDiffers internal constructor(difference: Difference, where: String) :
    AssertionError(
        "${difference.items} differ first at step ${difference.step}, $where ${difference.details}".trimEnd(),
    ) {
        public val step: Long = difference.step
        public val items: List<String> = difference.items
    }
