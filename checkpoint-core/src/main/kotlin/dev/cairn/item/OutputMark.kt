package dev.cairn.item

import dev.cairn.checkpoint.ItemRecords
import dev.cairn.ranks.ROOT
import dev.cairn.redistribution.CellDigest
import dev.cairn.redistribution.DigestFormula
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.file.Path

/**
 * The state of an output at a save: its length, and a digest of its last bytes. The record is, little-endian:
 *
 * ```
 * u64 length   u64 first, u64 second: the digest of the last 65536 bytes before that, or all if there are less, as a value
 * ```
 */
internal data class OutputMark(val length: Long, val tail: CellDigest) {
    fun encode(): ByteArray =
        ByteBuffer
            .allocate(SIZE)
            .order(LITTLE_ENDIAN)
            .putLong(length)
            .putLong(tail.first)
            .putLong(tail.second)
            .array()

    companion object {
        const val SIZE = 3 * Long.SIZE_BYTES

        fun decode(bytes: ByteBuffer): OutputMark {
            require(bytes.remaining() == SIZE) { "the mark of an output has $SIZE bytes, not ${bytes.remaining()}" }
            val source = bytes.slice().order(LITTLE_ENDIAN)
            return OutputMark(source.getLong(), CellDigest(source.getLong(), source.getLong()))
        }
    }
}

/** The [marks] of all outputs in the save [number], digested by [formula]. */
internal class SaveMarks(val number: Int, private val formula: DigestFormula, private val marks: List<OutputMark>) {
    /** As marks of an output in [files] that [end] writes. */
    fun inFiles(files: BlockStore, end: OutputEnd?) = marks.map { SavedMark(files, it, formula, end) }
}

/**
 * The [mark] of an output in a checkpoint, digested by [formula], which is compared with [files]. Marks of earlier versions may have no
 * digest: then only the length is compared.
 *
 * @param end writes the output; null if there is none
 */
internal class SavedMark(
    private val files: BlockStore,
    private val mark: OutputMark,
    private val formula: DigestFormula,
    private val end: OutputEnd?,
) {
    private val head = end?.head ?: 0

    val length: Long get() = mark.length

    /** The obstacle to cutting [file] back to this mark; null if there is none. */
    fun difference(file: Path): String? {
        if (length == 0L) return null
        if (!files.exists(file)) return "is gone"
        return differenceOfBytes(file) ?: end?.otherLength(file, length)
    }

    private fun differenceOfBytes(file: Path): String? =
        files.open(file, Access.READ).use {
            when {
                it.size() < length -> "has only ${it.size()}"
                mark.tail != CellDigest.NONE && it.mark(length, formula, head) != mark -> OTHER_BYTES
                else -> null
            }
        }

    /** The first of these files that can be cut back to this mark. One that cannot be read is passed over only if another one can. */
    fun firstFit(kept: List<Path>): Path? {
        var unread: IOException? = null
        for (file in kept) {
            try {
                if (difference(file) == null) return file
            } catch (failure: IOException) {
                unread = failure
            }
        }
        return unread?.let { throw it }
    }
}

/** The mark of this file at [length], whose first [head] bytes may change. */
internal fun BlockFile.mark(length: Long, formula: DigestFormula, head: Long): OutputMark {
    val range = tailOf(length, head)
    val tail = ByteBuffer.allocate((length - range.first).toInt())
    readFully(range.first, tail)
    return markOf(length, tail.flip(), formula)
}

/** The bytes that the mark at [length] digests, in a file whose first [head] bytes may change. */
internal fun tailOf(length: Long, head: Long): LongRange = length - (length - head).coerceIn(0, TAIL_SIZE) until length

/** The mark at [length], before which the file has the bytes of [tail]. */
internal fun markOf(length: Long, tail: ByteBuffer, formula: DigestFormula) =
    OutputMark(length, formula.bytes(0).apply { add(tail) }.finish())

private const val OTHER_BYTES = "has other bytes before that length"

/** Enough to distinguish files, and fast to read. */
private const val TAIL_SIZE = 65536L

/** Files outside of the checkpoint. On any number of ranks, rank 0 marks them and cuts them back. */
internal object OutputKind : ItemKind("output", StoredForm.MARK) {
    override val isOutside get() = true

    override fun plan(item: ItemRecords, reads: RestartReads): PlannedItem {
        reads.readers[ROOT].reads(item.size(ROOT))
        return item.planned("read by rank 0, which cuts the file back")
    }
}
