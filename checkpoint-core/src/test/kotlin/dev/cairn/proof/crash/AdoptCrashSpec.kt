package dev.cairn.proof.crash

import dev.cairn.cli.HeatCheckpoints
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.house.Campaign
import dev.cairn.house.Campaign.CRASH_POINTS
import dev.cairn.proof.damage.Rewriting
import dev.cairn.proof.damage.rewrite
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.restoreSmall
import dev.cairn.proof.state.saveSmall
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.ranks
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.DIRECTORY
import dev.cairn.store.SaveNames
import dev.cairn.store.checkpoints
import dev.cairn.store.outcomes
import dev.cairn.store.withParent
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.util.TreeMap
import kotlin.random.Random

/**
 * Another program rewrites the data of a checkpoint, and `cairn adopt` takes it back; the power fails at every operation of that.
 * What is then restored, on another number of ranks, is predicted. `-Dcairn.seed=N` repeats a run.
 */
class AdoptCrashSpec :
    FunSpec({
        quietly()
        val seed = Campaign.seed

        test(
            "rewritten into any number of files and blocks of any size, a checkpoint is restored on any number of ranks",
        ) {
            for (fileCount in 1..RANKS + 1) {
                for (blockSize in listOf(64, 512, 4096)) {
                    val files =
                        savedDisk()
                            .host(
                                "node0",
                            ).apply { rewrite(data(NEWEST), Rewriting(fileCount, blockSize)) }
                    adopt(files, NEWEST) shouldBe 0
                    fileCount(files) shouldBe fileCount
                    for (readers in listOf(1, 2, 5, 7)) {
                        restored(files, readers, seed) shouldBe
                            Restored(NEWEST, 3, RANKS)
                    }
                }
            }
        }

        for (rewriting in Campaign.CRASHING_PROGRAMS.someOf(REWRITINGS)) {
            test("whenever the power fails while it is adopted, a checkpoint that was rewritten is whole: $rewriting") {
                val crashes = AdoptCrashes(rewriting, Random(seed))
                crashes.crashEverywhere()
                println("AdoptCrashSpec, seed $seed, $rewriting: $crashes")
                crashes.wrong.shouldBeEmpty()
                crashes.states shouldBeGreaterThanOrEqual CRASH_POINTS.limit(250)
                crashes.found.keys shouldContainAll listOf(ANEW, AS_BEFORE)
            }
        }
    })

private const val RANKS = 3
private const val NEWEST = 3

private const val ANEW = "it, bound to the files of now"
private const val AS_BEFORE = "it, bound to the files of before"

/** Their own files are two, with blocks of 64 bytes. A copy by hand may not be durable yet. */
private val REWRITINGS = listOf(Rewriting(1, 512), Rewriting(4, 64), Rewriting(1, 512, ForcePolicy.NEVER))

/** Three saves, of which the last two are kept. */
private suspend fun savedDisk(): SimulatedDisk {
    val disk = SimulatedDisk().withParent()
    ranks(
        RankPlan(RANKS, Schedule.Deterministic(1), { "node0" }),
    ) { saveSmall(disk.host("node0"), 1L..NEWEST.toLong()) }
    return disk
}

private fun data(save: Int) = SaveNames.data(DIRECTORY, save)

/** The verb as people call it; returns its exit code. */
private fun adopt(files: BlockStore, save: Int): Int =
    HeatCheckpoints(files).cairn("adopt", "$DIRECTORY/$save").exitCode

/** Into how many files the newest checkpoint says that it was written. */
private fun fileCount(files: BlockStore): Int =
    files
        .checkpoints()
        .run { read(survey().saves.maxBy { it.number }) }
        .manifest.hints.fileCount

private suspend fun restored(files: BlockStore, readers: Int, seed: Long): Restored? =
    ranks(RankPlan(readers, Schedule.Deterministic(seed), { "node0" })) { restoreSmall(files) }.first()

private class AdoptCrashes(private val rewriting: Rewriting, private val random: Random) {
    private var crashPoints = 0

    /** How many states the crashes left, by what was restored from them. */
    val found = TreeMap<String, Int>()

    /** Which of the ends must not be, each with the last crash point that led there. */
    val wrong = TreeMap<String, Int>()
    val states get() = found.values.sum()

    suspend fun crashEverywhere() {
        val whole = rewritten()
        val before = whole.operationCount()
        adopt(whole.host("node0"), NEWEST) shouldBe 0
        lookAtAll(whole, isAdopted = true)
        val operations = (1..whole.operationCount() - before).toList()
        CRASH_POINTS.someOf(operations, random).forEach { crashAt(it) }
    }

    private suspend fun crashAt(operation: Long) {
        crashPoints++
        val disk = rewritten()
        disk.crashAt(disk.operationCount() + operation)
        lookAtAll(disk, isAdopted = adopt(disk.host("node0"), NEWEST) == 0)
    }

    private suspend fun rewritten(): SimulatedDisk {
        val disk = savedDisk()
        disk.host("node0").rewrite(data(NEWEST), rewriting)
        if (isDurable()) disk.host("node0").forceDirectory(data(NEWEST).parent)
        return disk
    }

    private suspend fun lookAtAll(disk: SimulatedDisk, isAdopted: Boolean) =
        outcomes(disk).forEach { lookAt(disk.afterCrash(it).host("node0"), isAdopted) }

    private fun isDurable() = rewriting.forcePolicy == ForcePolicy.ON_CLOSE

    private suspend fun lookAt(files: BlockStore, isAdopted: Boolean) {
        val restored =
            try {
                restored(files, random.nextInt(1, 6), random.nextLong())?.number
            } catch (failed: RunFailedException) {
                flaw("${failed.cause}")
                return
            }
        val isBound = fileCount(files) == rewriting.fileCount
        found.merge(label(restored, isBound), 1, Int::plus)
        when {
            isAdopted && !(restored == NEWEST && isBound) -> flaw("save $restored after it was adopted")
            restored == NEWEST -> if (adopt(files, NEWEST) != 0) flaw("cannot be adopted again")
            isDurable() || isBound -> flaw("save $restored, though the rewritten one was durable")
            restored != NEWEST - 1 -> flaw("save $restored")
        }
    }

    private fun label(restored: Int?, isBound: Boolean) =
        when {
            restored != NEWEST -> "save $restored"
            isBound -> ANEW
            else -> AS_BEFORE
        }

    private fun flaw(words: String) {
        wrong[words] = crashPoints
    }

    override fun toString() = "$crashPoints crash points, $states states, restored: $found, wrong: $wrong"
}
