package dev.cairn.item

import dev.cairn.checkpoint.SnapshotMemory
import dev.cairn.checkpoint.TableOfContents
import dev.cairn.comm.NOTHING
import dev.cairn.redistribution.CellDigest
import dev.cairn.redistribution.CellDigester
import dev.cairn.redistribution.DigestFormula
import java.nio.ByteBuffer

/** A value as bytes. A rank that does not store them still digests them, so that the values of all ranks can be compared. */
internal class BytesCapture(
    override val key: Int,
    private val bytes: ByteBuffer,
    private val firstIndex: Long,
    private val isStored: Boolean,
) : SingleCapture {
    constructor(key: Int, bytes: ByteArray, firstIndex: Long, isStored: Boolean) :
        this(key, ByteBuffer.wrap(bytes), firstIndex, isStored)

    override val size = if (isStored) bytes.remaining().toLong() else 0L
    override val elementCount get() = size

    override fun read(
        start: Long,
        target: ByteBuffer,
        digester: CellDigester,
    ) {
        target.put(bytes.slice(start.toInt(), target.remaining()))
    }

    override fun copy(memory: SnapshotMemory): Capture? {
        val room = memory.take(bytes.remaining().toLong()) ?: return null
        if (room.size > 1) return null
        val copy = room.firstOrNull()?.put(bytes.duplicate())?.flip() ?: NOTHING
        return BytesCapture(key, copy, firstIndex, isStored)
    }

    override fun digestApart(
        formula: DigestFormula,
        written: List<TableOfContents.Entry>,
    ): CellDigest = formula.bytes(firstIndex).apply { add(bytes.duplicate()) }.finish()
}

/** A rank's part of an item that another rank stores. */
internal class NoCapture : Capture {
    override val parts: List<Part> get() = emptyList()
    override val elementCount get() = 0L

    override fun copy(memory: SnapshotMemory) = this
}
