package dev.cairn.examples.mpi

import dev.cairn.house.Need
import dev.cairn.mpi.MpiRun
import io.kotest.core.test.Enabled

/** The Slurm that `mpi/slurm` makes on this machine, if it lets us. */
internal object Slurm {
    val isThere: Enabled by lazy {
        Need.SLURM.given(
            MpiRun.foreign != null && run("sh", "-c", "command -v mpirun.openmpi mpiexec.mpich").first == 0,
        )
    }

    /** Plays scenes of `examples/scenes/slurm`: its exit code, and what it prints. */
    fun play(scenes: List<String>): Pair<Int, String> {
        val (classPath, java) = checkNotNull(MpiRun.foreign)
        return run("scenes/slurm", classPath, java, *scenes.toTypedArray())
    }

    private fun run(vararg command: String): Pair<Int, String> {
        val process = ProcessBuilder("../mpi/slurm", "run", *command).redirectErrorStream(true).start()
        val output = process.inputReader().readText()
        return process.waitFor() to output
    }
}
