package dev.cairn.state

import dev.cairn.schema.ValueSchema
import dev.cairn.schema.valueSchema
import kotlinx.serialization.KSerializer
import kotlinx.serialization.modules.SerializersModule
import kotlinx.serialization.modules.overwriteWith
import kotlinx.serialization.serializer
import java.nio.ByteBuffer

/**
 * The codec of a `@Serializable` type, or of one of [StateSerializers]: CBOR with the names of properties, so that they may be
 * added and reordered, and with primitive arrays in bulk.
 */
public inline fun <reified T> codecOf(): Codec<T> = codecOf(StateSerializers.module.serializer<T>())

/**
 * The codec of what [serializer] serializes.
 *
 * @param module the serializers of open classes and of `@Contextual` types that [StateSerializers] does not have
 */
@JvmOverloads
public fun <T> codecOf(
    serializer: KSerializer<T>,
    module: SerializersModule = StateSerializers.module,
): Codec<T> = SerialCodec(serializer, StateSerializers.module overwriteWith module)

/** What it writes can be compared with the program by its [schema], and read with names that were others. */
internal class SerialCodec<T>(
    private val serializer: KSerializer<T>,
    private val module: SerializersModule,
) : Codec<T> {
    val schema: ValueSchema by lazy { valueSchema(serializer.descriptor, module) }

    override val format: String get() = FORMAT

    override fun encode(value: T): ByteArray {
        val output = CborOutput()
        ValueEncoder(output, module).encodeSerializableValue(serializer, value)
        return output.toByteArray()
    }

    override fun decode(bytes: ByteBuffer): T = decode(bytes, Renames.NONE)

    fun decode(
        bytes: ByteBuffer,
        renames: Renames,
    ): T {
        val input = CborInput(bytes)
        return ValueDecoder(input, module, renames).decodeSerializableValue(serializer).also { input.requireEnd() }
    }

    companion object {
        const val FORMAT = "cbor"
    }
}
