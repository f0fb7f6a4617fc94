package dev.cairn.cli

import kotlinx.serialization.KSerializer
import kotlinx.serialization.json.Json
import picocli.CommandLine.Command
import picocli.CommandLine.Option
import java.util.concurrent.Callable

/** A verb that prints a report: as text for people, or as JSON with the same facts for scripts. */
@Command(mixinStandardHelpOptions = true, versionProvider = Version::class)
internal abstract class ReportVerb<R>(protected val shell: Shell, private val serializer: KSerializer<R>) :
    Callable<Int> {
    @Option(names = ["--json"], description = ["Prints JSON instead."])
    private var isJson = false

    /** Does the work. */
    protected abstract fun report(): R

    protected abstract fun lines(report: R): List<String>

    /** Whether the answer is yes, for the exit code. */
    protected open fun isYes(report: R): Boolean = true

    protected open fun exitCode(report: R): Int = if (isYes(report)) ExitCodes.YES else ExitCodes.NO

    final override fun call(): Int {
        val report = report()
        val text = if (isJson) json.encodeToString(serializer, report) else lines(report).joinToString("\n")
        shell.out().write("$text\n".encodeToByteArray())
        return exitCode(report)
    }
}

private val json =
    Json {
        prettyPrint = true
        encodeDefaults = true
    }

/** Rows of cells as lines of text, each column as wide as its widest cell. Numbers are right-aligned. */
internal fun columns(rows: List<List<String>>): List<String> {
    val widths = rows.first().indices.map { column -> rows.maxOf { it[column].length } }
    return rows.map { row -> row.zip(widths) { cell, width -> cell.padded(width) }.joinToString("  ").trimEnd() }
}

private fun String.padded(width: Int) = if (toBigDecimalOrNull() == null) padEnd(width) else padStart(width)
