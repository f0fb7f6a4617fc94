package dev.cairn.reading

import dev.cairn.checkpoint.ItemRecords
import dev.cairn.item.OutputMark
import dev.cairn.item.SeedCodec

/** The seed of random streams. */
internal class StoredSeed(override val records: ItemRecords) : StoredBytes() {
    fun read(): Long {
        require(described.elementType == SeedCodec.format) {
            "'$name' is a seed for ${described.elementType}, which this version cannot read: read it with a newer one"
        }
        return SeedCodec.decode(readAll(0..0).single())
    }
}

/** The length of an output at the save. */
internal class StoredOutput(override val records: ItemRecords) : StoredBytes() {
    /** The size of the file at the save, in bytes. */
    fun length(): Long = OutputMark.decode(readAll(0..0).single()).length
}
