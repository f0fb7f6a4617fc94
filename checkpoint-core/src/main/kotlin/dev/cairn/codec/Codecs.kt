package dev.cairn.codec

import dev.cairn.base.textOfUtf8
import dev.cairn.base.utf8Of
import kotlinx.serialization.KSerializer
import kotlinx.serialization.builtins.ListSerializer
import kotlinx.serialization.serializer
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/** Codecs of plain values, for Java. Kotlin has [codecOf] for every serializable type, as has Java [serializable]. */
public object Codecs {
    /** Eight bytes, little-endian. */
    @JvmField
    public val LONG: Codec<Long> =
        fixed("long", Long.SIZE_BYTES, { bytes, value -> bytes.putLong(value) }, ByteBuffer::getLong)

    /** The eight bytes of its bits, little-endian; those of a NaN stay as they are. */
    @JvmField
    public val DOUBLE: Codec<Double> =
        fixed("double", Double.SIZE_BYTES, { bytes, value -> bytes.putDouble(value) }, ByteBuffer::getDouble)

    /** Four bytes, little-endian. */
    @JvmField
    public val INT: Codec<Int> =
        fixed("int", Int.SIZE_BYTES, { bytes, value -> bytes.putInt(value) }, ByteBuffer::getInt)

    /** UTF-8. A text with an unpaired surrogate is refused, since UTF-8 cannot encode it. */
    @JvmField
    public val TEXT: Codec<String> =
        object : Codec<String> {
            override val format get() = "text"

            override fun encode(value: String) = utf8Of(value)

            override fun decode(bytes: ByteBuffer) = textOfUtf8(bytes)
        }

    /** The bytes themselves. */
    @JvmField
    public val BYTES: Codec<ByteArray> =
        object : Codec<ByteArray> {
            override val format get() = "bytes"

            override fun encode(value: ByteArray) = value

            override fun decode(bytes: ByteBuffer) = ByteArray(bytes.remaining()).also { bytes.duplicate().get(it) }
        }

    /**
     * CBOR of a `@Serializable` class, or of one that Kotlin can serialize by itself, such as `Long.class` or `double[].class`:
     * the codec that Kotlin's `codecOf` has for the same type, so that programs in both languages read each other's values.
     */
    @JvmStatic
    public fun <T : Any> serializable(type: Class<T>): Codec<T> {
        @Suppress("UNCHECKED_CAST")
        return codecOf(serializer(type) as KSerializer<T>)
    }

    /** As the other one, for lists of a class. */
    @JvmStatic
    public fun <T : Any> serializableList(type: Class<T>): Codec<List<T>> {
        @Suppress("UNCHECKED_CAST")
        return codecOf(ListSerializer(serializer(type) as KSerializer<T>))
    }

    private fun <T> fixed(
        name: String,
        size: Int,
        put: (ByteBuffer, T) -> Unit,
        get: (ByteBuffer) -> T,
    ) = object : Codec<T> {
        override val format get() = name

        override fun encode(value: T): ByteArray =
            ByteBuffer
                .allocate(size)
                .order(LITTLE_ENDIAN)
                .also { put(it, value) }
                .array()

        override fun decode(bytes: ByteBuffer): T {
            require(bytes.remaining() == size) { "a $name has $size bytes, not ${bytes.remaining()}" }
            return get(bytes.duplicate().order(LITTLE_ENDIAN))
        }
    }
}
