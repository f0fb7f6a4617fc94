package dev.cairn.state

import dev.cairn.event.textOfUtf8
import dev.cairn.event.utf8Of
import kotlinx.serialization.KSerializer
import kotlinx.serialization.builtins.ListSerializer
import kotlinx.serialization.builtins.MapSerializer
import kotlinx.serialization.builtins.SetSerializer
import kotlinx.serialization.modules.SerializersModule
import kotlinx.serialization.modules.plus
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
import java.util.EnumMap
import java.util.Optional

/**
 * Codecs: of values for Java, where Kotlin has [codecOf]; and of values of any size, for both. A function that a codec is made of may
 * throw any exception.
 */
public object Codecs {
    /**
     * Serializers of types that simulations hold and that are not `@Serializable`: those of `java.time`, `Optional`, collections of
     * `java.util`, `BitSet`, `UUID`, and numbers of any size. [codecOf] finds them by itself; a property of a `@Serializable` class
     * needs `@Contextual`.
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
     * CBOR of values of the class [type]: the codec that Kotlin's [codecOf] has for the same type, so that programs in both languages
     * read each other's values. Records are stored by the names of their components.
     */
    @JvmStatic
    public fun <T : Any> of(type: Class<T>): Codec<T> = codecOf(serializerOf(type))

    /** As [of], for lists of a class. */
    @JvmStatic
    public fun <T : Any> listOf(type: Class<T>): Codec<List<T>> = listOf(of(type))

    /** As [of], for lists of the values of [elements], which is one of these codecs itself. */
    @JvmStatic
    public fun <T> listOf(elements: Codec<T>): Codec<List<T>> = part(elements).within(::ListSerializer)

    /** As [of], for sets of a class. A restored set has the order of the saved one. */
    @JvmStatic
    public fun <T : Any> setOf(type: Class<T>): Codec<Set<T>> = setOf(of(type))

    /** As [of], for sets of the values of [elements], which is one of these codecs itself. */
    @JvmStatic
    public fun <T> setOf(elements: Codec<T>): Codec<Set<T>> = part(elements).within(::SetSerializer)

    /** As [of], for maps. A restored map has the order of the saved one. */
    @JvmStatic
    public fun <K : Any, V : Any> mapOf(keys: Class<K>, values: Class<V>): Codec<Map<K, V>> =
        mapOf(of(keys), of(values))

    /** As [of], for maps between values of [keys] and [values], which are two of these codecs themselves. */
    @JvmStatic
    public fun <K, V> mapOf(keys: Codec<K>, values: Codec<V>): Codec<Map<K, V>> {
        val (key, value) = part(keys) to part(values)
        return codecOf(MapSerializer(key.serializer, value.serializer), additionsOf(key, value))
    }

    /** As [of], for maps from the constants of an enum. */
    @JvmStatic
    public fun <K : Enum<K>, V> enumMapOf(keys: Class<K>, values: Codec<V>): Codec<EnumMap<K, V>> =
        part(values).within { serializerOfEnumMap(keys, it) }

    /** As [of], for values that may be missing. */
    @JvmStatic
    public fun <T : Any> optionalOf(value: Codec<T>): Codec<Optional<T>> = part(value).within(::serializerOfOptional)

    private fun <T> part(codec: Codec<T>): SerialCodec<T> =
        codec as? SerialCodec
            ?: throw noCodec(
                "the codec of the format '${codec.format}' cannot be part of another one: use Codecs.of(…) for the parts",
            )

    /** The codec of a value that this one is a part of: it keeps the additions. */
    private fun <T, W> SerialCodec<T>.within(whole: (KSerializer<T>) -> KSerializer<W>): Codec<W> =
        codecOf(whole(serializer), additions)

    private fun additionsOf(key: SerialCodec<*>, value: SerialCodec<*>): SerializersModule =
        when (SERIALIZERS) {
            key.additions -> value.additions
            value.additions -> key.additions
            else -> if (key.additions === value.additions) key.additions else bothOf(key.additions, value.additions)
        }

    private fun bothOf(keys: SerializersModule, values: SerializersModule): SerializersModule =
        try {
            keys + values
        } catch (_: IllegalArgumentException) {
            throw noCodec(
                "the codecs of the keys and of the values have modules with different serializers of one class: give " +
                    "both the same module",
            )
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
