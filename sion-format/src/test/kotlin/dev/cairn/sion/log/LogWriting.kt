package dev.cairn.sion.log

import dev.cairn.sion.store.BlockStore
import java.nio.ByteBuffer
import java.nio.file.Path

/** Writes [steps] into a new log. */
internal fun writeLog(
    store: BlockStore,
    steps: List<LogStep>,
    spec: LogSpec = LogSpec.of(LogModel.IDENTITY),
    directory: Path = LOG,
) = LogWriter.create(store, directory, spec).use { writer -> steps.forEach(writer::append) }

internal fun LogWriter.append(step: LogStep) {
    when (step) {
        is LogStep.Put -> append(step)
        is LogStep.EndCollective -> endCollective()
        is LogStep.Cancel -> cancel(step.sequence)
        is LogStep.Barrier -> barrier(step.epoch)
        is LogStep.Note -> note(step.text)
        is LogStep.Seal -> seal()
    }
}

/** The payload comes in two buffers, so that frames and parts of writes do not agree. */
private fun LogWriter.append(put: LogStep.Put) {
    val middle = put.payload.size / 3
    val buffers =
        arrayOf(
            ByteBuffer.wrap(put.payload, 0, middle),
            ByteBuffer.wrap(put.payload, middle, put.payload.size - middle),
        )
    if (put.isCollective) putCollectively(put.region, *buffers) else put(put.region, *buffers)
}

internal fun spec(
    policy: LogForcePolicy,
    limit: Long,
): LogSpec = LogSpec.of(LogModel.IDENTITY).withForcePolicy(policy).withSegmentLimit(limit)
