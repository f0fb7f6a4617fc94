package dev.cairn.proof.crash

import dev.cairn.cli.HeatCheckpoints
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.house.Campaign
import dev.cairn.house.Campaign.CRASH_POINTS
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.restoreSmall
import dev.cairn.proof.state.saveSmall
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.DIRECTORY
import dev.cairn.store.SaveNames
import dev.cairn.store.outcomes
import dev.cairn.store.withParent
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.maps.shouldBeEmpty
import java.util.TreeMap
import kotlin.random.Random

/**
 * A manifest is lost, and `cairn recover` brings it back; the power fails at every operation of that. The checkpoint is then
 * there again, or can still be recovered, also after another program has saved. `-Dcairn.seed=N` repeats a run.
 */
class RecoverCrashSpec :
    FunSpec({
        quietly()
        val seed = Campaign.seed

        test("whenever the power fails while it is recovered, a checkpoint is there again or can still be recovered") {
            val crashes = RecoverCrashes(Random(seed))
            crashes.crashEverywhere()
            println("RecoverCrashSpec, seed $seed: $crashes")
            crashes.wrong.shouldBeEmpty()
            crashes.states shouldBeGreaterThanOrEqual CRASH_POINTS.limit(50)
            crashes.found.keys shouldContainAll listOf("save 2", "save 3")
        }
    })

private class RecoverCrashes(private val random: Random) {
    private var crashPoints = 0

    /** How many states the crashes left, by what was restored from them; and the ends that must not be. */
    val found = TreeMap<String, Int>()
    val wrong = TreeMap<String, Int>()
    val states get() = found.values.sum()

    suspend fun crashEverywhere() {
        val whole = damaged()
        val before = whole.operationCount()
        check(recover(whole.host("node0")) == 0)
        lookAtAll(whole, isRecovered = true)
        val operations = (1..whole.operationCount() - before).toList()
        CRASH_POINTS.someOf(operations, random).forEach { crashAt(it) }
    }

    private suspend fun crashAt(operation: Long) {
        crashPoints++
        val disk = damaged()
        disk.crashAt(disk.operationCount() + operation)
        lookAtAll(disk, isRecovered = recover(disk.host("node0")) == 0)
    }

    private suspend fun lookAtAll(disk: SimulatedDisk, isRecovered: Boolean) =
        outcomes(disk).forEach { lookAt(disk.afterCrash(it).host("node0"), isRecovered) }

    /** Three saves, of which the last two are kept, and the newest has lost its manifest for good. */
    private suspend fun damaged(): SimulatedDisk {
        val disk = SimulatedDisk().withParent()
        val files = disk.host("node0")
        ranks(RankPlan(RANKS, Schedule.Deterministic(1), { "node0" })) { saveSmall(files, 1L..NEWEST.toLong()) }
        val save = DIRECTORY.resolve(SaveNames.directory(NEWEST))
        files.delete(save.resolve(SaveNames.MANIFEST))
        files.forceDirectory(save)
        return disk
    }

    private suspend fun lookAt(files: BlockStore, isRecovered: Boolean) {
        val restored = restored(files)?.number
        found.merge("save $restored", 1, Int::plus)
        when {
            restored == NEWEST -> Unit
            isRecovered || restored != NEWEST - 1 -> wrong["save $restored is restored"] = crashPoints
            else -> requireRecoverable(files)
        }
    }

    /** Another program saves meanwhile, and clears up. */
    private suspend fun requireRecoverable(files: BlockStore) {
        ranks(RankPlan(1, Schedule.Deterministic(random.nextLong()), { "node0" })) { saveSmall(files, 4L..4L) }
        if (recover(files) != 0) wrong["it can no longer be recovered"] = crashPoints
    }

    private suspend fun restored(files: BlockStore): Restored? {
        val plan = RankPlan(random.nextInt(1, 6), Schedule.Deterministic(random.nextLong()), { "node0" })
        return ranks(plan) { restoreSmall(files) }.first()
    }

    private fun recover(files: BlockStore): Int = HeatCheckpoints(files).cairn("recover", "$DIRECTORY/$NEWEST").exitCode

    override fun toString() = "$crashPoints crash points, $states states, restored: $found, wrong: $wrong"

    private companion object {
        const val RANKS = 3
        const val NEWEST = 3
    }
}
