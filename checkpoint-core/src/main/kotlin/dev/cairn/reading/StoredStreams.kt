package dev.cairn.reading

import dev.cairn.checkpoint.ItemRecords
import java.io.IOException
import java.io.InputStream

/** The streams of all ranks, whose lengths the program did not declare. While one is read, a frame of it is in memory. */
public class StoredStreams internal constructor(
    internal override val records: ItemRecords,
) : StoredBytes() {
    /** The stream of one rank. Each read may fail, since a frame is verified when it is read. */
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
