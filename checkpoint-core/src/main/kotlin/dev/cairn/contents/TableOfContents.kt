package dev.cairn.contents

import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/**
 * What one rank has in its stream: the last record, key 0. It ends in its checksum, its size and a magic, so it is found
 * from the end of the stream. All numbers are little-endian:
 *
 * ```
 * u32 save   u32 rank   u32 rankCount
 * u32 entryCount, and for each entry
 *     u32 key   u64 size   u32 recordCount
 *     u32 boxCount, and for each box:  u32 dimensions, and for each dimension:  u64 start   u64 extent
 *     u32 frameCount, and for each frame:  u32 crc32c
 * u32 crc32c of all before   u64 size of the whole table   "CAIRNTOC"
 * ```
 */
internal data class TableOfContents(
    val save: Int,
    val rank: Int,
    val rankCount: Int,
    val entries: List<Entry>,
) {
    /**
     * The bytes of one key of this rank; a key that is not here has no bytes.
     *
     * @property recordCount 1, or, where the size was not known beforehand, one for each frame
     */
    data class Entry(
        val key: Int,
        val size: Long,
        val boxes: List<Box>,
        val checksums: List<Int>,
        val recordCount: Int = 1,
    ) {
        val storedSize get() = recordCount * RECORD_HEADER + size

        /** How many record headers stand before the bytes of a frame. */
        fun headersBefore(frame: Int) = if (recordCount == 1) 1 else frame + 1
    }

    /** Where frame [frame] of [key] begins in the rank's stream; the records stand in the order of the entries. */
    fun position(
        key: Int,
        frame: Int,
    ): Long {
        val entry = checkNotNull(entry(key)) { "rank $rank has no item $key" }
        val before = entries.takeWhile { it.key != key }.sumOf { it.storedSize }
        return before + entry.headersBefore(frame) * RECORD_HEADER + frame.toLong() * FRAME_SIZE
    }

    fun entry(key: Int): Entry? = entries.find { it.key == key }

    fun encode(): ByteBuffer {
        val target = ByteBuffer.allocate(Math.toIntExact(encodedSize())).order(LITTLE_ENDIAN)
        fields(TocWriter(target), this)
        return target
            .putInt(checksum(target.duplicate().flip()))
            .putLong(target.capacity().toLong())
            .putLong(MAGIC)
            .flip()
    }

    fun encodedSize(): Long = TocMeter().also { fields(it, this) }.size + TAIL_SIZE

    companion object {
        /** The key of the record that holds it, in a rank's stream; and of the index, in that of its task. */
        const val KEY = 0L

        /** The key of the copy of the manifest, in the stream of the index. Format 1 has none. */
        const val MANIFEST_KEY = 1L

        /** Key and length before each record's value. */
        const val RECORD_HEADER = 16L

        /** Bytes are checked in frames of this size; the last of an item may be shorter. */
        const val FRAME_SIZE = 1 shl 20

        private const val TAIL_SIZE = 4 + 8 + 8
        private const val LEAST_ENTRY = 4 + 8 + 4 + 4 + 4
        private val MAGIC = ByteBuffer.wrap("CAIRNTOC".encodeToByteArray()).order(LITTLE_ENDIAN).getLong()
        private val BLANK = TableOfContents(0, 0, 0, emptyList())
        private val BLANK_ENTRY = Entry(0, 0, emptyList(), emptyList())
        private val BLANK_BOX = Shape.of(0).box()

        fun frameCount(size: Long): Long = (size + FRAME_SIZE - 1) / FRAME_SIZE

        /** The table in [bytes]; an [IllegalArgumentException] says what is wrong with them. */
        fun decode(bytes: ByteBuffer): TableOfContents {
            val source = bytes.slice().order(LITTLE_ENDIAN)
            require(source.capacity() > TAIL_SIZE) { "it has only ${source.capacity()} bytes" }
            val end = source.capacity() - TAIL_SIZE
            require(source.getLong(end + 12) == MAGIC) { "it does not end in CAIRNTOC" }
            val size = source.getLong(end + 4)
            require(size == source.capacity().toLong()) { "it says it has $size bytes, but has ${source.capacity()}" }
            val content = source.limit(end)
            require(
                checksum(content) == bytes.slice().order(LITTLE_ENDIAN).getInt(end),
            ) { "its checksum is another one" }
            return fields(
                TocReader(content),
                BLANK,
            ).also { require(!content.hasRemaining()) { "it has bytes left over" } }
        }

        private fun fields(
            io: TocIo,
            table: TableOfContents,
        ) = TableOfContents(
            save = io.u32(table.save),
            rank = io.u32(table.rank),
            rankCount = io.u32(table.rankCount),
            entries = io.list(table.entries, LEAST_ENTRY, BLANK_ENTRY, ::entryFields),
        )

        private fun entryFields(
            io: TocIo,
            entry: Entry,
        ) = Entry(
            key = io.u32(entry.key),
            size = io.u64(entry.size),
            recordCount = io.u32(entry.recordCount),
            boxes = io.list(entry.boxes, Int.SIZE_BYTES, BLANK_BOX, ::boxFields),
            checksums = io.list(entry.checksums, Int.SIZE_BYTES, 0) { each, value -> each.u32(value) },
        )

        private fun boxFields(
            io: TocIo,
            box: Box,
        ): Box {
            val sides = List(box.dimensions()) { box.start(it) to box.extent(it) }
            val read =
                io.list(sides, 2 * Long.SIZE_BYTES, 0L to 0L) { each, (start, extent) ->
                    each.u64(start) to
                        each.u64(extent)
                }
            return Box.of(LongArray(read.size) { read[it].first }, LongArray(read.size) { read[it].second })
        }
    }
}
