package dev.cairn.item

import dev.cairn.cells.CellDigest
import dev.cairn.cells.DigestFormula
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * The [mark] of an output in a checkpoint, digested by [formula], which is compared with [files].
 *
 * @param head see [OutputItem]
 */
internal class SavedMark(
    private val files: BlockStore,
    private val mark: OutputMark,
    private val formula: DigestFormula,
    private val head: Long,
) {
    val length: Long get() = mark.length

    /** The obstacle to cutting [file] back to this mark; null if there is none. */
    fun difference(file: Path): String? {
        if (length == 0L) return null
        if (!files.exists(file)) return "is gone"
        return files.open(file, Access.READ).use {
            when {
                it.size() < length -> "has only ${it.size()}"

                mark.tail != CellDigest.NONE && it.mark(
                    length,
                    formula,
                    head,
                ) != mark -> "has other bytes before that length"

                else -> null
            }
        }
    }

    /** Whether the file [aside] can be cut back to this mark. One that cannot be read is not used. */
    fun fits(aside: Path): Boolean =
        try {
            difference(aside) == null
        } catch (_: IOException) {
            false
        }
}

/** The mark of this file at [length], whose first [head] bytes may change. */
internal fun BlockFile.mark(
    length: Long,
    formula: DigestFormula,
    head: Long,
): OutputMark {
    val tail = ByteBuffer.allocate((length - head).coerceIn(0, TAIL_SIZE).toInt())
    readFully(length - tail.capacity(), tail)
    return OutputMark(length, formula.bytes(0).apply { add(tail.flip()) }.finish())
}

/** Enough to distinguish files, and fast to read. */
private const val TAIL_SIZE = 65536L
