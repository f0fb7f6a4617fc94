package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.payload.Payload
import dev.cairn.benchmarks.report.FootprintResult
import dev.cairn.benchmarks.report.OpenTimeResult
import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.sion.GlobalView
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileWriter
import dev.cairn.sion.TaskRequest
import java.nio.file.Path
import kotlin.io.path.deleteExisting
import kotlin.system.measureNanoTime

private const val AT_MOST_BYTES_PER_CHUNK = 64.0
private const val CHUNK_SIZE = 64

/** The heap that an open multifile occupies, and the time to open it. */
internal fun benchMemory(bench: Bench) {
    val taskCount = bench.scale.taskCount
    val blockCount = bench.scale.blockCount
    footprint(bench, "open with $taskCount tasks of 1 block", IntArray(taskCount) { 1 })
    footprint(
        bench,
        "open with ${taskCount - 1} tasks of 1 block and one of $blockCount",
        IntArray(taskCount) { task -> if (task == taskCount / 2) blockCount else 1 },
    )
    openTimes(bench)
}

private fun footprint(bench: Bench, name: String, blockCounts: IntArray) {
    val file = bench.directory.resolve("footprint.sion")
    writeBlocks(file, blockCounts)
    val before = liveHeapBytes()
    Multifile.open(file).use { view ->
        requireBlocks(view, blockCounts)
        bench.report(FootprintResult(name, liveHeapBytes() - before, blockCounts.sum(), AT_MOST_BYTES_PER_CHUNK))
        requireBlocks(view, blockCounts)
    }
    file.deleteExisting()
}

/** Each task fills the same number of chunks, which are small, because only their number matters here. */
private fun writeBlocks(file: Path, blockCounts: IntArray) {
    val piece = Payload(CHUNK_SIZE, 1).piece(0)
    val requests = TaskRequest.equal(blockCounts.size, CHUNK_SIZE.toLong())
    MultifileWriter.create(specOf(file).withBlockSize(CHUNK_SIZE), requests).use { writer ->
        blockCounts.forEachIndexed { task, blockCount ->
            repeat(blockCount) { writer.task(task).write(piece.rewind()) }
        }
        writer.finish()
    }
}

private fun requireBlocks(view: GlobalView, blockCounts: IntArray) {
    blockCounts.forEachIndexed { task, blockCount ->
        check(view.task(task).blockCount() == blockCount) { "task $task does not have $blockCount blocks" }
    }
}

/** The used heap after several collections, since finalizers and caches release objects only during the first ones. */
private fun liveHeapBytes(): Long {
    val runtime = Runtime.getRuntime()
    return (1..5).minOf {
        System.gc()
        runtime.totalMemory() - runtime.freeMemory()
    }
}

/** All sizes in turn, up and down, so that variations of the machine's speed affect all of them alike. */
private fun openTimes(bench: Bench) {
    val files = bench.scale.openTaskCounts.associateWith { bench.directory.resolve("open-$it.sion") }
    files.forEach { (taskCount, file) -> writeBlocks(file, IntArray(taskCount) { 1 }) }
    val rounds =
        List(Duel.WARM_UP_PAIRS + bench.pairCount) { round ->
            val taskCounts = if (round % 2 == 0) files.keys else files.keys.reversed()
            taskCounts.associateWith { nanosToOpen(files.getValue(it), it) / it.toDouble() }
        }
    for ((taskCount, file) in files) {
        val nanosPerTask = rounds.drop(Duel.WARM_UP_PAIRS).map { it.getValue(taskCount) }
        bench.report(OpenTimeResult("open $taskCount tasks", taskCount, Quartiles.of(nanosPerTask)))
        file.deleteExisting()
    }
}

private fun nanosToOpen(file: Path, taskCount: Int): Long =
    measureNanoTime {
        Multifile.open(file).use { view -> check(view.taskCount() == taskCount) }
    }
