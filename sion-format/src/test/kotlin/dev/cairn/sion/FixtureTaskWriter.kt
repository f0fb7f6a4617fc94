package dev.cairn.sion

import java.nio.ByteBuffer

/** Runs the operations of one task with the bytes that the fixtures' rule gives. */
class FixtureTaskWriter(
    private val task: FixtureTask,
    private val chunks: (Int) -> ChunkWriter,
    private val records: (Int) -> RecordWriter,
) {
    val taskNumber: Int get() = task.task
    private var written = 0L
    private val occurrences = HashMap<Long, Int>()

    fun run(op: Op) {
        when (op) {
            is Op.Write -> {
                val start = written
                chunks(task.task).write(bytes(op.bytes) { task.byteAt(start + it) })
                written += op.bytes
            }

            is Op.Record -> {
                val occurrence = occurrences.merge(op.key, 1, Int::plus)!! - 1
                records(task.task).put(op.key, bytes(op.bytes) { task.byteAt(op.key, occurrence, it) })
            }

            is Op.EnsureFreeSpace -> {
                chunks(task.task).ensureFreeSpace(op.bytes)
            }

            is Op.Reinit -> {
                error("the multifile is laid out with the new sizes")
            }
        }
    }

    private fun bytes(
        count: Int,
        rule: (Long) -> Byte,
    ) = ByteBuffer.wrap(ByteArray(count) { rule(it.toLong()) })
}
