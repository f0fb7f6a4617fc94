package dev.cairn.output

import dev.cairn.sion.store.BlockFile
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.util.zip.CRC32C

/** The last bytes of a file of arrays, by which its table is found: the table's size and CRC32C, and a magic word. */
internal object ArrayFileEnd {
    private const val SIZE = 24
    private val MAGIC = ByteBuffer.wrap("CAIRNAR1".toByteArray()).order(LITTLE_ENDIAN).getLong()

    /** More than any table has; what claims more is damaged. */
    private const val LARGEST_TABLE = 1L shl 30
    private const val LARGEST_PIECE = 1L shl 20
    private const val NO_MARK = "it does not end with the mark of such a file. It is another file, or was cut"

    /** The table and the end, as they stand behind the arrays. */
    fun encode(table: ArrayTable): ByteBuffer {
        val bytes = table.encode()
        return ByteBuffer
            .allocate(bytes.size + SIZE)
            .put(bytes)
            .put(endOf(bytes))
            .flip()
    }

    private fun endOf(table: ByteArray): ByteBuffer =
        ByteBuffer
            .allocate(SIZE)
            .order(LITTLE_ENDIAN)
            .putLong(table.size.toLong())
            .putLong(sumOf(ByteBuffer.wrap(table)))
            .putLong(MAGIC)
            .flip()

    /** Whether [table] is that of [file], behind [length] bytes. Then the cells are, too: a table has the checksums of all cells. */
    fun isOf(file: BlockFile, table: ByteArray, length: Long): Boolean {
        val start = length + table.size
        return file.size() == start + SIZE && file.bytesAt(start, SIZE) == endOf(table)
    }

    /** The table of [file]; throws if that is no whole file of arrays. */
    fun readTable(file: BlockFile): ByteArray {
        val size = file.size()
        if (size < SIZE) throw damaged(file, "the file has $size bytes, and even one without arrays has more")
        val end = file.bytesAt(size - SIZE, SIZE)
        val tableSize = end.getLong()
        val sum = end.getLong()
        if (end.getLong() != MAGIC) throw damaged(file, NO_MARK)
        val most = minOf(LARGEST_TABLE, size - SIZE)
        if (tableSize !in 0..most) throw damaged(file, "its table should have $tableSize bytes")
        val start = size - SIZE - tableSize
        requireSum(file, sum, file.sumOf(start, tableSize))
        val table = file.bytesAt(start, tableSize.toInt())
        requireSum(file, sum, sumOf(table.duplicate()))
        requireLength(file, table.array(), start)
        return table.array()
    }

    private fun requireSum(file: BlockFile, expected: Long, found: Long) {
        if (found != expected) throw damaged(file, "its table should have the CRC32C $expected, but has $found")
    }

    private fun requireLength(file: BlockFile, table: ByteArray, expected: Long) {
        val length =
            try {
                ArrayTable.decode(table).length
            } catch (unfit: IllegalArgumentException) {
                throw damaged(file, "its table cannot be read: ${unfit.message}")
            }
        if (length == expected) return
        throw damaged(file, "its arrays should take $length bytes, but there are $expected before its table")
    }

    /** The checksum of bytes whose number may be wrong, so there is memory for a piece of them only. */
    private fun BlockFile.sumOf(position: Long, size: Long): Long {
        val sum = CRC32C()
        for (start in position until position + size step LARGEST_PIECE) {
            sum.update(bytesAt(start, minOf(LARGEST_PIECE, position + size - start).toInt()))
        }
        return sum.value
    }

    private fun BlockFile.bytesAt(position: Long, size: Int): ByteBuffer =
        ByteBuffer
            .allocate(size)
            .order(LITTLE_ENDIAN)
            .also { readFully(position, it) }
            .flip()

    private fun damaged(file: BlockFile, what: String) =
        IOException("${file.path()} is no whole file of arrays: $what. Write it again, or read another copy")

    fun sumOf(bytes: ByteBuffer): Long = CRC32C().also { it.update(bytes) }.value
}
