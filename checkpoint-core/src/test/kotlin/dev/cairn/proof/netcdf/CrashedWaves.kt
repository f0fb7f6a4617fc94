package dev.cairn.proof.netcdf

import dev.cairn.Simulation
import dev.cairn.comm.plan.RankPlan
import dev.cairn.comm.plan.Schedule
import dev.cairn.concentrate.Concentrators
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.withParent
import kotlin.random.Random

/**
 * A program that the power fails, a few times, before it comes to its end. Its cells wait in memory or in logs, and its records are
 * written by rank 0, on another host, or on all.
 *
 * @param through what lies between the program and the file system of a host
 */
internal class CrashedWaves(
    private val random: Random,
    private val unbroken: UnbrokenWaves,
    private val through: (host: String, BlockStore) -> BlockStore = { _, door -> door },
) {
    private val isLocal = random.nextInt(3) == 0
    private var disk = SimulatedDisk().withParent()

    /** How often it did not come to its end. */
    var crashCount = 0
        private set

    /** How it breaks a promise; null if it keeps all. */
    suspend fun flaw(): String? {
        repeat(random.nextInt(1, 4)) {
            crash()
            unbroken.flawOfRecords(disk)?.let { return "after failure $crashCount of the power $it" }
        }
        val failure = runCatching { run { requireAllSaved() } }.exceptionOrNull() ?: return unbroken.flawOfEnd(disk)
        return "the last run fails: ${generateSequence(failure) { it.cause }.last().message}"
    }

    private suspend fun crash() {
        disk.crashAt(disk.operationCount() + 1 + random.nextLong(MOST_OPERATIONS))
        if (runCatching { run() }.isFailure) crashCount++
        disk = disk.afterCrash(disk.crashOutcomes().random(random))
    }

    private suspend fun run(atStep: suspend Simulation.(Long) -> Unit = {}) {
        val hostCount = if (isLocal) 1 else random.nextInt(1, 4)
        val plan =
            RankPlan(
                random.nextInt(1, 6),
                Schedule.Deterministic(random.nextLong()),
                hosts = { "node${it % hostCount}" },
            )
        val stage = if (random.nextBoolean()) Waves.STAGE else null
        Waves(writers = WRITERS.random(random), stage = stage, through = through)
            .run(disk, plan, *arguments(), atStep = atStep)
    }

    private fun arguments(): Array<String> {
        val every = arrayOf("--every", "${random.nextInt(1, 9)}")
        val wait = if (isLocal) "local" else WAITS.random(random)
        return every + arrayOf("--wait", wait) + if (isLocal) LOCAL else emptyArray()
    }

    private companion object {
        const val MOST_OPERATIONS = 400L
        val WAITS = listOf("committed", "copied")
        val LOCAL = arrayOf("--local", "${Waves.FILE.resolveSibling("local")}")

        /** So short a file is written by one concentrator: rank 0, or the last rank, mostly on another host. */
        val WRITERS: List<(Int) -> Concentrators> =
            listOf({ Concentrators.perHost(1) }, { Concentrators.ranks(it - 1) })
    }
}
