package dev.cairn.mpi

import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.and
import dev.cairn.house.isOnPath
import dev.cairn.house.needs
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.core.test.TestScope
import java.io.File
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.TimeUnit.MINUTES
import kotlin.concurrent.thread
import kotlin.random.Random

/**
 * A transport between processes, with the launcher of its MPI. `-Dcairn.mpi.ways=mpich,openmpi` says which of them the
 * specs use; otherwise they use all that are there.
 */
enum class MpiWay(private val word: String, private val transport: String, private val need: Need) {
    BINDINGS("bindings", "mpi.jar", Need.BINDINGS) {
        override val isThere get() = Files.exists(jar)
        override val java get() = ownJava
        override val options get() = listOf("-Djava.library.path=${MpiRun.home.resolve("lib")}")
        override val jars get() = listOf("$jar")

        override fun launcher(count: Int) = mpirun("mpirun", count)
    },
    OPEN_MPI("openmpi", "libmpi", Need.OPEN_MPI) {
        override val isThere get() = foreignJava != null && isOnPath("mpirun.openmpi")
        override val java get() = checkNotNull(foreignJava)

        override fun launcher(count: Int) = mpirun("mpirun.openmpi", count)
    },
    MPICH("mpich", "libmpi", Need.MPICH) {
        override val isThere get() = foreignJava != null && isOnPath("mpiexec.mpich")
        override val java get() = checkNotNull(foreignJava)

        override val codeOfKilled get() = 9
        override val asBetweenHosts get() = mapOf("UCX_TLS" to "posix,self")

        /** Its network layer UCX aborts a process whose partner is gone in the middle of a message. */
        override val codesOfKilledReceiver get() = setOf(codeOfKilled, 6, 15)

        /** It kills the others, and its code is made of those of all. */
        override val codesOfAbort get() = setOf(1, codeOfKilled)

        override fun launcher(count: Int) = listOf("mpiexec.mpich", "-np", "$count")
    }, ;

    /** Whether this machine and this build have it. */
    abstract val isThere: Boolean

    /** Whether the specs use it, and otherwise why not. */
    val isUsed: Enabled
        get() = MpiRun.isThere and Need.NAMED_MPI.given(this in named(words)) and need.given(isThere)

    /** With these variables both processes take part in a message, as they do between hosts; else its receiver copies it. */
    open val asBetweenHosts: Map<String, String> get() = mapOf("OMPI_MCA_btl_vader_single_copy_mechanism" to "none")

    /** The exit code of the launcher when a process has died by SIGKILL. */
    open val codeOfKilled: Int get() = 137

    /** The exit codes that it may have if others were sending to that process, and may fail before the launcher ends them. */
    open val codesOfKilledReceiver: Set<Int> get() = setOf(codeOfKilled)

    /** The exit codes that the launcher may have when a process has ended the job. */
    open val codesOfAbort: Set<Int> get() = setOf(1)

    protected abstract val java: String
    protected open val options: List<String> get() = emptyList()
    protected open val jars: List<String> get() = emptyList()

    protected abstract fun launcher(count: Int): List<String>

    /** Starts the class [main] in [count] processes on this machine, however few cores it has. */
    fun start(count: Int, main: String, vararg arguments: String): Process = start(count, emptyList(), main, *arguments)

    /** The same, with more options of Java, and more variables of the environment. */
    fun start(
        count: Int,
        more: List<String>,
        main: String,
        vararg arguments: String,
        variables: Map<String, String> = emptyMap(),
    ): Process =
        ProcessBuilder(
            launcher(count) + javaCommand(java) + archive(java) + options + program + more + main + arguments,
        ).redirectErrorStream(true)
            .apply { environment() += ofLaunched + variables }
            .start()

    /** Starts the class [main] alone, which starts processes by the words before "--", the number of them, and `java`. */
    fun startTrial(main: String, task: String, directory: Path, vararg arguments: String): Process =
        ProcessBuilder(
            listOf(java, "-cp", classPath(java).joinToString(File.pathSeparator), main, task, "$directory") +
                launcher(1).dropLast(1) + "--" + arguments,
        ).redirectErrorStream(true).apply { environment() += ofLaunched + QUICK }.start()

    /** What the processes print, when they have ended with exit code 0. */
    fun output(count: Int, main: String, vararg arguments: String): String {
        val program = start(count, main, *arguments)
        val output = program.inputReader().readText()
        check(program.waitFor(1, MINUTES) && program.exitValue() == 0) { "$word: $count of $main: $output" }
        return output
    }

    private val program: List<String>
        get() =
            ownProperties() + "-Dcairn.transport=$transport" + "-cp" +
                (classPath(java) + jars).joinToString(File.pathSeparator)

    override fun toString(): String = word

    companion object {
        private val words: String? = System.getProperty("cairn.mpi.ways")

        /** Those that the specs use. */
        val chosen: List<MpiWay> by lazy { named(words).filter { it.isThere } }

        /** Those that the specs would use if all were there, which leave a test out otherwise: a single one if none is there. */
        val asked: List<MpiWay> by lazy { if (chosen.isEmpty()) named(words).take(1) else named(words) }

        /** Those of [asked] for a long spec: the named ones, or of those that are there as many as the [campaign] says. */
        fun drawn(campaign: Campaign, random: Random = Random(Campaign.seed)): List<MpiWay> {
            if (words != null || chosen.isEmpty() || campaign.isWhole) return asked
            return campaign.someOf(chosen, random).also {
                println("$campaign: seed ${Campaign.seed}, ${it.joinToString()} of ${chosen.joinToString()}")
            }
        }

        private fun named(words: String?): List<MpiWay> =
            words?.split(',')?.map { word ->
                requireNotNull(entries.find { it.word == word }) {
                    "-Dcairn.mpi.ways=$words: expected some of ${entries.joinToString { it.word }}, with commas."
                }
            } ?: entries
    }
}

/** A test of a failure, with as many ways as are drawn for it. */
internal fun FunSpec.failure(name: String, random: Random, body: suspend TestScope.(MpiWay) -> Unit) =
    MpiWay.drawn(Campaign.MPI_FAILURE_WAYS, random).forEach { way -> test(way, name) { body(way) } }

/** A test of a spec that runs with [way], or is left out where that is not there. */
internal fun FunSpec.test(way: MpiWay, name: String, body: suspend TestScope.() -> Unit) =
    test("$way: $name").config(enabledOrReasonIf = needs { way.isUsed }, test = body)

/** Where mpi/setup or a site has put Open MPI's Java bindings. */
private val jar: Path = MpiRun.home.resolve("lib/mpi.jar")

/** For what MPI leaves behind when it is killed: the memory that processes share, and notes of who they are. */
private val scratch: Path =
    Files.createTempDirectory("mpi").also {
        Runtime.getRuntime().addShutdownHook(thread(start = false) { it.toFile().deleteRecursively() })
    }

/** For programs whose commands a trial makes. */
private val QUICK = "JAVA_TOOL_OPTIONS" to "$NATIVE_ACCESS -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

private val ofLaunched get() = mapOf("TMPDIR" to "$scratch", "UCX_ERROR_SIGNALS" to "")

private const val NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED"

private val ownJava: String = Path.of(System.getProperty("java.home"), "bin", "java").toString()

/** Whether this JDK warns of a program that loads native code without being allowed to, line by line, where specs read. */
private val warns = Runtime.version().feature() >= 22

/** Through `env`, because mpirun rewrites the options of a program that is called java. */
private fun javaCommand(java: String): List<String> =
    listOf("env", java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC") +
        listOf(NATIVE_ACCESS).filter { java != ownJava || warns }

private fun mpirun(name: String, count: Int): List<String> {
    val own = MpiRun.home.resolve("bin/mpirun")
    val command = if (Files.exists(own)) "$own" else name
    val shared = listOf("--mca", "btl_vader_backing_directory", "$scratch")
    return listOf(command, "--allow-run-as-root", "--oversubscribe") + shared + listOf("-np", "$count")
}

private val classPath: List<Path> = System.getProperty("java.class.path").split(File.pathSeparator).map(Path::of)

/** Jars first, since an archive has classes of the jars with which a class path begins. */
private fun classPath(java: String): List<Path> {
    val (folders, jars) = classPath.partition { Files.isDirectory(it) }
    return jars + versions(java, folders) + folders
}

/** Java looks for classes of its version in jars, but not in directories, which is where specs have them. */
private fun versions(java: String, folders: List<Path>): List<Path> =
    if (java == ownJava && Runtime.version().feature() < 22) {
        emptyList()
    } else {
        folders.map { it.resolve("META-INF/versions/22") }.filter { Files.isDirectory(it) }
    }

private val archives = ConcurrentHashMap<String, List<String>>()

/** Most classes come out of an archive, so that processes start sooner; without a word about the part of it that Java leaves out. */
private fun archive(java: String): List<String> =
    archives.computeIfAbsent(java) {
        val file = scratch.resolve("classes-${it.hashCode()}.jsa")
        writeArchive(it, file)
        if (Files.exists(file)) listOf("-XX:SharedArchiveFile=$file", "-Xlog:cds=off") else emptyList()
    }

private fun writeArchive(java: String, file: Path) {
    val jars = classPath.filterNot { Files.isDirectory(it) }.joinToString(File.pathSeparator)
    val sample = listOf("-cp", jars, "dev.cairn.proof.kill.LaunchedDriftKt", "$file.cairn")
    ProcessBuilder(javaCommand(java) + "-XX:ArchiveClassesAtExit=$file" + sample)
        .redirectErrorStream(true)
        .start()
        .inputReader()
        .readText()
}

/** How Java starts a program in one process. */
internal fun commandAlone(): List<String> =
    javaCommand(ownJava) + archive(ownJava) + "-cp" + classPath(ownJava).joinToString(File.pathSeparator)

/** The class path for the Java that can call libmpi. */
internal fun foreignClassPath(java: String): String = classPath(java).joinToString(File.pathSeparator)

/** What was said to this process about tests, such as where fixtures are, is for the others, too. */
private fun ownProperties(): List<String> =
    System.getProperties().filterKeys { "$it".startsWith("cairn.") }.map { (name, value) -> "-D$name=$value" }
