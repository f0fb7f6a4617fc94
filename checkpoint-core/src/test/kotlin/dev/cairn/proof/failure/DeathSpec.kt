package dev.cairn.proof.failure

import dev.cairn.event.RanksMissingException
import dev.cairn.grid.Decomposition
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.SmallState
import dev.cairn.proof.state.openSmall
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Fault
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunReport
import dev.cairn.ranks.RunReport.Outcome
import dev.cairn.ranks.attemptRanks
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.file.Path

/** What the others are told when a rank dies: that it is missing, and where it was last seen. */
class DeathSpec :
    FunSpec({
        quietly()

        for (victim in 0..2) {
            test("wherever rank $victim dies in a save or a restore, the others are told that it is missing") {
                var (deaths, missed) = 0 to 0
                for (operation in generateSequence(1L) { it + 1 }) {
                    val report = saveAndRestore(Fault.RankDies(victim, operation))
                    if (report.struckFaults.isEmpty()) break
                    deaths++
                    withClue("rank $victim dies at operation $operation") {
                        if (report.shouldNameTheDead(victim)) missed++
                    }
                }
                println("DeathSpec: rank $victim died $deaths times and was missed $missed times")
                missed shouldBeGreaterThan 20
            }
        }
    })

private suspend fun saveAndRestore(death: Fault): RunReport<Unit> {
    val disk = SimulatedDisk()
    return attemptRanks(RankPlan(3, Schedule.Deterministic(5), faults = listOf(death))) {
        repeat(2) {
            val files = disk.host("node0")
            val (state, checkpoints) = openSmall(files, Decomposition.rows(SmallState.SHAPE, size), Path.of("store"))
            checkpoints.use {
                it.restore()
                state.advanceTo(1)
                it.save(1)
            }
        }
    }
}

/** Whether anyone waited for the dead rank: a rank that was only to receive is missed by none. */
private fun RunReport<*>.shouldNameTheDead(victim: Int): Boolean {
    val failures = outcomes.filterIsInstance<Outcome.Threw>().map { it.failure }
    for (failure in failures) {
        val missing = failure.shouldBeInstanceOf<RanksMissingException>()
        missing.message shouldContain "rank $victim did not arrive ("
        missing.message shouldContain "rank $victim on host0: died at its operation"
    }
    return failures.isNotEmpty()
}
