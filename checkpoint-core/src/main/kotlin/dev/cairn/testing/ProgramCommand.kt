package dev.cairn.testing

import dev.cairn.options.Setting
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.store.readWhole
import java.nio.file.Path
import java.util.concurrent.TimeUnit.MILLISECONDS

/** Runs a program, each time in a process of its own, whose command line has these [words]; or in those that a [launcher] starts. */
internal class ProgramCommand(
    private val name: String,
    private val words: List<String>,
    private val launcher: List<String> = emptyList(),
) {
    enum class End {
        /** The program ended with the exit code 0. */
        ITS_OWN,
        KILLED,
    }

    /** As this one, in a virtual machine with further [options]. */
    fun withOptions(options: List<String>) = ProgramCommand(name, words.take(1) + options + words.drop(1), launcher)

    /** As this one, in [rankCount] processes if there is a [launcher]. Open MPI's mpirun changes the options of a command called java. */
    fun launchedBy(launcher: List<String>, rankCount: Int) =
        if (launcher.isEmpty()) this else ProgramCommand(name, words, launcher + "$rankCount" + "env")

    /** Runs the program in the directory [work] until its end, or until it [is to be killed][isToBeKilled]. */
    fun run(work: Path, settings: Map<Setting<*>, String>, isToBeKilled: () -> Boolean): End =
        look(work, settings, times = 1) { End.KILLED.takeIf { isToBeKilled() } }.singleOrNull() ?: End.ITS_OWN

    /**
     * Starts the program in the directory [work], and calls [look] until that has returned a value so many [times]. Then it kills the
     * program. A program that ends before leaves fewer values.
     */
    fun <T : Any> look(work: Path, settings: Map<Setting<*>, String>, times: Int, look: () -> T?): List<T> {
        val log = work.resolveSibling("log.txt")
        val process = start(work, log, settings)
        val looks = mutableListOf<T>()
        try {
            while (looks.size < times && process.isAlive) {
                val seen = look()
                if (seen == null) process.waitFor(LOOK_MILLIS, MILLISECONDS) else looks += seen
            }
            check(looks.size == times || process.exitValue() == 0) {
                "the program $name ended with the exit code ${process.exitValue()}; the end of $log: ${endOf(log)}"
            }
            return looks
        } finally {
            if (launcher.isNotEmpty()) process.killRanks()
            process.destroyForcibly().waitFor()
        }
    }

    /** The launcher ends by itself then, and leaves nothing behind. */
    private fun Process.killRanks() {
        val end = System.nanoTime() + LAUNCHER_NANOS
        while (isAlive && System.nanoTime() < end) {
            descendants().filter { it.children().findAny().isEmpty }.forEach { it.destroyForcibly() }
            waitFor(LOOK_MILLIS, MILLISECONDS)
        }
        descendants().forEach { it.destroyForcibly() }
    }

    /** The program finds the end of its input at once, so that it does not wait for a terminal. */
    private fun start(work: Path, log: Path, settings: Map<Setting<*>, String>): Process {
        val builder = ProcessBuilder(launcher + words).directory(work.toFile())
        builder.environment().keys.removeIf { it.startsWith(Setting.VARIABLES) }
        builder.environment() += settings.mapKeys { (setting, _) -> setting.variable }
        val process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start()
        process.outputStream.close()
        return process
    }

    /** Its last lines, without those of a stack. */
    private fun endOf(log: Path): String {
        val text = FileBlockStore().readWhole(log, MOST_BYTES)?.decodeToString().orEmpty()
        return text
            .trim()
            .lines()
            .filterNot { it.startsWith("\t") }
            .takeLast(MOST_LINES)
            .joinToString("\n")
    }

    companion object {
        /** The main class of a program, with the class path of this process, in a virtual machine with these [options]. */
        fun ofMain(mainClass: String, args: List<String>, options: List<String> = emptyList()): ProgramCommand {
            val java = Path.of(System.getProperty("java.home"), "bin", "java")
            return ProgramCommand(mainClass, listOf("$java") + options + listOf("-cp", classPath(), mainClass) + args)
        }

        /** The program has another working directory than this process. */
        private fun classPath(): String {
            val separator = System.getProperty("path.separator")
            val entries = System.getProperty("java.class.path").split(separator)
            return entries.joinToString(separator) { "${Path.of(it).toAbsolutePath()}" }
        }
    }
}

private const val LOOK_MILLIS = 5L
private const val LAUNCHER_NANOS = 10_000_000_000
private const val MOST_LINES = 5
