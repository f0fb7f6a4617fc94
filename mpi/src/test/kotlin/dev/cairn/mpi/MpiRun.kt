package dev.cairn.mpi

import java.io.File
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit.SECONDS
import kotlin.concurrent.thread

/** Where Open MPI is, and programs under its `mpirun`. */
public object MpiRun {
    internal val home: Path = Path.of(System.getProperty("cairn.mpi.home"))
    private val jar: Path = home.resolve("lib/mpi.jar")

    /** For what Open MPI leaves behind when it is killed: the memory that processes share, and notes of who they are. */
    private val scratch: Path =
        Files.createTempDirectory("mpi").also {
            Runtime.getRuntime().addShutdownHook(thread(start = false) { it.toFile().deleteRecursively() })
        }

    /** Whether the module was built with Open MPI, and so has something to test. */
    val isThere: Boolean = Files.exists(jar)

    /** Starts the class [main] in [count] processes on this machine, however few cores it has. */
    fun start(
        count: Int,
        main: String,
        vararg arguments: String,
    ): Process =
        ProcessBuilder(mpirun(count) + java + archive + program + main + arguments)
            .redirectErrorStream(true)
            .apply { environment()["TMPDIR"] = "$scratch" }
            .start()

    /** What the processes print, when they have ended with exit code 0. */
    fun output(
        count: Int,
        main: String,
        vararg arguments: String,
    ): String {
        val program = start(count, main, *arguments)
        val output = program.inputReader().readText()
        check(program.waitFor(1, SECONDS) && program.exitValue() == 0) { "mpirun -np $count $main: $output" }
        return output
    }

    private fun mpirun(count: Int): List<String> {
        val own = home.resolve("bin/mpirun")
        val command = if (Files.exists(own)) "$own" else "mpirun"
        val shared = listOf("--mca", "btl_vader_backing_directory", "$scratch")
        return listOf(command, "--allow-run-as-root", "--oversubscribe") + shared + listOf("-np", "$count")
    }

    /** Through `env`, because mpirun rewrites the options of a program that is called java. */
    private val java: List<String> =
        listOf(
            "env",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
        ) + listOf("--enable-native-access=ALL-UNNAMED").filter { warns }

    /** Jars first, since an archive has classes of the jars with which a class path begins. */
    private val classPath: List<String> =
        System.getProperty("java.class.path").split(File.pathSeparator).sortedBy { Files.isDirectory(Path.of(it)) }

    /** Most classes come out of an archive, so that processes start sooner. With native access a JDK refuses its own archive. */
    private val archive: List<String> by lazy { if (warns) emptyList() else newArchive() }

    private fun newArchive(): List<String> {
        val file = scratch.resolve("classes.jsa")
        val jars = classPath.filterNot { Files.isDirectory(Path.of(it)) }.joinToString(File.pathSeparator)
        val sample = listOf("-cp", jars, "dev.cairn.proof.kill.LaunchedDriftKt", "${scratch.resolve("sample.cairn")}")
        ProcessBuilder(java + "-XX:ArchiveClassesAtExit=$file" + sample)
            .redirectErrorStream(true)
            .start()
            .inputReader()
            .readText()
        return if (Files.exists(file)) listOf("-XX:SharedArchiveFile=$file") else emptyList()
    }

    private val program: List<String> =
        listOf("-Djava.library.path=${home.resolve("lib")}") + ownProperties() +
            listOf("-cp", (classPath + "$jar").joinToString(File.pathSeparator))

    /** What was said to this process about tests, such as where fixtures are, is for the others, too. */
    private fun ownProperties(): List<String> =
        System.getProperties().filterKeys { "$it".startsWith("cairn.") }.map { (name, value) -> "-D$name=$value" }

    /** The process of [rank] below an `mpirun` on this machine. */
    fun processOf(
        rank: Int,
        mpirun: Process,
    ): ProcessHandle = processes(mpirun).single { "OMPI_COMM_WORLD_RANK=$rank" in environmentOf(it) }

    /** The processes of all ranks. */
    fun processes(mpirun: Process): List<ProcessHandle> = mpirun.toHandle().children().toList()

    private fun environmentOf(process: ProcessHandle): List<String> =
        Files.readString(Path.of("/proc/${process.pid()}/environ")).split('\u0000')
}

/** Whether this JDK warns of a program that loads native code without being allowed to, line by line, where specs read. */
private val warns = Runtime.version().feature() >= 24

/** Sends a signal, such as `USR1`. */
public fun ProcessHandle.signal(name: String) {
    check(ProcessBuilder("kill", "-$name", "${pid()}").start().waitFor() == 0)
}
