package dev.cairn.java

import dev.cairn.multifile.MappedTask
import dev.cairn.multifile.MappedWriting
import dev.cairn.multifile.RankRequest
import dev.cairn.multifile.ReadMode
import dev.cairn.multifile.TaskReading
import dev.cairn.multifile.TaskWriting
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.BlockStore
import java.nio.file.Path

/** What a rank does with its writer runs on its own thread, between two calls; likewise below. */
internal inline fun BlockingCommunicator.writeTask(
    spec: MultifileSpec,
    chunkSize: Long,
    store: BlockStore,
    write: (ChunkWriter) -> TaskUsage,
) {
    val writing = call { TaskWriting.begin(this, spec, Result.success(RankRequest(chunkSize)), store) }
    val outcome = runCatching { write(writing.open()) }
    call { writing.end(outcome) }
}

internal inline fun BlockingCommunicator.writeTasks(
    spec: MultifileSpec,
    tasks: List<MappedTask>,
    store: BlockStore,
    write: (List<ChunkWriter>) -> List<TaskUsage>,
) {
    val writing = call { MappedWriting.begin(this, spec, tasks, store) }
    val outcome = runCatching { write(writing.open()) }
    call { writing.end(outcome) }
}

internal inline fun <T> BlockingCommunicator.readTasks(
    path: Path,
    store: BlockStore,
    mode: ReadMode,
    read: (TaskReading) -> T,
): T {
    val reading = call { TaskReading.begin(this, path, store, mode) }
    val outcome = runCatching { read(reading) }
    return call { reading.end(outcome) }
}
