package dev.cairn.item

import dev.cairn.checkpoint.SnapshotMemory
import dev.cairn.checkpoint.TableOfContents
import dev.cairn.concentrate.Concentrators
import dev.cairn.grid.Box
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.NOTHING
import dev.cairn.redistribution.CellDigest
import dev.cairn.redistribution.CellDigester
import dev.cairn.redistribution.DigestFormula
import java.io.OutputStream
import java.nio.ByteBuffer

/** One rank's part of one item. */
internal interface Capture {
    val parts: List<Part>

    /** The number of elements that the rank contributes to the item; those of a [StreamPart] are counted as it is written. */
    val elementCount: Long

    /**
     * The digest of data that are not digested while they are read: values, and rows across columns.
     *
     * @param written the entry of each part that was written; may be empty
     */
    fun digestApart(formula: DigestFormula, written: List<TableOfContents.Entry>): CellDigest = CellDigest.NONE

    /**
     * A copy in [memory], so that the program may change its state; null if there is no room for it, and for streams, which exist
     * only while they are written.
     */
    fun copy(memory: SnapshotMemory): Capture?

    /** Forces files outside of the checkpoint, as far as it refers to their bytes; to be called before the commit. */
    fun force() = Unit

    /** On rank 0, before the commit, when the captures of all ranks are [forced][force]: throws if these files are not as captured. */
    fun checkForced() = Unit

    /** Collective: refuses errors that only the data of all ranks together show. */
    suspend fun check(ranks: Communicator) = Unit

    /** Checksums of what each row of a table holds in lists, as they were read. */
    val listChecksums: Map<RowLists, LongArray> get() = emptyMap()

    /** The digest of the captures of all ranks together, if it is known before they are written. */
    val expectedDigest: CellDigest? get() = null

    /** Whether the boxes of this rank have changed since the last [acceptTiling]. */
    val hasMoved: Boolean get() = false

    /** Notes that the boxes of all ranks make up the item. */
    fun acceptTiling() = Unit
}

/** A capture of which some ranks can write the parts of all. */
internal interface SharedCapture : Capture {
    /**
     * Collective: what this rank writes of the item where [concentrators] write for all ranks, unless the item names others.
     *
     * @param digest digests a capture
     */
    suspend fun concentrated(
        ranks: Communicator,
        concentrators: Concentrators?,
        digest: suspend (Capture) -> CellDigest,
    ): Capture
}

/** The bytes of one key. */
internal sealed interface Part {
    val key: Int
}

/** Bytes of known number: one record. */
internal interface SizedPart : Part {
    val size: Long
    val boxes: List<Box> get() = emptyList()

    /**
     * Fills [target] with the bytes from [start] on. Both are multiples of the element size.
     *
     * @param digester digests the elements of [target], in any order
     */
    fun read(start: Long, target: ByteBuffer, digester: CellDigester)
}

/**
 * Bytes of unknown number, in records of a frame each.
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

    override fun read(start: Long, target: ByteBuffer, digester: CellDigester) {
        target.put(bytes.slice(start.toInt(), target.remaining()))
    }

    override fun copy(memory: SnapshotMemory): Capture? {
        val room = memory.take(bytes.remaining().toLong()) ?: return null
        if (room.size > 1) return null
        val copy = room.firstOrNull()?.put(bytes.duplicate())?.flip() ?: NOTHING
        return BytesCapture(key, copy, firstIndex, isStored)
    }

    override fun digestApart(formula: DigestFormula, written: List<TableOfContents.Entry>): CellDigest =
        formula.bytes(firstIndex).apply { add(bytes.duplicate()) }.finish()
}

/** A rank's part of an item that another rank stores. */
internal class NoCapture : Capture {
    override val parts: List<Part> get() = emptyList()
    override val elementCount get() = 0L

    override fun copy(memory: SnapshotMemory) = this
}
