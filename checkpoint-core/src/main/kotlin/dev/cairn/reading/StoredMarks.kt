package dev.cairn.reading

import dev.cairn.checkpoint.ItemRecords
import dev.cairn.item.OutputMark
import dev.cairn.item.SeedCodec
import java.io.IOException

/** The seed of random streams. */
public class StoredSeed internal constructor(
    internal override val records: ItemRecords,
) : StoredBytes() {
    @Throws(IOException::class)
    public fun read(): Long {
        require(described.elementType == SeedCodec.format) {
            "'$name' is a seed for ${described.elementType}, which this version cannot read: read it with a newer one"
        }
        return SeedCodec.decode(readAll(0..0).single())
    }
}

/** The length of an output at the save. */
public class StoredOutput internal constructor(
    internal override val records: ItemRecords,
) : StoredBytes() {
    /** The size of the file at the save, in bytes. */
    @Throws(IOException::class)
    public fun length(): Long = OutputMark.decode(readAll(0..0).single()).length
}
