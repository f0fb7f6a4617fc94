package dev.cairn.reading

import dev.cairn.checkpoint.ItemRecords
import dev.cairn.checkpoint.StreamInput
import dev.cairn.checkpoint.digestFormula
import dev.cairn.item.ItemKind
import dev.cairn.item.StoredGraph
import dev.cairn.item.knownKind
import dev.cairn.item.sum
import dev.cairn.redistribution.CellDigest
import dev.cairn.redistribution.DigestFormula
import dev.cairn.state.Codec
import dev.cairn.state.codecOf
import java.io.IOException
import java.io.InputStream
import java.io.SequenceInputStream
import java.nio.ByteBuffer
import java.util.Enumeration
import java.util.function.Consumer

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

    /** A value that is the same on all ranks. */
    public class Value internal constructor(internal override val records: ItemRecords) : StoredBytes() {
        /** The format of its bytes: `cbor`, or that of the program's [Codec]. */
        @get:JvmName("format")
        public val format: String get() = described.elementType

        /** The bytes, as encoded by the program's codec. */
        @Throws(IOException::class)
        public fun bytes(): ByteArray = stored().toArray()

        /**
         * The value, if the codec has its [format]. A `@Serializable` class whose properties differ from the saved ones is refused
         * unless [changes] declare the differences: see [ValueChanges].
         *
         * @throws dev.cairn.event.CheckpointException.Mismatch if the class does not fit the saved schema
         */
        @JvmOverloads
        @Throws(IOException::class)
        public fun <T> decode(codec: Codec<T>, changes: Consumer<ValueChanges> = ValueChanges.NONE): T =
            decoder(codec, changes)(stored())

        /** The value as a `@Serializable` type: `decode<Config> { removed("config.b") }`; as the other one. */
        @Throws(IOException::class)
        public inline fun <reified T> decode(noinline changes: ValueChanges.() -> Unit = {}): T =
            decode(codecOf<T>()) { it.changes() }

        private fun stored() = readAll(0..0).single()
    }

    /** A value of each rank's own: `perRank`, or the part of an `accumulator`. */
    public class RankValues internal constructor(internal override val records: ItemRecords) : StoredBytes() {
        /** The format of their bytes: `cbor`, or that of the program's [Codec]. */
        @get:JvmName("format")
        public val format: String get() = described.elementType

        /** The bytes of one rank's value, as encoded by the program's codec. */
        @Throws(IOException::class)
        public fun bytes(rank: Int): ByteArray = stored(rank).toArray()

        /** The value of one rank, if the codec has their [format] and fits; see [StoredBytes.Value.decode]. */
        @JvmOverloads
        @Throws(IOException::class)
        public fun <T> decode(rank: Int, codec: Codec<T>, changes: Consumer<ValueChanges> = ValueChanges.NONE): T =
            decoder(codec, changes)(stored(rank))

        /** The values of all ranks, in their order; see [StoredBytes.Value.decode]. */
        @JvmOverloads
        @Throws(IOException::class)
        public fun <T> decodeAll(codec: Codec<T>, changes: Consumer<ValueChanges> = ValueChanges.NONE): List<T> {
            val decoder = decoder(codec, changes)
            return readAll(0 until rankCount).map(decoder)
        }

        /** The value of one rank as a `@Serializable` type; as the other one. */
        @Throws(IOException::class)
        public inline fun <reified T> decode(rank: Int, noinline changes: ValueChanges.() -> Unit = {}): T =
            decode(rank, codecOf<T>()) { it.changes() }

        /** The values of all ranks as a `@Serializable` type; as the other one. */
        @Throws(IOException::class)
        public inline fun <reified T> decodeAll(noinline changes: ValueChanges.() -> Unit = {}): List<T> =
            decodeAll(codecOf<T>()) { it.changes() }

        private fun stored(rank: Int): ByteBuffer {
            requireRank(rank)
            return state.readWhole(rank, key)
        }
    }

    /** The streams of all ranks, whose lengths the program did not declare. While one is read, a frame of it is in memory. */
    public class Streams internal constructor(internal override val records: ItemRecords) : StoredBytes() {
        /** The stream of one rank. Each read may fail, since a frame is verified when it is read. */
        @Throws(IOException::class)
        public fun open(rank: Int): InputStream {
            requireRank(rank)
            return streamOf(rank)
        }

        /** The objects of one rank; null if its kind has none. */
        internal fun objectsOf(rank: Int): StoredGraph? = described.knownKind()?.objectsIn(streamOf(rank))

        /** The number of bytes that one rank has stored. */
        public fun byteCount(rank: Int): Long {
            requireRank(rank)
            return size(rank)
        }
    }
}

internal fun ByteBuffer.toArray(): ByteArray = ByteArray(remaining()).also { duplicate().get(it) }
