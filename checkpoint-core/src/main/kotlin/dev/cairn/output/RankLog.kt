package dev.cairn.output

import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.Structure
import dev.cairn.sion.log.LogIdentity
import dev.cairn.sion.log.LogWriter
import dev.cairn.sion.log.Region
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.stripe.Hyperslab
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * A log on the disk of its host (docs/reference/log.md): puts of one rank, in their order. It is never forced, since no checkpoint counts
 * on it.
 *
 * @property directory exists, and holds nothing
 */
internal class RankLog(store: BlockStore, val directory: Path, private val identity: LogIdentity) : AutoCloseable {
    private val writer = LogWriter.create(store, directory, identity)
    private var recordCount = 0L

    val title: LogTitle get() = LogTitle(identity.id, identity.generation, recordCount)

    /** Says in words what it is, for those who find it. */
    fun note(text: String) {
        recordCount = writer.note(text)
    }

    /** Appends [puts], which make [one record][countOfNext]. */
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
    private fun boxOf(put: Put): Hyperslab {
        val (variable, box) = put.variable to put.box
        val start = variable.placeOf(put.record, LongArray(box.dimensions(), box::start))
        return Hyperslab.of(start, variable.placeOf(1, LongArray(box.dimensions(), box::extent)))
    }

    companion object {
        /** The head of a record has room for so many boxes with up to 40 dimensions. */
        private const val MOST_BOXES = 1024

        /** Several puts are packed in memory, so that one write takes them. */
        private const val MOST_PACKED = 1L shl 20

        /** How many of [puts] make the next record: the first one, and those behind it that are of the same variable and not large. */
        fun countOfNext(puts: List<PutPlace>): Int {
            val variable = puts.first().variable
            var size = puts.first().byteCount
            val others =
                puts.asSequence().drop(1).take(MOST_BOXES - 1).takeWhile {
                    size += it.byteCount
                    it.variable === variable && size <= MOST_PACKED
                }
            return 1 + others.count()
        }
    }
}

/**
 * What another rank must find in a log.
 *
 * @property number counts the logs of a rank
 */
internal class LogTitle(val id: Long, val number: Long, val recordCount: Long)

private val LOG_TITLE = Structure(LogTitle(0, 0, 0)) { LogTitle(u64(it.id), u64(it.number), u64(it.recordCount)) }
internal val LOG_TITLES = MessageFields("the logs of a rank", emptyList<LogTitle>()) { list(it, LOG_TITLE) }
