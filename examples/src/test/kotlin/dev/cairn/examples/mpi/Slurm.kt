package dev.cairn.examples.mpi

import dev.cairn.mpi.MpiRun
import io.kotest.core.test.Enabled

/** The Slurm that `mpi/slurm` makes on this machine, if it lets us. */
internal object Slurm {
    val isThere: Enabled by lazy {
        val obstacle = obstacle()
        if (obstacle == null) Enabled.enabled else Enabled.disabled(obstacle).also { println("NO SLURM: $obstacle") }
    }

    private fun obstacle(): String? {
        if (MpiRun.foreign == null) return "the build has found no JDK 22 or later"
        val (code, output) =
            run(
                "sh",
                "-c",
                "command -v mpirun.openmpi mpiexec.mpich || echo 'no Open MPI, or no MPICH'",
            )
        return output.trim().takeIf { code != 0 || "no MPICH" in it }
    }

    /** Plays scenes of `examples/slurm`: its exit code, and what it prints. */
    fun play(scenes: List<String>): Pair<Int, String> {
        val (classPath, java) = checkNotNull(MpiRun.foreign)
        return run("./slurm", classPath, java, *scenes.toTypedArray())
    }

    private fun run(vararg command: String): Pair<Int, String> {
        val process = ProcessBuilder("../mpi/slurm", "run", *command).redirectErrorStream(true).start()
        val output = process.inputReader().readText()
        return process.waitFor() to output
    }
}
