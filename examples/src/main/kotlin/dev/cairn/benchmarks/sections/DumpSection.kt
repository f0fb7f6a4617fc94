package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.payload.Payload
import dev.cairn.benchmarks.report.LimitResult
import dev.cairn.benchmarks.report.Quartiles
import java.nio.file.Path
import kotlin.io.path.deleteExisting
import kotlin.system.measureNanoTime

private const val AT_MOST_SECONDS = 1.0

/** The command `sion dump` on a multifile of very many tasks, from its start to its end. */
internal fun benchDump(bench: Bench) {
    val path = bench.directory.resolve("tasks.sion")
    val payload = Payload(Scale.TASK_BYTES, bench.scale.taskCount)
    writeTasks(path, payload)
    for (options in listOf(listOf("dump"), listOf("dump", "-a"))) {
        val times = List(bench.pairCount) { secondsOf(options, path) }
        val name = "sion ${options.joinToString(" ")} of ${payload.pieceCount} tasks"
        bench.report(LimitResult(name, Quartiles.of(times), "s", AT_MOST_SECONDS))
    }
    path.deleteExisting()
}

private fun secondsOf(options: List<String>, path: Path): Double {
    val command = Commands.SION.with(*options.toTypedArray(), "$path")
    val builder = ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT)
    var lineCount = 0
    val nanos =
        measureNanoTime {
            val process = builder.start()
            lineCount = process.inputReader().useLines { it.count() }
            check(process.waitFor() == 0) { "$command has failed" }
        }
    check(lineCount > 0) { "$command printed nothing" }
    return nanos / 1e9
}
