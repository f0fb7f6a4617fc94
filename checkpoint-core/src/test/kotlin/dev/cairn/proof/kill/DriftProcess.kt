package dev.cairn.proof.kill

import java.nio.file.Path
import kotlin.io.path.readText

/**
 * [Drift] in a JVM of its own, with its checkpoints in [directory]. What it says is heard line by line. It is killed, if it
 * still runs, when this is closed.
 */
internal class DriftProcess(
    directory: Path,
    rankCount: Int,
    pause: Pause? = null,
    vararg options: String,
    java: List<String> = emptyList(),
) : AutoCloseable {
    private val errors = directory.resolveSibling("${directory.fileName}.errors")
    private val process =
        ProcessBuilder(
            listOf(JAVA, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")) +
                java + listOf("dev.cairn.proof.kill.DriftKt", "$directory", "$rankCount", pause?.toString().orEmpty()) +
                options,
        ).redirectError(errors.toFile()).start()
    private val words = process.inputStream.bufferedReader()

    /** All that it has said so far. */
    val heard = mutableListOf<String>()

    val pid get() = process.pid()

    /** Listens until it says something [wanted], or nothing more. */
    fun hearUntil(wanted: (String) -> Boolean) {
        while (true) {
            val line = words.readLine() ?: return
            heard += line
            if (wanted(line)) return
        }
    }

    /** Listens to the end; returns how the process ended. */
    fun end(): Int {
        hearUntil { false }
        return process.waitFor()
    }

    /** With SIGKILL. What it said before is heard. Returns how the process ended. */
    fun kill(): Int {
        // By its handle: the process itself would close the pipe, and with it what was said.
        process.toHandle().destroyForcibly()
        return end()
    }

    /** With SIGSTOP: it holds all that it has, and does nothing until [wake]. */
    fun sleep() = signal("STOP")

    fun wake() = signal("CONT")

    /** It may carry out what it waits for. */
    fun goOn() = process.outputWriter().use { it.appendLine("go on") }

    /** What it has told people. */
    fun complaints(): String = errors.readText()

    override fun close() {
        process.destroyForcibly().waitFor()
    }

    private fun signal(name: String) =
        check(ProcessBuilder("kill", "-$name", "$pid").inheritIO().start().waitFor() == 0) { "no signal $name" }

    companion object {
        const val SIGKILLED = 137
        private val JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString()
    }
}
