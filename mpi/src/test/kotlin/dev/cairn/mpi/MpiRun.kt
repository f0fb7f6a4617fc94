package dev.cairn.mpi

import dev.cairn.house.Need
import io.kotest.core.test.Enabled
import java.nio.file.Files
import java.nio.file.Path

/** Programs under a launcher, in the first [MpiWay] that is there. */
public object MpiRun {
    internal val home: Path = Path.of(System.getProperty("cairn.mpi.home"))

    private val way: MpiWay? get() = MpiWay.chosen.firstOrNull()

    /** Whether the machine and the build have an MPI. */
    val isThere: Enabled get() = Need.MPI.given(way != null)

    /** A class path and the Java of version 22 or later that goes with it; null if the build has found none. */
    val foreign: Pair<String, String>? get() = foreignJava?.let { foreignClassPath(it) to it }

    /** Starts the class [main] in [count] processes on this machine, however few cores it has. */
    fun start(count: Int, main: String, vararg arguments: String): Process =
        checkNotNull(way).start(count, main, *arguments)

    /** The same, of a program that has a class path of its own. */
    fun start(classPath: String, count: Int, main: String, vararg arguments: String): Process =
        checkNotNull(way).start(count, listOf("-cp", classPath), main, *arguments)

    /** What the processes print, when they have ended with exit code 0. */
    fun output(count: Int, main: String, vararg arguments: String): String =
        checkNotNull(way).output(count, main, *arguments)

    /** Starts the class [main] in one process, without a launcher. */
    fun startAlone(main: String, vararg arguments: String): Process =
        ProcessBuilder(commandAlone() + main + arguments).redirectErrorStream(true).start()

    /** The process of [rank] below a launcher on this machine. */
    fun processOf(rank: Int, launcher: Process): ProcessHandle =
        processes(launcher).single { handle ->
            RANK_VARIABLES.any { "$it=$rank" in environmentOf(handle) }
        }

    /** The processes of all ranks. */
    fun processes(launcher: Process): List<ProcessHandle> =
        launcher.toHandle().descendants().toList().filter { handle ->
            environmentOf(handle).any { variable -> variable.substringBefore('=') in RANK_VARIABLES }
        }

    private fun environmentOf(process: ProcessHandle): List<String> =
        Files.readString(Path.of("/proc/${process.pid()}/environ")).split('\u0000')

    private val RANK_VARIABLES = listOf("OMPI_COMM_WORLD_RANK", "PMI_RANK")
}

/** Sends a signal, such as `USR1`. */
public fun ProcessHandle.signal(name: String) {
    check(ProcessBuilder("kill", "-$name", "${pid()}").start().waitFor() == 0)
}
