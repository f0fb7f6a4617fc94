package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.baseline.readFilePerPiece
import dev.cairn.benchmarks.baseline.readScatteredPieces
import dev.cairn.benchmarks.baseline.writeFilePerPiece
import dev.cairn.benchmarks.baseline.writeScatteredPieces
import dev.cairn.benchmarks.payload.Payload
import dev.cairn.benchmarks.payload.checkAndDelete
import kotlin.io.path.createDirectory
import kotlin.io.path.deleteExisting

/** Very many tasks with a few bytes each, against a bare channel and against a file for each of them. */
internal fun benchTasks(bench: Bench) {
    TasksContest(bench, Payload(Scale.TASK_BYTES, bench.scale.taskCount)).run {
        compareWriting()
        writeTasks(multifile, payload)
        writeFilePerPiece(files, payload)
        compareReading()
        multifile.deleteExisting()
        files.forEach { it.deleteExisting() }
        directory.deleteExisting()
    }
}

private class TasksContest(val bench: Bench, val payload: Payload) {
    val multifile = bench.directory.resolve("tasks.sion")
    val bare = bench.directory.resolve("tasks.bare")
    val directory = bench.directory.resolve("tasks").createDirectory()
    val files = List(payload.pieceCount) { directory.resolve("task.$it") }

    private val tasks = "${payload.pieceCount} tasks of ${payload.pieceSize} bytes"
    private val start = firstChunk(payload.pieceCount)
    private val stride = Scale.BLOCK_SIZE.toLong()

    fun compareWriting() {
        val ours = Side({ writeTasks(multifile, payload) }) { payload.checkAndDelete(multifile, start, stride) }
        val scattered =
            Side({ writeScatteredPieces(bare, payload, start, stride) }) { payload.checkAndDelete(bare, start, stride) }
        val filePerTask = Side({ writeFilePerPiece(files, payload) }) { payload.checkAndDelete(files) }
        bench.compare("write $tasks, against a bare channel", 0.7, ours, scattered)
        bench.compare("write $tasks, against a file for each", 2.5, ours, filePerTask)
    }

    fun compareReading() {
        val ours = Side({ readTasks(multifile, payload) })
        val scattered = Side({ readScatteredPieces(multifile, payload, start, stride) })
        val filePerTask = Side({ readFilePerPiece(files, payload) })
        bench.compare("read $tasks, against a bare channel", 0.7, ours, scattered)
        bench.compare("read $tasks, against a file for each", 2.5, ours, filePerTask)
    }
}
