package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.baseline.readAll
import dev.cairn.benchmarks.payload.Payload
import dev.cairn.multifile.writeMultifile
import dev.cairn.ranks.runRanks
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.MultifileWriter
import dev.cairn.sion.TaskRequest
import java.nio.file.Path

/** Files are not forced, as those of the baselines are not. */
internal fun specOf(path: Path): MultifileSpec =
    MultifileSpec.serial(path).withBlockSize(Scale.BLOCK_SIZE).withForcePolicy(ForcePolicy.NEVER)

/** The first byte of the first chunk: META1 takes 1088 bytes and 16 for each task, rounded up to whole blocks. */
internal fun firstChunk(taskCount: Int): Long {
    val blocks = (1088 + 16L * taskCount + Scale.BLOCK_SIZE - 1) / Scale.BLOCK_SIZE
    return blocks * Scale.BLOCK_SIZE
}

/** Writes piece after piece through the stream of a multifile's only task, which grows by a block when a chunk is full. */
internal fun writeTaskStream(path: Path, payload: Payload) {
    val chunkSize = payload.byteCount / 4
    MultifileWriter.create(specOf(path), TaskRequest.equal(1, chunkSize)).use { writer ->
        writer.task(0).stream().use { stream ->
            for (index in 0 until payload.pieceCount) {
                stream.write(payload.piece(index))
            }
        }
        writer.finish()
    }
}

internal fun readTaskStream(path: Path, payload: Payload) {
    Multifile.openTask(path, 0).use { view ->
        view.stream().use { stream ->
            for (index in 0 until payload.pieceCount) {
                stream.readAll(payload.room())
                payload.requireNumber(index)
            }
        }
    }
}

/** One piece for each task of a multifile. */
internal fun writeTasks(path: Path, payload: Payload) {
    val requests = TaskRequest.equal(payload.pieceCount, payload.pieceSize.toLong())
    MultifileWriter.create(specOf(path), requests).use { writer ->
        for (index in 0 until payload.pieceCount) {
            writer.task(index).write(payload.piece(index))
        }
        writer.finish()
    }
}

internal fun readTasks(path: Path, payload: Payload) {
    Multifile.open(path).use { view ->
        for (index in 0 until payload.pieceCount) {
            check(view.read(index, 0, payload.room()) == payload.pieceSize)
            payload.requireNumber(index)
        }
    }
}

/** The number of tasks of a multifile by [writeByTurns]. */
internal const val TURN_TASKS = 4

/** Writes a piece of each task in turn. They are numbered so that their order in the copy is that of the numbers. */
internal fun writeByTurns(path: Path, payload: Payload) {
    val turns = payload.pieceCount / TURN_TASKS
    MultifileWriter.create(specOf(path), TaskRequest.equal(TURN_TASKS, payload.pieceSize.toLong())).use { writer ->
        for (turn in 0 until turns) {
            for (task in 0 until TURN_TASKS) writer.task(task).write(payload.piece(task * turns + turn))
        }
        writer.finish()
    }
}

/** The whole run of simulated ranks with a piece each: they start, create the multifile, write, close it, and end. */
internal fun writeTogether(spec: MultifileSpec, payload: Payload) {
    runRanks(payload.pieceCount) {
        writeMultifile(spec, payload.pieceSize.toLong()) { it.write(payload.pieceOfItsOwn(rank)) }
    }
}
