package dev.cairn.proof.local

import dev.cairn.checkpoints
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.house.Campaign
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DrainRule
import dev.cairn.options.LocalCopies
import dev.cairn.options.LostLocal
import dev.cairn.options.Wait
import dev.cairn.proof.state.Known
import dev.cairn.proof.state.SMALL_OPTIONS
import dev.cairn.proof.state.restoreKnown
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.collectively
import dev.cairn.ranks.ranks
import dev.cairn.sion.Grouping
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.DIRECTORY
import dev.cairn.store.withParent
import java.nio.file.Path
import kotlin.random.Random

/** A program that saves to local disks. Each of its files has [copies] copies on other hosts. */
internal enum class LocalProgram(val stepCount: Long, val copies: Int, options: CheckpointOptions) {
    WAITING(
        2,
        0,
        CheckpointOptions(SMALL_OPTIONS) {
            wait = Wait.LOCAL
            grouping = Grouping.none()
        },
    ),
    BEHIND(
        2,
        0,
        CheckpointOptions(SMALL_OPTIONS) {
            wait = Wait.COPIED
            grouping = Grouping.few()
        },
    ),
    OVERTAKING(4, 0, CheckpointOptions(SMALL_OPTIONS) { wait = Wait.LOCAL }),
    STAYING(
        3,
        0,
        CheckpointOptions(SMALL_OPTIONS) {
            wait = Wait.LOCAL
            drain = DrainRule.none()
            localKeep = 1
        },
    ),
    COPYING(
        3,
        1,
        CheckpointOptions(SMALL_OPTIONS) {
            wait = Wait.LOCAL
            drain = DrainRule.every()
        },
    ),
    COPYING_BEHIND(2, 2, CheckpointOptions(SMALL_OPTIONS) { wait = Wait.COPIED }),
    ;

    val options: CheckpointOptions =
        CheckpointOptions(options) {
            local = LOCAL
            localCopies = LocalCopies.exactly(copies)
        }
}

/** Crashes of a program of three ranks on three hosts; all disks are parts of one simulated disk, so that all lose power at once. */
internal class LocalCrashes(
    private val random: Random,
    private val seed: Long,
    private val program: LocalProgram,
    private val sabotage: LocalSabotage? = null,
) {
    /** What the next program must not do, with the state in which it did. */
    val broken = mutableListOf<String>()

    var stateCount = 0
        private set

    private val results = sortedMapOf<String, Int>()

    suspend fun crashEverywhere() {
        val operations = Campaign.CRASH_POINTS.someOf((1..operationCount()).toList())
        operations.forEach { crash(it, Campaign.HOST_LOSSES.count) }
    }

    suspend fun crashUntilBroken() {
        for (operation in (1..operationCount()).shuffled(random)) {
            crash(operation, ENOUGH_LOSSES)
            if (broken.isNotEmpty()) return
        }
    }

    private suspend fun operationCount(): Long {
        val disk = newDisk()
        val before = disk.operationCount()
        attemptRanks(plan(3)) { program(disk, Told()) }.results()
        return disk.operationCount() - before
    }

    private suspend fun crash(operation: Long, lossCount: Int) {
        val disk = newDisk()
        val told = Told()
        disk.crashAt(disk.operationCount() + operation)
        attemptRanks(plan(3)) { program(disk, told) }
        val outcomes = disk.crashOutcomes()
        repeat(lossCount) {
            val outcome = outcomes.random(random)
            val lost = if (random.nextBoolean()) emptySet() else HOSTS.filter { random.nextBoolean() }.toSet()
            val readers = if (random.nextInt(4) == 0) random.nextInt(1, 3) else 3
            stateCount++
            val flaw = judge(disk.afterCrash(outcome), told, lost, readers)
            if (flaw !=
                null
            ) {
                broken += "operation $operation, $outcome, lost $lost, $readers readers, told $told: $flaw"
            }
        }
    }

    private suspend fun judge(disk: SimulatedDisk, told: Told, lost: Set<String>, readers: Int): String? {
        lost.forEach { disk.empty(it) }
        val isEnough = HOSTS.filterIndexed { rank, host -> host in lost || rank >= readers }.size <= program.copies
        val (restored, failure) = restart(disk, readers, LostLocal.REFUSE)
        if (failure ==
            null
        ) {
            return judge(restored, if (isEnough) maxOf(told.sealed, told.committed) else told.committed)
        }
        if ((failure as? CheckpointException)?.reason != Reason.LOST_ON_HOSTS) return "the restart fails: $failure"
        count("refused")
        if (isEnough) return "enough hosts are there: $failure"
        val (onward, another) = restart(disk, readers, LostLocal.GO_ON)
        return another?.let { "the restart without the lost save fails: $it" } ?: judge(onward, told.committed)
    }

    private fun judge(restored: Restored?, least: Int): String? {
        val number = restored?.number ?: 0
        count(if (number > least) "more than was told" else "as told")
        return "save $least was told of, and $restored was restored".takeIf { number < least }
    }

    private fun count(result: String) = results.merge(result, 1, Int::plus)

    private suspend fun restart(disk: SimulatedDisk, readers: Int, lostLocal: LostLocal): Pair<Restored?, Throwable?> =
        try {
            val options = CheckpointOptions(OPTIONS) { this.lostLocal = lostLocal }
            val restored = ranks(plan(readers)) { restoreKnown(Known.SMALL, disk.door(host), options = options) }
            restored.distinct().single() to null
        } catch (failed: RunFailedException) {
            null to (failed.cause ?: failed)
        }

    private fun plan(count: Int) = RankPlan(count, Schedule.Deterministic(seed), hosts = { HOSTS[it] })

    private suspend fun Communicator.program(disk: SimulatedDisk, told: Told) {
        val files = disk.door(host).let { sabotage?.through(host, it) ?: it }
        val state = Known.SMALL.toSave(this, files)
        checkpoints(DIRECTORY, this@LocalCrashes.program.options, files) { state.declare(this) }.use {
            it.restore()
            for (step in 1L..this@LocalCrashes.program.stepCount) {
                collectively("go on to step $step") { state.advanceTo(step) }
                told.hear(it.trySave(step))
                told.hear(it.progress())
                told.hear(it.progress())
            }
            told.hear(it.awaitSaves())
        }
    }

    override fun toString() = "$stateCount states, $results, ${broken.size} broken"

    /** The newest saves of which any rank was told. */
    private class Told {
        var sealed = 0
        var committed = 0

        fun hear(outcome: SaveOutcome?) {
            if (outcome is SaveOutcome.Sealed) sealed = maxOf(sealed, outcome.number)
            if (outcome is Saved) committed = maxOf(committed, outcome.number)
        }

        override fun toString() = "sealed $sealed, committed $committed"
    }

    private companion object {
        val HOSTS = List(3) { "node$it" }
        val OPTIONS = CheckpointOptions(SMALL_OPTIONS) { local = LOCAL }

        /** So that a mistake is found at one of the operations where it can be. */
        const val ENOUGH_LOSSES = 24
    }
}

private fun newDisk() =
    SimulatedDisk().withParent().apply {
        val setup = host("setup")
        List(3) { "node$it" }.forEach { setup.makeDirectory(ownOf(it)) }
        setup.forceDirectory(Path.of("/"))
    }

private fun ownOf(host: String) = Path.of("/own-$host")

private fun SimulatedDisk.door(host: String): BlockStore = OwnPaths(host(host), ownOf(host))

/** The host comes back with an empty disk. */
private fun SimulatedDisk.empty(host: String) {
    val files = host("fire")

    fun delete(path: Path) {
        if (runCatching { files.list(path) }.isSuccess) files.list(path).forEach(::delete)
        files.delete(path)
    }
    files.list(ownOf(host)).forEach(::delete)
}

/** What the host finds below [SCRATCH] lies in a directory of its [own]. */
private class OwnPaths(private val files: BlockStore, private val own: Path) : BlockStore {
    private fun of(path: Path) = if (path.startsWith(SCRATCH)) own.resolve(SCRATCH.relativize(path)) else path

    private fun back(path: Path) = if (path.startsWith(own)) SCRATCH.resolve(own.relativize(path)) else path

    override fun open(file: Path, access: Access): BlockFile = files.open(of(file), access)

    override fun create(file: Path): BlockFile = files.create(of(file))

    override fun exists(path: Path): Boolean = files.exists(of(path))

    override fun list(directory: Path): List<Path> = files.list(of(directory)).map(::back)

    override fun makeDirectory(directory: Path) = files.makeDirectory(of(directory))

    override fun rename(from: Path, to: Path) = files.rename(of(from), of(to))

    override fun delete(path: Path) = files.delete(of(path))

    override fun forceDirectory(directory: Path) = files.forceDirectory(of(directory))

    override fun freeSpace(path: Path): Long = files.freeSpace(of(path))

    override fun blockSize(path: Path): BlockStore.BlockSize = files.blockSize(of(path))
}
