package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.payload.Payload
import dev.cairn.benchmarks.report.AtMost
import dev.cairn.benchmarks.report.Figure
import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.sion.Multifile
import kotlin.io.path.deleteExisting

private const val MOST_BYTES_PER_TASK = 64.0

/** The heap that an open multifile of very many tasks occupies. */
internal fun benchMemory(bench: Bench) {
    val taskCount = bench.scale.taskCount
    val file = bench.directory.resolve("footprint.sion")
    writeTasks(file, Payload(Scale.TASK_BYTES, taskCount))
    val before = liveHeapBytes()
    Multifile.open(file).use { view ->
        val perTask = (liveHeapBytes() - before).toDouble() / taskCount
        // The view is used behind the measurement, or it would be garbage before.
        check(view.taskCount() == taskCount) { "$file has ${view.taskCount()} tasks" }
        val heap = Quartiles.of(listOf(perTask))
        bench.report(Figure("open with $taskCount tasks", heap, "bytes per task", AtMost(MOST_BYTES_PER_TASK)))
    }
    file.deleteExisting()
}

/** The used heap after several collections, since finalizers and caches release objects only during the first ones. */
private fun liveHeapBytes(): Long {
    val runtime = Runtime.getRuntime()
    return (1..5).minOf {
        System.gc()
        runtime.totalMemory() - runtime.freeMemory()
    }
}
