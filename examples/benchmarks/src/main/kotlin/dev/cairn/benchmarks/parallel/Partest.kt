package dev.cairn.benchmarks.parallel

import dev.cairn.benchmarks.sections.Scale
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.collectively
import java.nio.file.Path

/** The kinds of files that `partest` compares, each with its number there. */
internal enum class PartestFiles(val number: Int, val words: String) {
    MULTIFILE(0, "a multifile"),
    FILES(3, "a file per rank"),
}

/**
 * SIONlib's own benchmark, with one process for each rank. Rank 0 starts it, while the other ranks wait. It is a job of its own, so
 * the variables of this job's launcher are not passed to it.
 */
internal class Partest(private val program: Path, private val files: PartestFiles, private val job: Job) : Contestant {
    override val name: String get() = "partest with ${files.words}"

    override suspend fun run(ranks: Communicator, share: Share, directory: Path): RunTimes =
        ranks.collectively("partest") { if (ranks.rank == 0) partestTimes(outputIn(directory)) else UNSEEN }

    private fun outputIn(directory: Path): String {
        val process =
            ProcessBuilder(mpirun(directory) + "$program" + arguments())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .apply { environment().keys.retainAll(setOf("PATH", "HOME", "LD_LIBRARY_PATH")) }
                .start()
        val output = process.inputReader().readText()
        check(process.waitFor() == 0) { "$program ended with ${process.exitValue()}: $output" }
        return output
    }

    private fun mpirun(directory: Path) =
        listOf("mpirun", "--allow-run-as-root", "--oversubscribe") +
            listOf("--mca", "btl_vader_backing_directory", "$directory", "-np", "${job.rankCount}")

    /** Options with which it deletes its files, computes no checksums, and does not use the buffers of the C library. */
    private fun arguments() =
        listOf("-T", "${files.number}", "-f", "partest.sion", "-X", "1", "-C", "-L") +
            listOf("-n", "${job.fileCount}", "-b", "${job.bufferSize}", "-s", "${job.bytesPerRank}") +
            listOf("-r", "${job.bytesPerRank}", "-q", "${Scale.BLOCK_SIZE}")

    private companion object {
        /** The times on ranks other than 0, which do not have the output of the program. */
        val UNSEEN = RunTimes(0.0, 0.0)
    }
}

/** The times of all tasks together in an [output] of `partest`, from before they create or open to after they close. */
internal fun partestTimes(output: String): RunTimes {
    fun total(verb: String): Double {
        val line = Regex("T_STAT +TOTAL $verb .* t= *([0-9]+\\.[0-9]+)s").find(output)
        check(line != null) { "partest has printed no total of $verb: $output" }
        return line.groupValues[1].toDouble()
    }
    return RunTimes(total("WRITE"), total("READ"))
}
