package dev.cairn.reading

import dev.cairn.item.OutputMark
import dev.cairn.item.SeedCodec
import dev.cairn.stored.ItemRecords
import java.io.IOException

/** The seed of random streams. */
public class StoredSeed internal constructor(
    internal override val records: ItemRecords,
) : StoredBytes() {
    @Throws(IOException::class)
    public fun read(): Long {
        require(described.elementType == SeedCodec.format) {
            "'$name' is a seed for ${described.elementType}, which this version does not know: read it with a newer one"
        }
        return SeedCodec.decode(readAll(0..0).single())
    }
}

/** How far an output had come. */
public class StoredOutput internal constructor(
    internal override val records: ItemRecords,
) : StoredBytes() {
    /** How many bytes the file had when the checkpoint was made. */
    @Throws(IOException::class)
    public fun length(): Long = OutputMark.decode(readAll(0..0).single()).length
}
