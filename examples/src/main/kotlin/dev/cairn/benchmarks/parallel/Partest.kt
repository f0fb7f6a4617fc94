package dev.cairn.benchmarks.parallel

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.collectively
import java.io.File
import java.nio.file.Files
import java.nio.file.Path

/**
 * SIONlib's own benchmark, with one process for each rank. Rank 0 starts it, while the other ranks wait. It is a job of its own, so
 * the variables of this job's launcher are not passed to it.
 */
internal class Partest(private val program: Path, private val type: Type, private val job: Job) : Contestant {
    override val name: String get() = "partest, $type"

    override suspend fun run(ranks: Communicator, share: Share, directory: Path): PhaseTimes =
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
        listOf("-T", "${type.partestNumber}", "-f", "partest.sion", "-X", "1", "-C", "-L") +
            listOf("-n", "${job.fileCount}", "-b", "${job.bufferSize}", "-s", "${job.bytesPerRank}") +
            listOf("-r", "${job.chunkSize}", "-q", "${job.blockSize}")

    companion object {
        /** The times on ranks other than 0, which do not have the output of the program. */
        private val UNSEEN = PhaseTimes(0.0, 0.0, 0.0, 0.0, 0.0)

        /** The program, if it can do the [job] and is on the [path]; otherwise prints the reason why it does not take part. */
        fun lookedFor(job: Job, say: (String) -> Unit, path: String = System.getenv("PATH").orEmpty()): Path? {
            val program =
                path.split(File.pathSeparator).map { Path.of(it, "partest") }.firstOrNull(Files::isExecutable)
            if (program == null) say("SIONlib's partest is not on the PATH, so it does not take part.")
            if (program != null && job.processCount != job.rankCount) {
                say("SIONlib's partest has processes only, so it takes part with --mpi and not here.")
                return null
            }
            return program
        }
    }
}
