package dev.cairn.sion

import java.nio.ByteBuffer

/**
 * How the functions of SIONlib 1.7.6 for records find their way through the stream of one task, weak points included. It
 * shares no code with the reader and the writer of this library.
 *
 * A place is a block and a position in the physical file, as in C. A place at the end of its block's data is legal, but no
 * search for a position finds it, nor the start of an empty block.
 */
class SionlibRecords(
    private val file: ModelFile,
    private val task: Int,
    private val bytes: ByteArray,
) {
    /** A header that a scan has come to, and where the scan takes its value to begin. */
    private class Found(
        val key: Long,
        val offset: Long,
        val length: Long,
    )

    private val sizes = file.bytesInBlocks[task]
    private val last = sizes.lastIndex
    private val found = mutableListOf<Found>()
    private var block = 0
    private var place = start(0)
    private var scanPlace = place
    private var isDone = false

    private fun start(block: Int) = file.chunkStart(task, block)

    private fun end(block: Int) = start(block) + sizes[block]

    /** The records of `siondump -K`: key and length. */
    fun iterated(): List<Pair<Long, Long>> {
        while (found.size < MOST && scan(toNext = true)) continue
        return found.map { it.key to it.length }
    }

    /** The keys and values of `sionsplit`, which reads pieces of [bufferSize] bytes. */
    fun split(bufferSize: Int): Map<Long, ByteBuffer> {
        scan(toNext = false)
        return found.groupBy { it.key }.mapValues { (_, records) -> value(records, bufferSize) }
    }

    private fun scan(toNext: Boolean): Boolean {
        var isGood = true
        if (scanPlace >= end(last)) isDone = true
        if (!isDone && place != scanPlace) moveTo(scanPlace)
        if (isDone) isGood = false
        while (!isDone) {
            if (place == end(block)) {
                if (!nextBlock()) {
                    isDone = true
                    isGood = false
                }
                continue
            }
            val left = end(block) - place
            val header = read(HEADER) ?: return false
            if (left == HEADER.toLong() && !nextBlock()) return false
            val record = Found(header.getLong(), place, header.getLong())
            found += record
            if (toNext) {
                scanPlace = placeBehind(record.length) ?: return false
                return true
            }
            if (!skip(record.length)) return false
            scanPlace = place
        }
        return isGood
    }

    private fun nextBlock(): Boolean {
        if (block >= last) return false
        block++
        place = start(block)
        return true
    }

    private fun moveTo(target: Long): Boolean {
        val blocks = listOf(block) + sizes.indices
        val holding = blocks.firstOrNull { target in start(it) until end(it) } ?: return false
        block = holding
        place = target
        return true
    }

    /** What follows a value, without going there; at the end of a block's data, the start of the next block. */
    private fun placeBehind(length: Long): Long? {
        var at = block
        var left = length
        var next = place + left
        if (next > end(at)) {
            left -= end(at) - place
            while (left > 0) {
                if (++at > last) return null
                if (left <= sizes[at]) next = start(at) + left
                left -= minOf(left, sizes[at])
            }
        }
        return if (next == end(at) && at < last) start(at + 1) else next
    }

    private fun skip(length: Long): Boolean {
        var left = length
        while (left > 0) {
            val piece = minOf(left, end(block) - place)
            place += piece
            left -= piece
            if (left > 0 && !nextBlock()) return false
        }
        return true
    }

    private fun read(count: Int): ByteBuffer? {
        val target = ByteBuffer.allocate(count).order(file.order)
        while (target.hasRemaining()) {
            val piece = minOf(target.remaining().toLong(), end(block) - place).toInt()
            if (piece < 0) return null
            target.put(bytes, place.toInt(), piece)
            place += piece
            if (target.hasRemaining() && !nextBlock()) return null
        }
        return target.flip()
    }

    /** A call that yields nothing ends the value, also where it came to an empty record. */
    private fun value(
        records: List<Found>,
        bufferSize: Int,
    ): ByteBuffer {
        val value = ByteBuffer.allocate(records.sumOf { it.length }.toInt())
        for (record in records) {
            if (record.length == 0L) break
            var next = record.offset
            var left = record.length
            while (left > 0) {
                if (next != place && !moveTo(next)) return value.flip()
                val piece = minOf(left, bufferSize.toLong()).toInt()
                value.put(read(piece) ?: return value.flip())
                left -= piece
                next = place
            }
        }
        return value.flip()
    }

    private companion object {
        const val HEADER = 16

        /** An iterator that has lost its place may find any number of records. */
        const val MOST = 10_000
    }
}
