package dev.cairn.benchmarks.sections

import java.nio.file.Path
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.deleteRecursively

/** The property in which `examples/run` passes the command that starts processes, one word in each line. */
private const val COMMAND = "examples.launch"

/** The option with which Java loads classes from an archive. */
private const val ARCHIVE_OPTION = "-XX:SharedArchiveFile="

private const val MAIN = "dev.cairn.benchmarks.sections.FirstStepKt"

/** From the launcher to the first step of a simulation, with an archive of its classes and without. */
internal fun benchStartup(bench: Bench) {
    val command = System.getProperty(COMMAND).orEmpty().lines()
    check(command.any { it.startsWith(ARCHIVE_OPTION) }) {
        "There is no archive of classes that could be measured: say 'examples/run bench --only startup'."
    }
    compareStarts(bench, command)
}

/** Starts processes by [command], to which the name of a class is appended. */
internal fun compareStarts(bench: Bench, command: List<String>) {
    val store = bench.directory.resolve("first-step.cairn")
    bench.compare(
        "from the launcher to the first step, against no archive",
        atLeast = 1.0,
        ours = Start(command, store).side(),
        baseline = Start(command.filterNot { it.startsWith(ARCHIVE_OPTION) }, store).side(),
    )
}

private class Start(command: List<String>, private val store: Path) {
    private val builder = ProcessBuilder(command + listOf(MAIN, "--dir", "$store")).redirectErrorStream(true)
    private val started = ArrayDeque<Process>()

    /** The time after the first step is not counted. */
    fun side() = Side(::toFirstStep, ::toTheEnd)

    private fun toFirstStep() {
        val process = builder.start().also(started::add)
        val printed = mutableListOf<String>()
        val lines = generateSequence(process.inputReader()::readLine).onEach(printed::add)
        check(lines.any { it == FIRST_STEP }) { "there was no first step: ${printed.joinToString("\n")}" }
    }

    @OptIn(ExperimentalPathApi::class)
    private fun toTheEnd() {
        val process = started.removeFirst()
        val printed = process.inputReader().readText()
        check(process.waitFor() == 0) { "the program ended with ${process.exitValue()}: $printed" }
        store.deleteRecursively()
    }
}
