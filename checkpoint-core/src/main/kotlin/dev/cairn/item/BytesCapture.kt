package dev.cairn.item

import dev.cairn.cells.CellDigest
import dev.cairn.cells.CellDigester
import dev.cairn.cells.DigestFormula
import dev.cairn.contents.TableOfContents
import java.nio.ByteBuffer

/** Bytes as they are. A rank that does not store them still digests them, so that all can be compared. */
internal class BytesCapture(
    override val key: Int,
    private val bytes: ByteArray,
    private val firstIndex: Long,
    private val isStored: Boolean,
) : SingleCapture {
    override val size = if (isStored) bytes.size.toLong() else 0L
    override val elementCount get() = size

    override fun read(
        start: Long,
        target: ByteBuffer,
        digester: CellDigester,
    ) {
        target.put(bytes, start.toInt(), target.remaining())
    }

    override fun digestApart(
        formula: DigestFormula,
        written: List<TableOfContents.Entry>,
    ): CellDigest = formula.bytes(firstIndex).apply { add(ByteBuffer.wrap(bytes)) }.finish()
}

/** A rank's part of an item that another rank stores. */
internal class NoCapture : Capture {
    override val parts: List<Part> get() = emptyList()
    override val elementCount get() = 0L
}
