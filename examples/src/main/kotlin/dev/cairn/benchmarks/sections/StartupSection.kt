package dev.cairn.benchmarks.sections

import java.nio.file.Path
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.deleteRecursively

/** The property in which `examples/run` tells how it starts processes: a command, with a line for each of its words. */
private const val COMMAND = "examples.launch"

/** What makes Java take classes out of an archive. */
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

/** [command] starts processes of a class that is named behind it. */
internal fun compareStarts(
    bench: Bench,
    command: List<String>,
) {
    val store = bench.directory.resolve("first-step.cairn")
    bench.compare(
        "from the launcher to the first step, against no archive",
        atLeast = 1.0,
        ours = Start(command, store).side(),
        baseline = Start(command.filterNot { it.startsWith(ARCHIVE_OPTION) }, store).side(),
    )
}

private class Start(
    command: List<String>,
    private val store: Path,
) {
    private val builder = ProcessBuilder(command + listOf(MAIN, "--dir", "$store")).redirectErrorStream(true)
    private val started = ArrayDeque<Process>()

    /** What comes after the first step does not count. */
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
