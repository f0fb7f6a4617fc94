package dev.cairn.sion.log

import dev.cairn.sion.store.BlockStore
import java.nio.ByteBuffer
import java.nio.file.Path

/** Writes [steps] into a new log. */
internal fun writeLog(
    store: BlockStore,
    steps: List<LogStep>,
    limit: Long = 1L shl 28,
    directory: Path = LOG,
    identity: LogIdentity = LogModel.IDENTITY,
) = LogWriter.create(store, directory, identity, limit).use { writer -> steps.forEach(writer::append) }

internal fun LogWriter.append(step: LogStep): Long =
    when (step) {
        is LogStep.Put -> append(step)
        is LogStep.Note -> note(step.text)
    }

/** The payload comes in two buffers, so that frames and parts of writes do not agree. */
private fun LogWriter.append(put: LogStep.Put): Long {
    val middle = put.payload.size / 3
    return put(
        put.region,
        ByteBuffer.wrap(put.payload, 0, middle),
        ByteBuffer.wrap(put.payload, middle, put.payload.size - middle),
    )
}
