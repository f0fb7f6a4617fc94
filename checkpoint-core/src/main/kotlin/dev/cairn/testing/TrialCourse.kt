package dev.cairn.testing

import dev.cairn.testing.RunNames.INTERRUPTED
import dev.cairn.testing.RunNames.REPEATED
import java.lang.System.Logger.Level.WARNING

/**
 * The runs of one [trial], and their comparison.
 *
 * @param isStoppedByProgram whether the program itself ends at the step at which it is interrupted
 * @param begin a history without any save
 */
internal class TrialCourse(
    private val trial: RestartTrial,
    private val isStoppedByProgram: Boolean,
    private val begin: () -> TrialHistory,
) {
    private val rankCount get() = trial.rankCount
    private val breakAt get() = trial.breakAt
    private val scope = TrialScope()
    private lateinit var unbroken: TrialHistory

    /** @param played the run without an interruption, if it has been played */
    suspend fun run(played: TrialHistory? = null): RestartTrial.Report {
        unbroken = played ?: begin().also { it.playToEnd(rankCount) }
        requireBreak()
        compareBrokenEarly()
        for (count in trial.restartOn) compareRestart(count)
        val report = scope.report(unbroken.saves.size)
        report.warnings.forEach { LOG.log(WARNING, "RestartTrial: $it") }
        return report
    }

    /** In this case nothing can be restored. */
    private suspend fun compareBrokenEarly() {
        val first = unbroken.saves.first().step
        val broken = playUntil(first)
        broken.loseFrom(first)
        broken.playToEnd(rankCount)
        val difference = HistoryComparison(unbroken, broken, INTERRUPTED).toTheEnd() ?: return
        throw differs(difference, if (difference.isInOutputs) NOT_EMPTIED else LEFT_BEHIND)
    }

    private suspend fun compareRestart(count: Int) {
        val broken = playUntil(afterBreak())
        broken.loseFrom(breakAt + 1)
        val kept = broken.saves.size
        broken.playToEnd(count)
        val comparison = HistoryComparison(unbroken, broken, INTERRUPTED, scope, first = kept)
        val difference = comparison.inOrder(breakAt) ?: comparison.toTheEnd() ?: return
        val elsewhere = begin().also { it.play(count) }
        val alone = HistoryComparison(unbroken, elsewhere, REPEATED).inSaves()
        throw differs(difference, restarted(count, alone))
    }

    /** The first part of an interrupted run. Nothing was restored, so it goes as the one that was not interrupted. */
    private suspend fun playUntil(step: Long): TrialHistory {
        val broken = begin().also { it.play(rankCount, stopAt = step) }
        HistoryComparison(unbroken, broken, REPEATED).inSaves()?.let { throw differs(it, repeated(it)) }
        if (isStoppedByProgram) requireEnd(broken.saves.lastOrNull()?.step, step)
        return broken
    }

    private fun differs(difference: Difference, where: String): RestartDiffers {
        val again = trial.seed?.let { " To repeat it, run the trial with seed $it." }.orEmpty()
        return RestartDiffers(difference, "$where$again")
    }

    private fun requireEnd(end: Long?, expected: Long) {
        require(end == null || end <= expected) {
            "the program should have ended at step $expected, as isOver() says, but continued to step $end"
        }
        val last = end?.let { "that of step $it" } ?: "missing"
        require(end == expected) {
            "the last save before the interruption at step $expected is $last: let the program save after every step " +
                "while it is tried"
        }
    }

    private fun requireBreak() {
        val steps = unbroken.saves.map { it.step }
        val end = steps.lastOrNull() ?: 0
        require(end > breakAt) { "the program ends at step $end, so it cannot be interrupted at $breakAt" }
        require(breakAt in steps) {
            "the program does not save after step $breakAt, but after step ${afterBreak()}: interrupt it at a step " +
                "that it saves, or let it save after every step while it is tried"
        }
    }

    /** The first step after that of the break which is saved. */
    private fun afterBreak(): Long = unbroken.saves.first { it.step > breakAt }.step

    private fun repeated(difference: Difference): String {
        val isAtBegin = difference.step == unbroken.saves.first().step
        val program = if (isAtBegin && isStoppedByProgram) "$STATIC Otherwise the program" else "The program"
        val on = if (trial.isWithoutRanks) "" else " on $rankCount ranks"
        val sources =
            listOfNotNull(
                "a clock",
                "a generator without a seed",
                "a static variable that is not reset".takeIf { isStoppedByProgram && !isAtBegin },
                "the order in which messages come".takeIf { trial.seed == null && !trial.isWithoutRanks },
            )
        return "between two runs$on, before any restart. $program uses data that differ from run to " +
            "run: ${sources.joinToString()}."
    }

    private fun restarted(count: Int, elsewhere: Difference?): String {
        val ranks = if (trial.isWithoutRanks) "" else " of $rankCount ranks on $count"
        val where = "after a restart from step $breakAt$ranks."
        return if (elsewhere == null) "$where $lost" else "$where ${dependsOn(count, elsewhere)}"
    }

    private val lost: String
        get() {
            val ofRanks = if (trial.isWithoutRanks) "" else "a halo, a value of each rank's own, "
            return "Some state of the program was not declared, or is not restored correctly: a variable, a static " +
                "variable, a generator's state, ${ofRanks}the end of an output."
        }

    private fun dependsOn(count: Int, elsewhere: Difference): String {
        val differ = "${elsewhere.items} differ from step ${elsewhere.step} on."
        if (count == rankCount) return "But the program also differs between two runs without any restart: $differ"
        return "But the program also differs on $rankCount and on $count without any restart: $differ To see the " +
            "effect of a restart alone, restart on $rankCount."
    }
}

private val LOG: System.Logger = System.getLogger(RestartTrial::class.java.name)

private const val STATIC =
    "It begins with other values in its second run in this JVM: the likely cause is a static variable that " +
        "is not reset, and runMain() gives each run a JVM of its own."

private const val BEGUN_AGAIN = "when the program was killed before its first save and began again."

private const val NOT_EMPTIED =
    "$BEGUN_AGAIN If nothing is restored, a program that opens an output itself must empty it first."

private const val LEFT_BEHIND =
    "$BEGUN_AGAIN Its first part has left something behind: a static variable that is not reset, or a file."
