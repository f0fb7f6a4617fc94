package dev.cairn.checkpoint

import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.ranks.Structure
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/**
 * The table of contents of one rank's stream, which is its last record, with key 0. It ends with its checksum, its size and a
 * magic number, so that it is found from the end of the stream. All numbers are little-endian:
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
internal data class TableOfContents(val save: Int, val rank: Int, val rankCount: Int, val entries: List<Entry>) {
    /**
     * The bytes of one key of this rank. A key without an entry has no bytes.
     *
     * @property recordCount 1, or the number of frames if the size was not known before the bytes were written
     */
    data class Entry(
        val key: Int,
        val size: Long,
        val boxes: List<Box>,
        val checksums: List<Int>,
        val recordCount: Int = 1,
    ) {
        val storedSize get() = recordCount * RECORD_HEADER + size

        /** The number of bytes in a frame. */
        fun frameSize(frame: Int) = minOf(size - frame.toLong() * FRAME_SIZE, FRAME_SIZE.toLong()).toInt()

        /** The number of record headers before the bytes of a frame. */
        fun headersBefore(frame: Int) = if (recordCount == 1) 1 else frame + 1
    }

    /** The range of a box in one dimension. */
    private class Side(val start: Long, val extent: Long)

    /** The position of frame [frame] of [key] in the rank's stream. The records are in the order of the entries. */
    fun position(key: Int, frame: Int): Long {
        val entry = checkNotNull(entry(key)) { "rank $rank has no item $key" }
        val before = entries.takeWhile { it.key != key }.sumOf { it.storedSize }
        return before + entry.headersBefore(frame) * RECORD_HEADER + frame.toLong() * FRAME_SIZE
    }

    fun entry(key: Int): Entry? = entries.find { it.key == key }

    fun encode(): ByteBuffer {
        val target = ByteBuffer.allocate(Math.toIntExact(encodedSize())).order(LITTLE_ENDIAN)
        TABLE.write(this, target)
        return target
            .putInt(checksum(target.duplicate().flip()))
            .putLong(target.capacity().toLong())
            .putLong(MAGIC)
            .flip()
    }

    fun encodedSize(): Long = TABLE.size(this) + TAIL_SIZE

    companion object {
        /** The key of the table's record in a rank's stream, and of the record with all tables in the stream of the index. */
        const val KEY = 0L

        /** The key of the copy of the manifest, in the stream of the index. Format 1 has none. */
        const val MANIFEST_KEY = 1L

        /** Key and length before each record's value. */
        const val RECORD_HEADER = 16L

        /** The size of a frame, which has a checksum of its own; the last frame of an item may be shorter. */
        const val FRAME_SIZE = 1 shl 20

        private const val TAIL_SIZE = 4 + 8 + 8
        private val MAGIC = ByteBuffer.wrap("CAIRNTOC".encodeToByteArray()).order(LITTLE_ENDIAN).getLong()

        private val SIDE = Structure(Side(0, 0)) { Side(start = u64(it.start), extent = u64(it.extent)) }

        private val BOX =
            Structure(Shape.of(0).box()) { box ->
                val sides = list(List(box.dimensions()) { Side(box.start(it), box.extent(it)) }, SIDE)
                Box.of(LongArray(sides.size) { sides[it].start }, LongArray(sides.size) { sides[it].extent })
            }

        private val CHECKSUM = Structure(0) { u32(it) }

        private val ENTRY =
            Structure(Entry(0, 0, emptyList(), emptyList())) {
                Entry(
                    key = u32(it.key),
                    size = u64(it.size),
                    recordCount = u32(it.recordCount),
                    boxes = list(it.boxes, BOX),
                    checksums = list(it.checksums, CHECKSUM),
                )
            }

        private val TABLE =
            Structure(TableOfContents(0, 0, 0, emptyList())) {
                TableOfContents(
                    save = u32(it.save),
                    rank = u32(it.rank),
                    rankCount = u32(it.rankCount),
                    entries = list(it.entries, ENTRY),
                )
            }

        fun frameCount(size: Long): Long = (size + FRAME_SIZE - 1) / FRAME_SIZE

        /** The table in [bytes]; an [IllegalArgumentException] describes the error in them. */
        fun decode(bytes: ByteBuffer): TableOfContents {
            val source = bytes.slice().order(LITTLE_ENDIAN)
            require(source.capacity() > TAIL_SIZE) { "it has only ${source.capacity()} bytes" }
            val end = source.capacity() - TAIL_SIZE
            require(source.getLong(end + 12) == MAGIC) { "it does not end in CAIRNTOC" }
            val size = source.getLong(end + 4)
            require(size == source.capacity().toLong()) {
                "its size field is $size, but it has ${source.capacity()} bytes"
            }
            val content = source.limit(end)
            require(
                checksum(content) == bytes.slice().order(LITTLE_ENDIAN).getInt(end),
            ) { "its checksum is wrong" }
            return TABLE.readAll(content)
        }
    }
}
