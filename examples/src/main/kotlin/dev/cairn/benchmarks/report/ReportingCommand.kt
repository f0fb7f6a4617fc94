package dev.cairn.benchmarks.report

import java.nio.file.Path

/** The command above a subcommand: its options say where files lie, how often to measure, and where the figures go. */
internal interface ReportingCommand {
    val pairCount: Int

    /**
     * Prints what [measure] finds in an empty directory with room for [bytesOnDisk], after [warmUpCount] runs that do not count, and
     * writes it to the file that the user named.
     */
    fun report(
        bytesOnDisk: Long,
        warmUpCount: Int,
        measure: (Path, (Result) -> Unit) -> Unit,
    ): Report
}
