package dev.cairn.benchmarks.sections

import java.io.File
import java.nio.file.Path
import kotlin.io.path.isExecutable
import kotlin.system.measureNanoTime

/**
 * The commands, started by their scripts, as users start them. A spec, which runs before the jar is built, starts the class.
 *
 * @property script the property in which `examples/bench` names the script
 */
internal enum class Commands(private val script: String, private val main: String) {
    SION("benchmarks.sion", "dev.cairn.sion.cli.SionCommand"),
    CAIRN("benchmarks.cairn", "dev.cairn.cli.CairnCommand"),
    ;

    fun with(arguments: List<String>): List<String> =
        (System.getProperty(script)?.let(::listOf) ?: listOf(java, "-cp", classPath, main)) + arguments

    override fun toString(): String = name.lowercase()

    private companion object {
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        val classPath: String = System.getProperty("java.class.path")
    }
}

/** The tool of this name in a directory of the `PATH`, if there is one. */
internal fun toolOnPath(name: String): Path? =
    System
        .getenv("PATH")
        .orEmpty()
        .split(File.pathSeparator)
        .map { Path.of(it, name) }
        .firstOrNull { it.isExecutable() }

/** Runs a command to its end, and discards its output. */
internal fun runQuietly(command: List<String>) {
    val builder = ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD)
    val process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start()
    check(process.waitFor() == 0) { "$command has failed" }
}

internal fun secondsOf(command: List<String>): Double = measureNanoTime { runQuietly(command) } / 1e9
