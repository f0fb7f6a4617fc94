package dev.cairn.sion.fuzz

import dev.cairn.sion.RecordView
import dev.cairn.sion.TaskView
import dev.cairn.sion.cursor.ChunkCursor
import dev.cairn.sion.cursor.KeyCursor
import dev.cairn.sion.zstd.ZstdStreams
import java.nio.ByteBuffer
import java.nio.ByteOrder

/**
 * Walks over a task whose [bytes] are known, as C programs do: block by block and record by record, from where the
 * input chooses. A compressed stream is decompressed, too.
 */
class CursorWalk(private val task: TaskView, private val bytes: ByteArray, choices: ByteArray) {
    private val chosen =
        ByteBuffer
            .wrap(choices)
            .order(ByteOrder.LITTLE_ENDIAN)
            .getInt(0)
            .toLong()

    fun walkBlocks() {
        val cursor = ChunkCursor.over(task)
        same("the bytes of all blocks", ByteBuffer.wrap(bytes), rest(cursor))
        val position = Math.floorMod(chosen, bytes.size + 1L)
        cursor.seekAbsolute(position)
        same("the position", position, cursor.position())
        same("what follows byte $position", bytesFrom(position), rest(cursor))
        cursor.seekFromEnd(position)
        same("the last $position bytes", bytesFrom(bytes.size - position), rest(cursor))
        if (cursor.advance() || cursor.bytesLeft() != 0L) throw AssertionError("the end of $task is none")
        cursor.seek(chosen.toInt() shr 8, chosen and 0xff)
    }

    private fun rest(cursor: ChunkCursor): ByteBuffer {
        val found = ByteBuffer.allocate(bytes.size + 1)
        while (cursor.read(found) >= 0) {
            if (!found.hasRemaining()) throw AssertionError("task ${task.task()} never ends")
        }
        return found.flip()
    }

    fun walkRecords(records: RecordView) {
        val cursor = KeyCursor.over(records)
        val walked = cursor.asSequence().toList()
        same("the walk over all records", records.entries(), walked)
        val keys = records.keys()
        if (keys.isEmpty()) return
        val key = keys[Math.floorMod(chosen, keys.size)]
        cursor.seek(key, 0, 0)
        same("key $key", valueOf(records, key), rest(cursor, key, records.size(key)))
        if (!cursor.isAtEnd(key) || cursor.bytesLeft(key) != 0L) throw AssertionError("the end of key $key is none")
        cursor.seekAbsolute(key, chosen and 0xff)
        cursor.seek(key, chosen.toInt() shr 8, chosen and 0xff)
    }

    private fun rest(cursor: KeyCursor, key: Long, size: Long): ByteBuffer {
        val found = ByteBuffer.allocate(size.toInt() + 1)
        while (cursor.read(key, found) >= 0) {
            if (!found.hasRemaining()) throw AssertionError("key $key never ends")
        }
        return found.flip()
    }

    private fun valueOf(records: RecordView, key: Long): ByteBuffer {
        val value = ByteBuffer.allocate(records.size(key).toInt())
        records.read(key, 0, value)
        return value.flip()
    }

    /** Small frames may stand for a lot of content, so not all of it is asked for. */
    fun decompress() {
        if (ZstdStreams.isCompressed(task)) ZstdStreams.decompress(task).use { it.readNBytes(MOST_CONTENT) }
    }

    private fun bytesFrom(position: Long) = ByteBuffer.wrap(bytes, position.toInt(), bytes.size - position.toInt())

    private companion object {
        const val MOST_CONTENT = 1 shl 21
    }
}
