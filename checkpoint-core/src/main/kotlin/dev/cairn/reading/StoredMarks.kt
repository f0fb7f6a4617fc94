package dev.cairn.reading

import dev.cairn.checkpoint.ItemRecords
import dev.cairn.item.OutputMark
import dev.cairn.item.SaveMarks
import dev.cairn.item.SeedCodec
import dev.cairn.redistribution.CellDigest
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.CheckpointStore
import dev.cairn.store.Entry
import dev.cairn.store.ifReadable

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
    fun length(): Long = mark().length

    fun mark(): OutputMark = OutputMark.decode(readAll(0..0).single())
}

/** The marks of all outputs in [save]; null if they cannot be read now. */
internal fun CheckpointStore.outputMarks(files: BlockStore, save: Entry.Numbered): SaveMarks? =
    (save as? Entry.Save)?.let(::readOrNull)?.let { candidate ->
        ifReadable { files.openCheckpoint(candidate).use { it.outputMarks() } }
    }

private fun StoredCheckpoint.outputMarks(): SaveMarks? {
    // What this version does not know may be an output.
    if (items.any {
            it is StoredUnknown || (it is StoredOutput && it.byteCount != OutputMark.SIZE.toLong())
        }
    ) {
        return null
    }
    val marks = items.filterIsInstance<StoredOutput>().map { it.mark() }
    // A length alone does not show whether a file is the one.
    if (marks.any { it.length > 0 && it.tail == CellDigest.NONE }) return null
    return SaveMarks(state.save, state.digestFormula, marks)
}
