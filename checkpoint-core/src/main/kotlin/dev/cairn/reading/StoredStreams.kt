package dev.cairn.reading

import dev.cairn.stored.ItemRecords
import java.io.IOException
import java.io.InputStream

/** The bytes of unknown length that each rank has stored; a frame of them is in memory while they are read. */
public class StoredStreams internal constructor(
    internal override val records: ItemRecords,
) : StoredBytes() {
    /** The stream of one rank. Each read may fail, since each frame is verified when it is needed. */
    @Throws(IOException::class)
    public fun open(rank: Int): InputStream {
        requireRank(rank)
        return streamOf(rank)
    }

    /** The number of bytes that one rank has stored. */
    public fun byteCount(rank: Int): Long {
        requireRank(rank)
        return size(rank)
    }
}
