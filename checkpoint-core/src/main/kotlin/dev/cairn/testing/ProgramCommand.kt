package dev.cairn.testing

import dev.cairn.options.Setting
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.store.readWhole
import java.nio.file.Path
import java.util.concurrent.TimeUnit.MILLISECONDS

/** Runs a program, each time in a process of its own, whose command line has these [words]. */
internal class ProgramCommand(private val name: String, private val words: List<String>) {
    enum class End {
        /** The program ended with the exit code 0. */
        ITS_OWN,
        KILLED,
    }

    /** As this one, in a virtual machine with further [options]. */
    fun withOptions(options: List<String>) = ProgramCommand(name, words.take(1) + options + words.drop(1))

    /** Runs the program in the directory [work] until its end, or until it [is to be killed][isToBeKilled]. */
    fun run(work: Path, settings: Map<Setting<*>, String>, isToBeKilled: () -> Boolean): End =
        look(work, settings, times = 1, isToBeKilled) { End.KILLED }.singleOrNull() ?: End.ITS_OWN

    /**
     * Runs the program in the directory [work], [look]s at its process whenever it [is to be looked at][isReady], so many [times], and
     * kills it then. There are fewer looks if it has ended before.
     */
    fun <T> look(
        work: Path,
        settings: Map<Setting<*>, String>,
        times: Int,
        isReady: () -> Boolean,
        look: (ProcessHandle) -> T,
    ): List<T> {
        val log = work.resolveSibling("log.txt")
        val process = start(work, log, settings)
        val looks = mutableListOf<T>()
        try {
            while (looks.size < times) {
                while (process.isAlive && !isReady()) process.waitFor(LOOK_MILLIS, MILLISECONDS)
                if (!process.isAlive) {
                    process.requireSuccess(log)
                    break
                }
                looks += look(process.toHandle())
            }
            return looks
        } finally {
            process.destroyForcibly().waitFor()
        }
    }

    private fun Process.requireSuccess(log: Path) =
        check(exitValue() == 0) {
            "the program $name ended with the exit code ${exitValue()}; the end of $log: ${endOf(log)}"
        }

    /** The program finds the end of its input at once, so that it does not wait for a terminal. */
    private fun start(work: Path, log: Path, settings: Map<Setting<*>, String>): Process {
        val builder = ProcessBuilder(words).directory(work.toFile())
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
private const val MOST_LINES = 5
