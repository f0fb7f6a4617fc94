package dev.cairn.proof.failure

import dev.cairn.comm.Communicator
import dev.cairn.comm.plan.RankPlan
import dev.cairn.comm.plan.Schedule
import dev.cairn.failure.CheckpointException
import dev.cairn.grid.Decomposition
import dev.cairn.house.Campaign
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.SmallState
import dev.cairn.proof.state.openSmall
import dev.cairn.proof.state.restoreSmall
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.Operation
import dev.cairn.sion.store.simulated.CrashOutcome
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.DIRECTORY
import dev.cairn.store.OwnerFile
import dev.cairn.store.SaveNames
import dev.cairn.store.name
import dev.cairn.store.owner
import dev.cairn.store.withParent
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.maps.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.TreeMap
import kotlin.random.Random

/**
 * Every operation of a parallel program fails once, each in a run of its own. All ranks hear of it in the same words, the
 * program saves again, and when the power fails at last, the newest checkpoint of which a save has told is restored.
 */
class SaveFailureSpec :
    FunSpec({
        quietly()

        test("a failed operation costs one save at most, and all ranks know") {
            val campaign = FailureCampaign(isVoteIgnored = false).apply { failEverywhere() }
            println("SaveFailureSpec: $campaign")
            campaign.broken.shouldBeEmpty()
            campaign.failed shouldBeGreaterThanOrEqual if (Campaign.CRASH_POINTS.isWhole) 100 else 1
        }

        test("a program whose store is taken over after a commit hears of it in its next save, on all ranks") {
            val disk = SimulatedDisk().withParent()
            val thief = ThiefAfterCommit(disk.host("node0"))
            ranks(RankPlan(3, Schedule.Deterministic(1))) {
                val (state, checkpoints) = openSmall(thief, Decomposition.rows(SmallState.SHAPE, size), DIRECTORY)
                checkpoints.use {
                    state.advanceTo(1)
                    it.save(1).number shouldBe 1
                    val failure = shouldThrow<CheckpointException> { it.save(2) }
                    failure.cause.shouldBeInstanceOf<CheckpointException.StoreTakenOver>()
                }
            }
        }

        test("with sabotage VOTE_IGNORED promises are broken, and it is seen") {
            val campaign = FailureCampaign(isVoteIgnored = true).apply { failUntilBroken() }
            println("SaveFailureSpec, VOTE_IGNORED: $campaign")
            campaign.broken.shouldNotBeEmpty()
        }
    })

/** Another program owns the store as soon as a manifest has its name. */
private class ThiefAfterCommit(
    private val target: BlockStore,
) : BlockStore by target {
    override fun rename(
        from: Path,
        to: Path,
    ) {
        target.rename(from, to)
        if (to.name == SaveNames.MANIFEST) OwnerFile(target, DIRECTORY).place(owner("thief")).close()
    }
}

private class FailureCampaign(
    private val isVoteIgnored: Boolean,
) {
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
private const val UNBROKEN = "all saves told of"

/** One program, of whose operations number [failing] fails. */
private class FailureTrial(
    private val failing: Int,
    private val isVoteIgnored: Boolean,
) {
    private val disk = SimulatedDisk().withParent()
    private val doors = mutableMapOf<String, BlockStore>()
    private val told = mutableMapOf<Int, List<String>>()
    var operations = 0
        private set

    val ended get() =
        when {
            told.values.all { it.size == SAVES.count() && it.all { end -> end in COMMITTED } } -> UNBROKEN
            told.values.all { it.size == SAVES.count() } -> "one save failed"
            else -> "the store could not be opened"
        }

    suspend fun run() {
        val plan = RankPlan(3, Schedule.Deterministic(SEED), hosts = { "node${it / 2}" })
        attemptRanks(plan) { told[rank] = saveStubbornly(doors.getOrPut(host) { door(host) }) }
    }

    private suspend fun Communicator.saveStubbornly(files: BlockStore): List<String> {
        val told = mutableListOf<String>()
        try {
            val (state, checkpoints) = openSmall(files, Decomposition.rows(SmallState.SHAPE, size), DIRECTORY)
            for (step in SAVES) {
                state.advanceTo(step)
                told += attempt { "save ${checkpoints.save(step).number}" }
            }
            checkpoints.close()
        } catch (closing: IOException) {
            check(rank == 0) { "only rank 0 has the store to give back" }
        } catch (failed: RuntimeException) {
            told += failed.message.toString()
        }
        return told
    }

    private inline fun attempt(save: () -> String): String =
        try {
            save()
        } catch (failed: RuntimeException) {
            failed.message.toString()
        }

    /** In words, or null when all are kept. */
    suspend fun brokenPromise(): String? {
        if (told.size < 3 || told.values.distinct().size > 1) return "ranks tell different stories"
        val files = disk.afterCrash(CrashOutcome.losing(disk.unsyncedChanges().toSet())).host("node0")
        val promised =
            told
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

    private fun door(host: String): BlockStore {
        val failing = FailingStore(disk.host(host))
        return if (isVoteIgnored) Deaf(failing) else failing
    }

    private inner class FailingStore(
        target: BlockStore,
    ) : ForwardingStore(target) {
        override fun onOperation(operation: Operation) {
            if (++operations == failing) throw IOException("planned trouble with $operation")
        }
    }

    private companion object {
        const val SEED = 3L
        val SAVES = 1L..3L
        val COMMITTED = (1..4).map { "save $it" }
    }
}

/** A rank that cannot write says that it could. */
private class Deaf(
    private val target: BlockStore,
) : BlockStore by target {
    override fun open(
        file: Path,
        access: Access,
    ): BlockFile = target.open(file, access).let { if (file.name.startsWith(SaveNames.DATA)) DeafFile(it) else it }

    private class DeafFile(
        private val file: BlockFile,
    ) : BlockFile by file {
        override fun write(
            position: Long,
            source: ByteBuffer,
        ) {
            runCatching { file.write(position, source) }.onFailure { source.position(source.limit()) }
        }

        override fun force() {
            runCatching { file.force() }
        }
    }
}
