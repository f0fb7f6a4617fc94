package dev.cairn.item

import dev.cairn.cells.CellDigest
import dev.cairn.cells.CellDigester
import dev.cairn.cells.DigestFormula
import dev.cairn.comm.Communicator
import dev.cairn.contents.TableOfContents
import dev.cairn.grid.Box
import java.io.OutputStream
import java.nio.ByteBuffer

/** One rank's part of one item. */
internal interface Capture {
    val parts: List<Part>

    /** How many elements the rank contributes to the item; those of a [StreamPart] are counted as it is written. */
    val elementCount: Long

    /**
     * The digest of what is not digested while it is read: of values, or of rows across columns.
     *
     * @param written what was written of each part; empty if nothing was
     */
    fun digestApart(
        formula: DigestFormula,
        written: List<TableOfContents.Entry>,
    ): CellDigest = CellDigest.NONE

    /** Collective: refuses what is only wrong on all ranks together. */
    suspend fun check(ranks: Communicator) = Unit

    /** Whether this rank has other boxes than when it was last told that those of all ranks make up the item. */
    val hasMoved: Boolean get() = false

    /** Tells that the boxes of all ranks make up the item. */
    fun acceptTiling() = Unit
}

/** The bytes of one key. */
internal sealed interface Part {
    val key: Int
}

/** Bytes whose number is known before they are written: one record. */
internal interface SizedPart : Part {
    val size: Long
    val boxes: List<Box> get() = emptyList()

    /**
     * Fills [target] with the bytes from [start] on. Both are multiples of the element size.
     *
     * @param digester digests the elements that [target] has now, in any order
     */
    fun read(
        start: Long,
        target: ByteBuffer,
        digester: CellDigester,
    )
}

/**
 * Bytes that come as they are written, in records of a frame each.
 *
 * @property firstIndex the number of the first byte in the digest
 */
internal class StreamPart(
    val item: String,
    override val key: Int,
    val firstIndex: Long,
    val write: (OutputStream) -> Unit,
) : Part

/** An item that has one part. */
internal interface SingleCapture :
    Capture,
    SizedPart {
    override val parts: List<Part> get() = listOf(this)
}
