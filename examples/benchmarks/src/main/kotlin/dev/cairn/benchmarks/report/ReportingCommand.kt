package dev.cairn.benchmarks.report

import java.nio.file.Path

/** The command above a subcommand: its options set the directory, the number of measurements, and the file for the figures. */
internal interface ReportingCommand {
    val pairCount: Int

    /**
     * Prints the results of [measure] in an empty directory with room for [bytesOnDisk], after [warmUpCount] untimed runs, and
     * writes them to the file that the user specified.
     */
    fun report(bytesOnDisk: Long, warmUpCount: Int, measure: (Path, (Result) -> Unit) -> Unit)
}
