package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.payload.Payload
import dev.cairn.benchmarks.report.AtMost
import dev.cairn.benchmarks.report.Figure
import dev.cairn.benchmarks.report.Quartiles
import kotlin.io.path.deleteExisting

private const val MOST_SECONDS = 1.0

/** The command `sion dump` on a multifile of very many tasks, from its start to its end. */
internal fun benchDump(bench: Bench) {
    val path = bench.directory.resolve("tasks.sion")
    writeTasks(path, Payload(Scale.TASK_BYTES, bench.scale.taskCount))
    for (verb in listOf(listOf("dump"), listOf("dump", "-a"))) {
        val command = Commands.SION.with(verb + "$path")
        val name = "sion ${verb.joinToString(" ")} of ${bench.scale.taskCount} tasks"
        val times = Quartiles.of(List(bench.pairCount) { secondsOf(command) })
        bench.report(Figure(name, times, "s", AtMost(MOST_SECONDS)))
    }
    path.deleteExisting()
}
