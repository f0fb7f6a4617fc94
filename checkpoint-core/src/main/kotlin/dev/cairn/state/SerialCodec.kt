@file:JvmSynthetic

package dev.cairn.state

import kotlinx.serialization.KSerializer
import kotlinx.serialization.modules.SerializersModule
import kotlinx.serialization.modules.overwriteWith
import java.nio.ByteBuffer
import kotlin.reflect.typeOf

/**
 * The codec of any type that is made up of primitives, texts, constants of enums, arrays, collections and maps, records,
 * `@Serializable` classes, and the types of [Codecs.SERIALIZERS]: CBOR with the names of properties, so that they may be added and
 * reordered, and with primitive arrays in bulk.
 */
public inline fun <reified T> codecOf(): Codec<T> = codecOf(serializerOf<T>(typeOf<T>()))

/**
 * The codec of [serializer].
 *
 * @param module the serializers of open classes and of `@Contextual` types that [Codecs.SERIALIZERS] does not have
 */
public fun <T> codecOf(serializer: KSerializer<T>, module: SerializersModule = Codecs.SERIALIZERS): Codec<T> =
    SerialCodec(serializer, module)

/** The same bytes, of which [format] says more. */
internal fun <T> Codec<T>.named(format: String): Codec<T> =
    if (this is SerialCodec) {
        named(format)
    } else {
        object : Codec<T> by this {
            override val format get() = format
        }
    }

/**
 * Its bytes can be compared with the program by the [schema], and read under former names.
 *
 * @property additions the serializers that come before those of [Codecs.SERIALIZERS]
 */
internal class SerialCodec<T>(
    val serializer: KSerializer<T>,
    val additions: SerializersModule = Codecs.SERIALIZERS,
    override val format: String = FORMAT,
) : Codec<T> {
    private val module = Codecs.SERIALIZERS overwriteWith additions

    val schema: ValueSchema by lazy { valueSchema(serializer.descriptor, module) }

    override fun encode(value: T): ByteArray = encode(value) {}

    /** If it throws, [failedAt] gets the part of [value] that cannot be written before, such as `.names[2]`. */
    inline fun encode(value: T, failedAt: (place: String) -> Unit): ByteArray {
        val output = CborOutput()
        val encoder = ValueEncoder(output, module)
        try {
            encoder.encodeSerializableValue(serializer, value)
        } catch (failure: RuntimeException) {
            failedAt(encoder.place)
            throw failure
        }
        return output.toByteArray()
    }

    override fun decode(bytes: ByteBuffer): T = decode(bytes, Renames.NONE)

    fun decode(bytes: ByteBuffer, renames: Renames): T {
        val input = CborInput(bytes)
        return ValueDecoder(input, module, renames).decodeSerializableValue(serializer).also { input.requireEnd() }
    }

    fun named(format: String): SerialCodec<T> = SerialCodec(serializer, additions, format)

    companion object {
        const val FORMAT = "cbor"
    }
}
