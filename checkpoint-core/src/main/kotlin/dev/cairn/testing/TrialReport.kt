package dev.cairn.testing

import dev.cairn.base.counted

/**
 * How much a [RestartTrial] has seen, if it has passed. Its text is a sentence for the output of a test. A state that influences
 * nothing of this before the program ends may be lost at a restart, and the trial passes.
 *
 * @property items the names of the declared items that were compared
 * @property outputs the names of the files that were compared
 * @property witnesses the names of the compared [witnesses][dev.cairn.StateBuilder.witness]
 * @property stepCount the number of steps after which they were compared
 * @property warnings sentences about what could not be compared
 */
public class TrialReport internal constructor(
    public val items: Set<String>,
    public val outputs: Set<String>,
    public val witnesses: Set<String>,
    public val stepCount: Int,
    public val warnings: List<String>,
) {
    override fun toString(): String {
        val kinds =
            listOf(
                counted(items.size, "item").takeIf { items.isNotEmpty() },
                counted(outputs.size, "output").takeIf { outputs.isNotEmpty() },
                counted(witnesses.size, "witness", "witnesses").takeIf { witnesses.isNotEmpty() },
            ).filterNotNull()
        val compared = if (kinds.isEmpty()) "nothing" else inWords(kinds)
        val seen = "compared $compared over ${counted(stepCount, "step")}; $UNSEEN"
        return (listOf(seen) + warnings).joinToString("; ")
    }

    private fun inWords(kinds: List<String>): String =
        if (kinds.size == 1) kinds.single() else "${kinds.dropLast(1).joinToString()} and ${kinds.last()}"
}

private const val UNSEEN = "a state that influences none of these is not seen"

/** Gathers the names of what a trial compares, and by the name of a stream a sentence on why it could not be compared. */
internal class TrialScope {
    val items = sortedSetOf<String>()
    val outputs = sortedSetOf<String>()
    val witnesses = sortedSetOf<String>()
    val warnings = linkedMapOf<String, String>()

    fun report(stepCount: Int) =
        TrialReport(items - warnings.keys, outputs, witnesses, stepCount, warnings.values.toList())
}
