package dev.cairn.proof.failure

import dev.cairn.grid.Decomposition
import dev.cairn.house.Campaign
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.SmallState
import dev.cairn.proof.state.openSmall
import dev.cairn.proof.state.restoreSmall
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.CrashOutcome
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.DIRECTORY
import dev.cairn.store.withParent
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.maps.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import java.io.IOException
import java.util.TreeMap
import kotlin.random.Random

/**
 * Every operation of a parallel program fails once, each in a run of its own. All ranks throw the same message, the program
 * saves again, and after a power failure at its end, the newest checkpoint that a save has reported is restored.
 */
class SaveFailureSpec :
    FunSpec({
        quietly()

        test("a failed operation costs one save at most, and all ranks report it") {
            val campaign = FailureCampaign(isVoteIgnored = false).apply { failEverywhere() }
            println("SaveFailureSpec: $campaign")
            campaign.broken.shouldBeEmpty()
            campaign.failed shouldBeGreaterThanOrEqual if (Campaign.CRASH_POINTS.isWhole) 100 else 1
        }

        test("with sabotage VOTE_IGNORED promises are broken, and the campaign detects it") {
            val campaign = FailureCampaign(isVoteIgnored = true).apply { failUntilBroken() }
            println("SaveFailureSpec, VOTE_IGNORED: $campaign")
            campaign.broken.shouldNotBeEmpty()
        }
    })

private class FailureCampaign(private val isVoteIgnored: Boolean) {
    private val ended = TreeMap<String, Int>()
    val broken = TreeMap<String, Int>()
    val failed get() = ended.filterKeys { it != UNBROKEN }.values.sum()

    suspend fun failEverywhere() {
        Campaign.CRASH_POINTS.someOf(operations()).forEach { fail(it) }
    }

    suspend fun failUntilBroken() {
        for (operation in operations().shuffled(Random(Campaign.seed))) if (broken.isEmpty()) fail(operation)
    }

    /** Their numbers, the first of which is 1, when none fails. */
    private suspend fun operations(): List<Int> = (1..fail(NEVER).operations).toList()

    private suspend fun fail(operation: Int): FailureTrial {
        val trial = FailureTrial(operation, isVoteIgnored).apply { run() }
        ended.merge(trial.ended, 1, Int::plus)
        trial.brokenPromise()?.let { broken.merge(it, 1, Int::plus) }
        return trial
    }

    override fun toString() = "seed ${Campaign.seed}, $ended, broken promises: $broken"
}

private const val NEVER = Int.MAX_VALUE
private const val UNBROKEN = "all saves reported"

/** One program, of whose operations number [failing] fails. */
private class FailureTrial(private val failing: Int, private val isVoteIgnored: Boolean) {
    private val disk = SimulatedDisk().withParent()
    private val stores = mutableMapOf<String, BlockStore>()
    private val reported = mutableMapOf<Int, List<String>>()
    var operations = 0
        private set

    val ended get() =
        when {
            reported.values.all { it.size == SAVES.count() && it.all { end -> end in COMMITTED } } -> UNBROKEN
            reported.values.all { it.size == SAVES.count() } -> "one save failed"
            else -> "the store could not be opened"
        }

    suspend fun run() {
        val plan = RankPlan(3, Schedule.Deterministic(SEED), hosts = { "node${it / 2}" })
        attemptRanks(plan) { reported[rank] = saveAllSteps(stores.getOrPut(host) { storeOf(host) }) }
    }

    private suspend fun Communicator.saveAllSteps(files: BlockStore): List<String> {
        val reported = mutableListOf<String>()
        try {
            val (state, checkpoints) = openSmall(files, Decomposition.rows(SmallState.SHAPE, size), DIRECTORY)
            for (step in SAVES) {
                state.advanceTo(step)
                reported += attempt { "save ${checkpoints.save(step).number}" }
            }
            checkpoints.close()
        } catch (closing: IOException) {
            check(rank == 0) { "only rank 0 has the store to give back" }
        } catch (failed: RuntimeException) {
            reported += failed.message.toString()
        }
        return reported
    }

    private inline fun attempt(save: () -> String): String =
        try {
            save()
        } catch (failed: RuntimeException) {
            failed.message.toString()
        }

    /** In words, or null when all are kept. */
    suspend fun brokenPromise(): String? {
        if (reported.size < 3 || reported.values.distinct().size > 1) return "ranks report different outcomes"
        val files = disk.afterCrash(CrashOutcome.losing(disk.unsyncedChanges().toSet())).host("node0")
        val promised =
            reported
                .getValue(0)
                .mapNotNull {
                    COMMITTED
                        .indexOf(it)
                        .takeIf { at ->
                            at >= 0
                        }?.plus(1)
                }.maxOrNull()
        val restored = ranks(RankPlan(2, Schedule.Deterministic(SEED), { "node0" })) { restoreSmall(files) }
        return "save $promised is not the newest".takeIf { restored.any { it?.number != promised } }
    }

    private fun storeOf(host: String): BlockStore {
        val failing = FailingStore(disk.host(host))
        return if (isVoteIgnored) ErrorDroppingStore(failing) else failing
    }

    private inner class FailingStore(target: BlockStore) : ForwardingStore(target) {
        override fun onOperation(operation: BlockStore.Operation) {
            if (++operations == failing) throw IOException("planned trouble with $operation")
        }
    }

    private companion object {
        const val SEED = 3L
        val SAVES = 1L..3L
        val COMMITTED = (1..4).map { "save $it" }
    }
}
