package dev.cairn.proof.netcdf

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.random.Random

/**
 * Kills programs that write a NetCDF file, each a few times, and starts them again on any number of ranks. The file that each has in the
 * end must be that of a program that was not killed. Everything lies in [directory].
 *
 * @param most the largest number of ranks
 * @param launch starts `dev.cairn.proof.netcdf.WavesProcessKt` on a number of ranks, with its arguments; what it prints to the standard
 *     error is with its output
 * @param kill ends it with SIGKILL, and returns when none of its processes is left
 */
class WavesKills(
    private val directory: Path,
    private val random: Random,
    private val most: Int,
    private val launch: (rankCount: Int, arguments: List<String>) -> Process,
    private val kill: (Process) -> Unit,
) {
    /** The file of a program that was not killed. */
    val unbroken: Path = fileIn(directory.resolve("unbroken").createDirectory())
    private val operationCount = start(unbroken, 2, every = 2).use { it.requireEnd() }

    /** How often a program was killed. */
    var count = 0
        private set

    /** How many of the programs came to their end after that. */
    var programCount = 0
        private set

    /** In sentences. */
    val wrong = mutableListOf<String>()

    /** Kills one program, and lets it end. */
    fun killAndGoOn() {
        val file = fileIn(directory.resolve("${++programCount}").createDirectory())
        val story = List(random.nextInt(1, 4)) { killAnywhere(file) }
        val rankCount = anyRankCount()
        start(file, rankCount, anyPeriod()).use { it.requireEnd() }
        val difference = Files.mismatch(file, unbroken)
        if (difference >=
            0
        ) {
            wrong += "$file, ${story.joinToString()}, ended on $rankCount ranks: byte $difference differs"
        }
    }

    /** Kills it after one of its operations on files; what it does meanwhile is left to chance. */
    private fun killAnywhere(file: Path): String {
        val rankCount = anyRankCount()
        val last = random.nextInt(1, operationCount)
        return start(file, rankCount, anyPeriod()).use { program ->
            val isKilled = program.killAfter(last)
            if (isKilled) count++
            "$rankCount ranks " + if (isKilled) "killed after operation $last" else "not killed"
        }
    }

    private fun anyRankCount() = random.nextInt(1, most + 1)

    private fun anyPeriod() = random.nextInt(1, 4)

    private fun start(file: Path, rankCount: Int, every: Int): RunningWaves {
        val stage = if (random.nextBoolean()) "memory" else "${file.resolveSibling("stage")}"
        val arguments = listOf("$file", stage, "--dir", "${file.resolveSibling("waves.cairn")}", "--every", "$every")
        return RunningWaves(launch(rankCount, arguments), kill)
    }

    private fun fileIn(directory: Path) = directory.resolve("waves.nc")

    override fun toString() = "$count kills of $programCount programs, wrong: $wrong"
}

private class RunningWaves(private val process: Process, private val kill: (Process) -> Unit) : AutoCloseable {
    private val lines = process.inputReader()
    private val said = mutableListOf<String>()

    /** Returns when it has ended well; how many operations it had. */
    fun requireEnd(): Int {
        hear(Int.MAX_VALUE)
        check(process.waitFor() == 0) { "the program ended with ${process.exitValue()}: ${said.takeLast(20)}" }
        return said.size
    }

    /** Kills it when it has said [count] lines; false if it came to its end before. */
    fun killAfter(count: Int): Boolean {
        hear(count)
        kill(process)
        hear(Int.MAX_VALUE)
        return process.waitFor() == SIGKILLED
    }

    private fun hear(count: Int) {
        while (said.size < count) said += lines.readLine() ?: return
    }

    override fun close() {
        if (process.isAlive) kill(process)
    }

    private companion object {
        const val SIGKILLED = 137
    }
}
