package dev.cairn.examples.forgotten

import dev.cairn.examples.forgotten.Examination.Answer
import java.nio.file.Path
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlin.math.roundToInt
import kotlin.time.DurationUnit.SECONDS

/** The page with the results of the examination. */
internal object ExaminationPage {
    private val path = Path.of("../docs/reference/forgotten-state.md")

    /** A line of the table, up to its last column, which has the time. */
    fun rowOf(answer: Answer): String {
        val (id, _, kind, what, path) = answer.planted
        val reported = answer.named?.let { "`${it.path}` | ${answer.rank}" } ?: "not named | –"
        return "| $id | $kind: $what | $path | $reported |"
    }

    fun text(): String = path.readText()

    /** Puts the results of the whole examination in the place of those of an earlier one. */
    fun write(answers: List<Answer>, falseAlarms: Int) {
        val head = text().substringBefore(FIRST)
        val rows = answers.map { "${rowOf(it)} ${secondsOf(it)} |" }
        path.writeText(
            head + (listOf(FIRST, sums(answers, falseAlarms), "") + TABLE + rows).joinToString("\n", postfix = "\n"),
        )
    }

    private fun sums(answers: List<Answer>, falseAlarms: Int): String {
        val named = answers.count { it.named != null }
        val first = answers.count { it.rank == 1 }
        val seconds = answers.map(::secondsOf).sorted()
        return "$named of ${answers.size} omissions are named, $first of them in the first line; " +
            "$falseAlarms false ${if (falseAlarms == 1) "alarm" else "alarms"} in the programs made right.\n" +
            "A search takes ${seconds[seconds.size / 2]} s (median), and ${seconds.last()} s at most."
    }

    private fun secondsOf(answer: Answer): Int = answer.took.toDouble(SECONDS).roundToInt()

    private const val FIRST = "<!-- examination -->"
    private val TABLE =
        listOf("| omission | what | right path | path reported | line | s |", "|---|---|---|---|---|---|")
}
