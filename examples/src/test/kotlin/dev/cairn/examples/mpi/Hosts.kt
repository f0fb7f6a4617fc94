package dev.cairn.examples.mpi

import dev.cairn.house.Need
import dev.cairn.mpi.MpiRun
import io.kotest.core.test.Enabled
import java.nio.file.Path

/** The hosts that `mpi/hosts` makes on this machine, if it lets us. */
internal object Hosts {
    private val mpi = Path.of(System.getProperty("cairn.mpi.home"))

    /** Where the class path has the examples, and where Open MPI's bindings are, as `examples/scenes/hosts` wants them. */
    val arguments: List<String> = listOf(System.getProperty("java.class.path"), "${mpi.resolve("lib")}")

    val areThere: Enabled by lazy {
        if (MpiRun.isThere.isEnabled) Need.HOSTS.given(run("true").first == 0) else MpiRun.isThere
    }

    /** Runs a command on their head: its exit code, and what it prints. */
    fun run(vararg command: String): Pair<Int, String> {
        val builder = ProcessBuilder("../mpi/hosts", "run", *command).redirectErrorStream(true)
        val environment = builder.environment()
        environment["PATH"] = "${mpi.resolve("bin")}:${System.getProperty("java.home")}/bin:${environment["PATH"]}"
        val process = builder.start()
        val output = process.inputReader().readText()
        return process.waitFor() to output
    }
}
