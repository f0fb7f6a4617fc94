package dev.cairn.state

import dev.cairn.event.textOfUtf8
import dev.cairn.event.utf8Of
import kotlinx.serialization.KSerializer
import kotlinx.serialization.builtins.ListSerializer
import kotlinx.serialization.modules.SerializersModule
import kotlinx.serialization.serializer
import java.io.BufferedReader
import java.io.BufferedWriter
import java.io.DataInput
import java.io.DataInputStream
import java.io.DataOutput
import java.io.DataOutputStream
import java.io.InputStream
import java.io.ObjectInput
import java.io.ObjectInputFilter
import java.io.ObjectOutput
import java.io.ObjectOutputStream
import java.io.OutputStream
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/**
 * Codecs: of plain values and of serializable classes for Java, where Kotlin has [codecOf]; and of values of any size, for both. A function
 * that a codec is made of may throw any exception.
 */
public object Codecs {
    /**
     * Serializers of types that simulations hold and that are not `@Serializable`: those of `java.time`, deques, `BitSet`,
     * `UUID`, and numbers of any size. [codecOf] finds them by itself; a property of a `@Serializable` class needs
     * `@Contextual`.
     */
    @JvmField
    public val SERIALIZERS: SerializersModule = stateSerializers

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

    /** Numbers and texts, as a [DataOutput] writes them. */
    @JvmStatic
    public fun <T> dataStream(
        write: ThrowingBiConsumer<DataOutput, T>,
        read: ThrowingFunction<DataInput, T>,
    ): StreamCodec<T> =
        stream({ target, value -> write.accept(DataOutputStream(target), value) }, { read.apply(DataInputStream(it)) })

    /**
     * Objects of `Serializable` classes, as an [ObjectOutput] writes them, for restarts of the same program.
     *
     * @param filter allows the classes that may be read, such as
     *     `ObjectInputFilter.Config.createFilter("com.example.*;java.base/java.util.*;!*")`
     */
    @JvmStatic
    public fun <T> objectStream(
        filter: ObjectInputFilter,
        write: ThrowingBiConsumer<ObjectOutput, T>,
        read: ThrowingFunction<ObjectInput, T>,
    ): StreamCodec<T> =
        stream(
            { target, value -> ObjectOutputStream(target).use { write.accept(it, value) } },
            { source -> OpenObjectInput(source, filter).run { read.apply(this).also { requireEnd() } } },
        )

    /** Text in UTF-8. A text with an unpaired surrogate is refused, since UTF-8 cannot encode it. */
    @JvmStatic
    public fun <T> textStream(
        write: ThrowingBiConsumer<BufferedWriter, T>,
        read: ThrowingFunction<BufferedReader, T>,
    ): StreamCodec<T> =
        stream(
            { target, value -> target.writer(Charsets.UTF_8.newEncoder()).use { write.accept(it, value) } },
            { source -> OpenReader(source).run { read.apply(this).also { requireEnd() } } },
        )

    /** Bytes. A wrapper around the stream, such as one that compresses, is flushed or finished by [write]. */
    @JvmStatic
    public fun <T> stream(
        write: ThrowingBiConsumer<OutputStream, T>,
        read: ThrowingFunction<InputStream, T>,
    ): StreamCodec<T> =
        object : StreamCodec<T> {
            override fun write(target: OutputStream, value: T) = write.accept(target, value)

            override fun read(source: InputStream): T = read.apply(source)
        }

    private fun <T> fixed(name: String, size: Int, put: (ByteBuffer, T) -> Unit, get: (ByteBuffer) -> T) =
        object : Codec<T> {
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
