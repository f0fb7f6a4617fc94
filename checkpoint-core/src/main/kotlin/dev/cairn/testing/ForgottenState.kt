package dev.cairn.testing

import dev.cairn.heap.Forgotten
import dev.cairn.heap.Forgotten.Note

/**
 * What differs in the memory of a program, at the same step of an unbroken run and of one that was restarted. Its text is the list for
 * people. Made by [RestartTrial.findForgottenState].
 *
 * @property breakAt the step from which the program was restarted
 * @property step the step at which both runs were compared
 * @property findings what was still different a step later; first what was not declared. Single values that were not declared are among
 *   them if anything was: a truth value may be the same again by chance
 * @property scratch what was the same again a step later, such as arrays for intermediate results: forgotten, but probably harmless
 * @property unseen sentences about what could not be compared
 */
public class ForgottenState internal constructor(
    public val breakAt: Long,
    public val step: Long,
    public val findings: List<Finding>,
    public val scratch: List<Finding>,
    public val unseen: List<String>,
) {
    /** Whether there are no [findings]. */
    public val isEmpty: Boolean get() = findings.isEmpty()

    override fun toString(): String {
        val head = "${differing()} at step $step, after a restart from step $breakAt"
        return (listOf(head) + findings.map { "  $it" } + scratchLines() + unseen.map { "not compared: $it" })
            .joinToString("\n")
    }

    private fun differing() =
        when (findings.size) {
            0 -> "nothing differs"
            1 -> "one place of the memory differs"
            else -> "${findings.size} places of the memory differ"
        }

    private fun scratchLines() = if (scratch.isEmpty()) emptyList() else listOf(SCRATCH) + scratch.map { "  $it" }

    /**
     * One place that differs. Its text is a line of the list.
     *
     * @property place the field of the program that explains it, such as `Vegetation.season`, or a local variable, `time in Heat.main`
     * @property path a way to the first value that differs, from a static field or a method of the program, or a file; with the lowest rank
     *   for which it differs, if each has a process
     * @property unbroken that value in the unbroken run
     * @property restarted the same after the restart
     * @property count the number of values that differ at this place
     * @property note what is known about its declaration
     * @property isConfirmed whether the results after a restart are those of the unbroken run if this alone is set before the first step;
     *   null if that was not asked for, or it cannot be set
     */
    public class Finding internal constructor(found: Forgotten, public val isConfirmed: Boolean? = null) {
        public val place: String = found.place
        public val path: String = found.path + found.rank?.let { " of rank $it" }.orEmpty()
        public val unbroken: String = found.unbroken
        public val restarted: String = found.restarted
        public val count: Long = found.count
        public val note: String = found.note.inWords()

        private val name = if (place == found.path) path else "$path ($place)"

        private fun confirmation() =
            when (isConfirmed) {
                null -> ""
                true -> "; confirmed: with it set, the results are the same"
                false -> "; with it alone set, the results still differ"
            }

        override fun toString(): String {
            val more = if (count > 1) " ($count values differ)" else ""
            return "$name: $unbroken in the unbroken run, $restarted after the restart$more; $note${confirmation()}"
        }
    }
}

private const val SCRATCH = "scratch, the same again a step later:"

private fun Note.inWords(): String =
    when (this) {
        is Note.NeverDeclared -> "never declared"
        is Note.Declared -> "declared as '$item': does it follow from another place, or does its setter copy?"
        is Note.PerhapsDeclared -> "perhaps declared: ${items.joinToString { "'$it'" }} read the object that holds it"
        is Note.OrderOfHash -> "the same content in another order, a risk if results depend on it"
        is Note.NoLongerShared -> "one object before, several after the restart: a change of one misses the others"
    }
