package dev.cairn.reading

import dev.cairn.checkpoint.ItemRecords
import dev.cairn.state.Codec
import dev.cairn.state.codecOf
import java.io.IOException
import java.nio.ByteBuffer
import java.util.function.Consumer

/** A value that is the same on all ranks. */
public class StoredValue internal constructor(
    internal override val records: ItemRecords,
) : StoredBytes() {
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
    public fun <T> decode(
        codec: Codec<T>,
        changes: Consumer<ValueChanges> = ValueChanges.NONE,
    ): T = decoder(codec, changes)(stored())

    /** The value as a `@Serializable` type: `decode<Config> { removed("config.b") }`; as the other one. */
    @Throws(IOException::class)
    public inline fun <reified T> decode(noinline changes: ValueChanges.() -> Unit = {}): T =
        decode(codecOf<T>()) { it.changes() }

    private fun stored() = readAll(0..0).single()
}

/** A value of each rank's own: `perRank`, or the part of an `accumulator`. */
public class StoredRankValues internal constructor(
    internal override val records: ItemRecords,
) : StoredBytes() {
    /** The format of their bytes: `cbor`, or that of the program's [Codec]. */
    @get:JvmName("format")
    public val format: String get() = described.elementType

    /** The bytes of one rank's value, as encoded by the program's codec. */
    @Throws(IOException::class)
    public fun bytes(rank: Int): ByteArray = stored(rank).toArray()

    /** The value of one rank, if the codec has their [format] and fits; see [StoredValue.decode]. */
    @JvmOverloads
    @Throws(IOException::class)
    public fun <T> decode(
        rank: Int,
        codec: Codec<T>,
        changes: Consumer<ValueChanges> = ValueChanges.NONE,
    ): T = decoder(codec, changes)(stored(rank))

    /** The values of all ranks, in their order; see [StoredValue.decode]. */
    @JvmOverloads
    @Throws(IOException::class)
    public fun <T> decodeAll(
        codec: Codec<T>,
        changes: Consumer<ValueChanges> = ValueChanges.NONE,
    ): List<T> {
        val decoder = decoder(codec, changes)
        return readAll(0 until rankCount).map(decoder)
    }

    /** The value of one rank as a `@Serializable` type; as the other one. */
    @Throws(IOException::class)
    public inline fun <reified T> decode(
        rank: Int,
        noinline changes: ValueChanges.() -> Unit = {},
    ): T = decode(rank, codecOf<T>()) { it.changes() }

    /** The values of all ranks as a `@Serializable` type; as the other one. */
    @Throws(IOException::class)
    public inline fun <reified T> decodeAll(noinline changes: ValueChanges.() -> Unit = {}): List<T> =
        decodeAll(codecOf<T>()) { it.changes() }

    private fun stored(rank: Int): ByteBuffer {
        requireRank(rank)
        return state.readWhole(rank, key)
    }
}
