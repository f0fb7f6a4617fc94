package dev.cairn.checkpoint

import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.security.MessageDigest
import java.util.HexFormat

/**
 * The tables of contents of all ranks, in the order of the ranks. They are a record of the checkpoint's index task, so that a
 * restore reads one record and not one table in each rank's stream. Each table follows its size as u32.
 */
internal class Contents(val tables: List<TableOfContents>) {
    /** The ranks that have bytes of an item, each with its entry. */
    fun entries(key: Int): List<IndexedValue<TableOfContents.Entry>> =
        tables.mapNotNull { table -> table.entry(key)?.let { IndexedValue(table.rank, it) } }

    companion object {
        /** The bytes of [tables], each one encoded. */
        fun pack(tables: List<ByteBuffer>): ByteBuffer {
            val size = tables.sumOf { Int.SIZE_BYTES + it.remaining().toLong() }
            check(size <= Int.MAX_VALUE - 8) {
                "the tables of contents of ${tables.size} ranks take $size bytes, more than 2 GiB: declare fewer boxes"
            }
            val packed = ByteBuffer.allocate(size.toInt()).order(LITTLE_ENDIAN)
            tables.forEach { packed.putInt(it.remaining()).put(it.duplicate()) }
            return packed.flip()
        }

        /** The tables in [packed]; an [IllegalArgumentException] describes the error in them. */
        fun unpack(packed: ByteBuffer): Contents {
            val source = packed.slice().order(LITTLE_ENDIAN)
            val tables = mutableListOf<TableOfContents>()
            while (source.hasRemaining()) tables += table(source, tables.size)
            return Contents(tables)
        }

        /** The hash of all tables, as stored in manifests. */
        fun root(packed: ByteBuffer): String =
            HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").apply { update(packed.duplicate()) }.digest())

        private fun table(source: ByteBuffer, rank: Int): TableOfContents {
            val size = if (source.remaining() >= Int.SIZE_BYTES) source.getInt() else -1
            require(size in 1..source.remaining()) { "the table of rank $rank is cut off" }
            val table =
                try {
                    TableOfContents.decode(source.slice(source.position(), size))
                } catch (unfit: IllegalArgumentException) {
                    throw IllegalArgumentException("the table of rank $rank: ${unfit.message}", unfit)
                }
            require(table.rank == rank) { "the table of rank $rank has the rank number ${table.rank}" }
            source.position(source.position() + size)
            return table
        }
    }
}
