package dev.cairn.testing

import dev.cairn.sion.store.FileBlockStore
import dev.cairn.store.readWhole
import java.nio.file.Path
import java.util.concurrent.TimeUnit.MILLISECONDS

/** Runs the main class of a program with the class path of this process, each time in a JVM of its own. */
internal class ProgramCommand(private val mainClass: String, private val args: List<String>) {
    /** Runs the program in the directory [work] until its end, or until it [is to be killed][isToBeKilled]. */
    fun run(work: Path, options: List<String>, isToBeKilled: () -> Boolean) {
        val log = work.resolveSibling("log.txt")
        val process = start(work, log, options)
        try {
            while (process.isAlive && !isToBeKilled()) process.waitFor(LOOK_MILLIS, MILLISECONDS)
            if (process.isAlive) return
            check(process.exitValue() == 0) {
                "the program $mainClass ended with the exit code ${process.exitValue()}; the end of $log: ${endOf(log)}"
            }
        } finally {
            process.destroyForcibly().waitFor()
        }
    }

    private fun start(work: Path, log: Path, options: List<String>): Process {
        val java = Path.of(System.getProperty("java.home"), "bin", "java")
        val command = listOf("$java", "-cp", classPath(), mainClass) + args + options
        val builder = ProcessBuilder(command).directory(work.toFile())
        builder.environment().keys.removeIf { it.startsWith("CAIRN_") }
        return builder.redirectErrorStream(true).redirectOutput(log.toFile()).start()
    }

    /** The program has another working directory than this process. */
    private fun classPath(): String {
        val separator = System.getProperty("path.separator")
        val entries = System.getProperty("java.class.path").split(separator)
        return entries.joinToString(separator) { "${Path.of(it).toAbsolutePath()}" }
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
}

private const val LOOK_MILLIS = 5L
private const val MOST_LINES = 5
