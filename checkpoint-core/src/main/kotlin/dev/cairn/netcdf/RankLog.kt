package dev.cairn.netcdf

import dev.cairn.comm.MessageFields
import dev.cairn.sion.log.LogForcePolicy
import dev.cairn.sion.log.LogIdentity
import dev.cairn.sion.log.LogSpec
import dev.cairn.sion.log.LogWriter
import dev.cairn.sion.log.Region
import dev.cairn.sion.log.StridedBox
import dev.cairn.sion.store.BlockStore
import dev.cairn.structure.Structure
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * A log on the disk of its host (docs/log-format.md): puts of one rank, in their order. It is never forced, since no checkpoint counts
 * on it.
 *
 * @property directory exists, and holds nothing
 */
internal class RankLog(
    store: BlockStore,
    val directory: Path,
    private val identity: LogIdentity,
) : AutoCloseable {
    private val writer = LogWriter.create(store, directory, LogSpec.of(identity).withForcePolicy(LogForcePolicy.NEVER))
    private var recordCount = 0L

    val title: LogTitle get() = LogTitle(identity.id, identity.generation, recordCount)

    /** Says in words what it is, for those who find it. */
    fun note(text: String) {
        recordCount = writer.note(text)
    }

    /** Appends [puts], which are of one variable. */
    fun append(puts: List<Put>) {
        val variable = puts.first().variable
        val region = Region(variable.number, variable.cellSize, puts.map(::boxOf))
        recordCount = writer.put(region, puts.singleOrNull()?.packed() ?: packed(puts))
    }

    /** One write takes them all. */
    private fun packed(puts: List<Put>): ByteBuffer {
        val all = ByteBuffer.allocate(Math.toIntExact(puts.sumOf { it.byteCount }))
        puts.forEach { all.put(it.packed()) }
        return all.flip()
    }

    /** No put follows. */
    override fun close() = writer.close()

    /** The first dimension is that of the records. */
    private fun boxOf(put: Put): StridedBox {
        val (variable, box) = put.variable to put.box
        val start = variable.placeOf(put.record, LongArray(box.dimensions(), box::start))
        return StridedBox.of(start, variable.placeOf(1, LongArray(box.dimensions(), box::extent)))
    }
}

/**
 * What another rank must find in a log.
 *
 * @property number counts the logs of a rank
 */
internal class LogTitle(
    val id: Long,
    val number: Long,
    val recordCount: Long,
) {
    companion object {
        private val TITLE = Structure(LogTitle(0, 0, 0)) { LogTitle(u64(it.id), u64(it.number), u64(it.recordCount)) }
        private val TITLES = MessageFields("the logs of a rank", emptyList<LogTitle>()) { list(it, TITLE) }

        fun encode(titles: List<LogTitle>): ByteBuffer = TITLES.encode(titles)

        fun decode(message: ByteBuffer): List<LogTitle> = TITLES.decode(message)
    }
}
