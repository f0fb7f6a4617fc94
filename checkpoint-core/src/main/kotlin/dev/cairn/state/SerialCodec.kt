@file:JvmSynthetic

package dev.cairn.state

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.messageLine
import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.modules.SerializersModule
import kotlinx.serialization.modules.overwriteWith
import kotlinx.serialization.serializer
import java.nio.ByteBuffer

/**
 * The codec of a `@Serializable` type, or of one of [Codecs.SERIALIZERS]: CBOR with the names of properties, so that they may be
 * added and reordered, and with primitive arrays in bulk.
 */
public inline fun <reified T> codecOf(): Codec<T> = codecOf(known { Codecs.SERIALIZERS.serializer<T>() })

/** The serializer that [find] finds; an exception with a sentence if there is none. */
@PublishedApi
internal inline fun <T> known(find: () -> KSerializer<T>): KSerializer<T> =
    try {
        find()
    } catch (unknown: SerializationException) {
        throw noSerializer(unknown)
    }

@PublishedApi
internal fun noSerializer(unknown: SerializationException): CheckpointException =
    InvalidDeclaration(
        Details(
            "${unknown.messageLine()}: annotate the class with @Serializable, and apply the compiler plugin " +
                "kotlinx-serialization in the build of the program, without which the annotation has no effect. Or " +
                "pass a codec of your own.",
        ),
    )

/**
 * The codec of [serializer].
 *
 * @param module the serializers of open classes and of `@Contextual` types that [Codecs.SERIALIZERS] does not have
 */
public fun <T> codecOf(serializer: KSerializer<T>, module: SerializersModule = Codecs.SERIALIZERS): Codec<T> =
    SerialCodec(serializer, Codecs.SERIALIZERS overwriteWith module)

/** Its bytes can be compared with the program by the [schema], and read under former names. */
internal class SerialCodec<T>(private val serializer: KSerializer<T>, private val module: SerializersModule) :
    Codec<T> {
    val schema: ValueSchema by lazy { valueSchema(serializer.descriptor, module) }

    override val format: String get() = FORMAT

    override fun encode(value: T): ByteArray {
        val output = CborOutput()
        ValueEncoder(output, module).encodeSerializableValue(serializer, value)
        return output.toByteArray()
    }

    override fun decode(bytes: ByteBuffer): T = decode(bytes, Renames.NONE)

    fun decode(bytes: ByteBuffer, renames: Renames): T {
        val input = CborInput(bytes)
        return ValueDecoder(input, module, renames).decodeSerializableValue(serializer).also { input.requireEnd() }
    }

    companion object {
        const val FORMAT = "cbor"
    }
}
