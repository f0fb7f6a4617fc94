package dev.cairn.examples.forgotten

import dev.cairn.testing.ForgottenState
import dev.cairn.testing.RestartTrial
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.measureTimedValue

/** Whole searches for forgotten state, each of which starts a program four times. */
internal object Examination {
    /** At a restart from this step each omission shows: a variable that happens to have its first value there could be forgotten. */
    const val BREAK = 59L
    const val LAST = 120L

    /**
     * What was found in a program that forgets [planted].
     *
     * @property took with the starts of the program
     */
    class Answer(val planted: PlantedOmission, val state: ForgottenState, val took: Duration) {
        private val index = state.findings.indexOfFirst(RightPath(planted.path)::isOf)

        /** The finding that names the omission, above the line "scratch"; null if none does. */
        val named: ForgottenState.Finding? get() = state.findings.getOrNull(index)

        /** Its place in the list, from 1. */
        val rank: Int get() = index + 1
    }

    fun trialOf(program: String): RestartTrial =
        when (program) {
            "AlloyKt" -> RestartTrial(rankCount = 1, breakAt = BREAK, restartOn = listOf(1))
            "SwarmKt" -> RestartTrial(rankCount = 3, breakAt = BREAK, restartOn = listOf(3))
            else -> RestartTrial(breakAt = BREAK)
        }.withEvery(BREAK)

    fun examine(planted: PlantedOmission, directory: Path): Answer {
        val (state, took) = measureTimedValue { search(directory, planted.program, planted.id) }
        return Answer(planted, state, took)
    }

    /** In a program that forgets nothing. */
    fun searchRight(program: String, directory: Path): ForgottenState = search(directory, program, "nothing")

    /** The same with 200 MiB more in its heap. */
    fun searchLarge(directory: Path): ForgottenState =
        trialOf("Reservoirs").findForgottenState(directory, LargeHeap::class.java.name, "$LAST", ".")

    private fun search(directory: Path, program: String, forgotten: String): ForgottenState {
        val main = Omission::class.java.name
        val name = "${FreshClasses.PACKAGE}.$program"
        return trialOf(program).findForgottenState(directory, main, forgotten, name, "$LAST", ".")
    }
}
