package dev.cairn.reading

import dev.cairn.checkpoint.StreamInput
import dev.cairn.checkpoint.digestFormula
import dev.cairn.item.ItemKind
import dev.cairn.item.knownKind
import dev.cairn.item.sum
import dev.cairn.redistribution.CellDigest
import dev.cairn.redistribution.DigestFormula
import java.io.InputStream
import java.io.SequenceInputStream
import java.nio.ByteBuffer
import java.util.Enumeration

/** An item of bytes: those of rank 0, which all ranks share, or private ones of each rank. Its subtypes say how they are read. */
public sealed class StoredBytes : StoredItem() {
    private val itemKind: ItemKind get() = checkNotNull(described.knownKind())

    /** Whether each rank has bytes of its own. */
    internal val isPrivate: Boolean get() = itemKind.isPrivate

    internal override fun countElements() = countBytes()

    /** The number of the first byte of a rank in the digest. */
    internal fun firstIndex(rank: Int): Long = itemKind.firstIndex(rank)

    /** The bytes of one rank; one frame of them is in memory. */
    internal fun streamOf(rank: Int) = StreamInput(state, rank, key, firstIndex(rank))

    /** The bytes of some ranks, one after another; one frame of them is in memory. */
    internal fun open(ranks: IntRange): InputStream {
        val next = ranks.iterator()
        return SequenceInputStream(
            object : Enumeration<InputStream> {
                override fun hasMoreElements() = next.hasNext()

                override fun nextElement() = streamOf(next.nextInt())
            },
        )
    }

    internal override fun digest(formula: DigestFormula): CellDigest =
        owners
            .map { rank ->
                val bytes = formula.bytes(firstIndex(rank))
                forEachFrame(rank) { _, frame -> bytes.add(frame) }
                bytes.finish()
            }.sum()

    /** The ranks that have a value, which may be empty. */
    private val owners: IntRange get() = if (isPrivate) 0 until rankCount else 0..0

    /** The bytes of [ranks], which are all ranks that have stored any; compared with the counts and the digest. */
    internal fun readAll(ranks: IntRange): List<ByteBuffer> {
        requireCounts()
        val all = ranks.map { state.readWhole(it, key) }
        requireDigest(
            all.zip(ranks) { each, rank -> digestFormula.bytes(firstIndex(rank)).apply { add(each) }.finish() }.sum(),
        )
        return all
    }
}

internal fun ByteBuffer.toArray(): ByteArray = ByteArray(remaining()).also { duplicate().get(it) }
