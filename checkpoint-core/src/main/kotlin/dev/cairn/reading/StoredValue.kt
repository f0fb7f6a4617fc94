package dev.cairn.reading

import dev.cairn.state.Codec
import dev.cairn.state.PerRankItem
import dev.cairn.state.codecOf
import java.io.IOException
import java.nio.ByteBuffer

/** A value that was the same on all ranks. */
public class StoredValue internal constructor(
    internal override val records: ItemRecords,
) : StoredBytes() {
    /** What its bytes are: `cbor`, or what the program's [Codec] says. */
    @get:JvmName("format")
    public val format: String get() = described.elementType

    /** The bytes that the program's codec made of it. */
    @Throws(IOException::class)
    public fun bytes(): ByteArray = stored().toArray()

    /** The value, if the codec has its [format]. */
    @Throws(IOException::class)
    public fun <T> decode(codec: Codec<T>): T {
        requireFormat(codec)
        return codec.decode(stored())
    }

    /** The value as a `@Serializable` type. */
    @Throws(IOException::class)
    public inline fun <reified T> decode(): T = decode(codecOf<T>())

    private fun stored() = readAll(0..0).single()
}

/** A value of each rank's own: `perRank`, or the part of an `accumulator`. */
public class StoredRankValues internal constructor(
    internal override val records: ItemRecords,
) : StoredBytes() {
    /** What their bytes are: `cbor`, or what the program's [Codec] says. */
    @get:JvmName("format")
    public val format: String get() = described.elementType

    internal override val isPrivate get() = true

    /** The bytes that the program's codec made of the value of one rank. */
    @Throws(IOException::class)
    public fun bytes(rank: Int): ByteArray = stored(rank).toArray()

    /** The value of one rank, if the codec has their [format]. */
    @Throws(IOException::class)
    public fun <T> decode(
        rank: Int,
        codec: Codec<T>,
    ): T {
        requireFormat(codec)
        return codec.decode(stored(rank))
    }

    /** The values of all ranks, in their order. */
    @Throws(IOException::class)
    public fun <T> decodeAll(codec: Codec<T>): List<T> {
        requireFormat(codec)
        return readAll(0 until rankCount).map(codec::decode)
    }

    /** The value of one rank as a `@Serializable` type. */
    @Throws(IOException::class)
    public inline fun <reified T> decode(rank: Int): T = decode(rank, codecOf<T>())

    /** The values of all ranks as a `@Serializable` type. */
    @Throws(IOException::class)
    public inline fun <reified T> decodeAll(): List<T> = decodeAll(codecOf<T>())

    internal override fun firstIndex(rank: Int) = PerRankItem.firstIndex(rank)

    private fun stored(rank: Int): ByteBuffer {
        requireRank(rank)
        return state.readWhole(rank, key)
    }
}

private fun StoredBytes.requireFormat(codec: Codec<*>) =
    require(codec.format == described.elementType) {
        "'$name' is stored as ${described.elementType}, not as ${codec.format}: decode it with a codec of that format"
    }
