package dev.cairn.benchmarks.parallel

import dev.cairn.comm.Communicator
import dev.cairn.comm.collectively
import java.io.File
import java.nio.file.Files
import java.nio.file.Path

/**
 * SIONlib's own benchmark, in as many processes as there are ranks. Rank 0 starts it, while the other ranks wait. It is a
 * job of its own, so it must not learn that this one was started by a launcher.
 */
internal class Partest(
    private val program: Path,
    private val type: Type,
    private val job: Job,
) : Contestant {
    override val name: String get() = "partest, $type"

    override suspend fun run(
        ranks: Communicator,
        share: Share,
        directory: Path,
    ): PhaseTimes = ranks.collectively("partest") { if (ranks.rank == 0) partestTimes(outputIn(directory)) else UNSEEN }

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

    /** It deletes its files, sums nothing up, and has no buffer of the C library in between. */
    private fun arguments() =
        listOf("-T", "${type.partestNumber}", "-f", "partest.sion", "-X", "1", "-C", "-L") +
            listOf("-n", "${job.fileCount}", "-b", "${job.bufferSize}", "-s", "${job.bytesPerRank}") +
            listOf("-r", "${job.chunkSize}", "-q", "${job.blockSize}")

    companion object {
        /** Only rank 0 sees what the program says. */
        private val UNSEEN = PhaseTimes(0.0, 0.0, 0.0, 0.0, 0.0)

        /** The program, if it can do the [job] and is on the [path]; otherwise says why it does not take part. */
        fun lookedFor(
            job: Job,
            say: (String) -> Unit,
            path: String = System.getenv("PATH").orEmpty(),
        ): Path? {
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
