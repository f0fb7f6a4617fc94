package dev.cairn.state

import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.cbor.Cbor
import kotlinx.serialization.serializer
import java.nio.ByteBuffer

/** The codec of a `@Serializable` type: CBOR, with the names of properties, so that they may be added and reordered. */
public inline fun <reified T> codecOf(): Codec<T> = codecOf(serializer<T>())

/** The codec of what [serializer] serializes. */
public fun <T> codecOf(serializer: KSerializer<T>): Codec<T> = SerialCodec(serializer)

@OptIn(ExperimentalSerializationApi::class)
private class SerialCodec<T>(
    private val serializer: KSerializer<T>,
) : Codec<T> {
    override val format: String get() = "cbor"

    override fun encode(value: T): ByteArray = cbor.encodeToByteArray(serializer, value)

    override fun decode(bytes: ByteBuffer): T {
        val array = ByteArray(bytes.remaining()).also { bytes.duplicate().get(it) }
        return try {
            cbor.decodeFromByteArray(serializer, array)
        } catch (unfit: SerializationException) {
            throw IllegalArgumentException(
                "${serializer.descriptor.serialName} cannot be read: ${unfit.message}",
                unfit,
            )
        }
    }

    private companion object {
        val cbor =
            Cbor {
                encodeDefaults = true
                ignoreUnknownKeys = true
            }
    }
}
