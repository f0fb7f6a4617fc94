package dev.cairn.proof.netcdf

import dev.cairn.event.ExitCode
import dev.cairn.multifile.Histogram
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.DiskSettings
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.PARENT
import dev.cairn.store.withParent
import java.nio.file.Path
import kotlin.random.Random

/** How a program is started. */
private enum class Start {
    ON,
    FROM,
    FRESH,
}

/**
 * A program that is broken off a few times, by any fault, before it comes to its end. Each start may leave the branch of the last one,
 * or be taken over in the middle. Its cells wait in memory or in logs, and its records are written by rank 0, on another host, or on all.
 *
 * @param through what lies between the program and the file system of a host
 */
internal class CrashedWaves(
    private val random: Random,
    unbroken: UnbrokenCourses,
    private val histogram: Histogram = Histogram(),
    declared: OutputDeclaration = Waves.USUAL,
    private val through: (host: String, BlockStore) -> BlockStore = { _, door -> door },
) {
    private val program = WavesProgram(Cells.entries.random(random), declared)
    private val branches = Branches(program.cells, unbroken)
    private val isLocal = random.nextInt(4) == 0
    private var disk = SimulatedDisk(DiskSettings.DEFAULT.withLockReach(DiskSettings.LockReach.ONE_HOST)).withParent()
    private var hasBegunAnew = false
    private var mayBeOwnedElsewhere = false

    /** How often it did not come to its end. */
    var crashCount = 0
        private set

    /** How it breaks a promise; null if it keeps all. */
    suspend fun flaw(): String? {
        repeat(random.nextInt(2, 7)) { number ->
            flawOfBroken()?.let { return "start ${number + 1}: $it" }
        }
        return flawOfLast()?.let { "the last start: $it" }
    }

    private suspend fun flawOfBroken(): String? {
        val start = drawStart()
        val fault = DoorFault.draw(random, disk)
        val run = newRun(fault)
        val takeOver =
            if (isLocal ||
                random.nextInt(5) > 0
            ) {
                null
            } else {
                random.nextLong(WavesRun.STEPS.toLong()) to ::takeOver
            }
        val ended = run.play(argumentsOf(start), takeOver)
        val isRefused = ended.refusedOutput != null
        if (start == Start.FRESH && !isRefused) hasBegunAnew = true
        val end = if (isRefused) "refused" else "${ended.getOrElse { "failed" }}"
        histogram.outcome("$start${if (run.isTakenOver) ", taken over" else ""}: $end")
        if (fault.hasStruck) histogram.fault("$fault")
        if (ended.getOrNull() != ExitCode.FINISHED) crashCount++
        disk = fault.afterwards(random)
        return run.flaw ?: flawOfEnd(run, ended, fault) ?: branches.flawOfRecords(disk)?.let { "after $fault $it" }
    }

    private fun flawOfEnd(run: WavesRun, ended: Result<ExitCode>, fault: DoorFault): String? =
        when {
            ended.refusedOutput != null -> flawOfRefusal("${ended.refusedOutput?.message}")
            ended.getOrNull() != ExitCode.FINISHED && (fault.hasStruck || run.isChallenged) -> null
            ended.getOrNull() == ExitCode.FINISHED && run.isTakenOver -> "it was taken over, and finished"
            ended.getOrNull() == ExitCode.FINISHED -> run.flawOfEnd()
            else -> "it ends with $ended and no fault"
        }

    /** Follows the advice of a refusal, which comes only if a run without checkpoint has put the file aside. */
    private fun flawOfRefusal(message: String): String? {
        val kept = KEPT.find(message)?.let { Path.of(it.groupValues[1]) }
        if (kept == null || !hasBegunAnew) return message
        val store = disk.host("node0")
        if (store.exists(Waves.FILE)) store.rename(Waves.FILE, PARENT.resolve("${Waves.FILE.fileName}.${++moved}"))
        store.rename(kept, Waves.FILE)
        store.forceDirectory(PARENT)
        return null
    }

    private var moved = 100

    private suspend fun flawOfLast(): String? {
        val run = newRun()
        val ended = run.play(argumentsOf(Start.ON)) { requireAllSaved() }
        val refused = ended.refusedOutput
        if (refused != null) return flawOfRefusal("${refused.message}") ?: flawOfLast()
        val failure = ended.exceptionOrNull() ?: return run.flaw ?: run.flawOfEnd()
        return "it fails: ${generateSequence(failure) { it.cause }.last().message}"
    }

    /** A program on other hosts takes the store over, and comes to its end or not. */
    private suspend fun takeOver(): WavesRun {
        mayBeOwnedElsewhere = true
        val last = random.nextLong(2L * WavesRun.STEPS)
        val run = newRun(hosts = "peer")
        run.play(argumentsOf(Start.ON)) { check(it != last) { "killed" } }
        return run
    }

    private fun newRun(fault: DoorFault? = null, hosts: String = "node") =
        WavesRun(random, disk, branches, program, hosts, if (isLocal) 1 else random.nextInt(1, 4)) { host, door ->
            through(host, fault?.inFrontOf(door) ?: door)
        }

    private fun drawStart() = STARTS.random(random).takeIf { it != Start.FROM || saves().isNotEmpty() } ?: Start.ON

    private fun saves() = disk.host("any").committedWaves()

    private fun argumentsOf(start: Start): List<String> {
        val wait = if (isLocal) "local" else WAITS.random(random)
        histogram.outcome("saves: ${program.cells}, $wait")
        return listOf("--every", "${random.nextInt(1, 6)}", "--wait", wait, "--keep-last", "99") +
            when (start) {
                Start.ON -> emptyList()
                Start.FROM -> listOf("--from", "${saves().random(random)}")
                Start.FRESH -> listOf("--fresh")
            } +
            (if (isLocal) listOf("--local", "${PARENT.resolve("local")}") else emptyList()) +
            (if (mayBeOwnedElsewhere) listOf("--take-over") else emptyList())
    }

    private companion object {
        val WAITS = listOf("committed", "copied", "copied")
        val STARTS = listOf(Start.ON, Start.ON, Start.FROM, Start.FROM, Start.FROM, Start.FRESH)
        val KEPT = Regex("Nothing was cut: (\\S+) has them")
    }
}
