package dev.cairn.comm

import dev.cairn.base.utf8Of
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerializationException
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.encoding.AbstractEncoder
import kotlinx.serialization.encoding.CompositeEncoder
import kotlinx.serialization.modules.EmptySerializersModule
import java.io.ByteArrayOutputStream
import java.io.DataOutputStream

/**
 * Writes values as their serializers describe them, part after part, for a receiver with the same type. Numbers are
 * big-endian:
 *
 * ```
 * structure   for each element: u16 its index + 1, but 1 in a collection, and the element; then u16 0
 * number      its bytes; of a Float or a Double, its raw bits
 * text        u32 size, and the text in UTF-8
 * constant    u32 its place among the constants
 * nullable    u8 0 for null; otherwise u8 1, and the value
 * ```
 *
 * It refuses the same values as checkpoints: texts with unpaired surrogates, and values that are nested too deep for
 * the stack.
 */
@OptIn(ExperimentalSerializationApi::class)
internal class PartsEncoder : AbstractEncoder() {
    private val bytes = ByteArrayOutputStream()
    private val output = DataOutputStream(bytes)
    private var depth = 0

    override val serializersModule = EmptySerializersModule()

    fun toByteArray(): ByteArray = bytes.toByteArray()

    override fun beginStructure(descriptor: SerialDescriptor): CompositeEncoder {
        if (++depth > MOST_LEVELS) {
            throw SerializationException(
                "it is nested in more than $MOST_LEVELS levels: keep linked objects in a list, and refer to them " +
                    "by numbers",
            )
        }
        return this
    }

    override fun encodeElement(
        descriptor: SerialDescriptor,
        index: Int,
    ): Boolean {
        output.writeShort(if (descriptor.isCollection) 1 else index + 1)
        return true
    }

    override fun endStructure(descriptor: SerialDescriptor) {
        output.writeShort(NO_ELEMENT)
        depth--
    }

    override fun encodeNull() = output.writeByte(0)

    override fun encodeNotNullMark() = output.writeByte(1)

    override fun encodeBoolean(value: Boolean) = output.writeBoolean(value)

    override fun encodeByte(value: Byte) = output.writeByte(value.toInt())

    override fun encodeShort(value: Short) = output.writeShort(value.toInt())

    override fun encodeChar(value: Char) = output.writeChar(value.code)

    override fun encodeInt(value: Int) = output.writeInt(value)

    override fun encodeLong(value: Long) = output.writeLong(value)

    override fun encodeFloat(value: Float) = output.writeInt(value.toRawBits())

    override fun encodeDouble(value: Double) = output.writeLong(value.toRawBits())

    override fun encodeString(value: String) {
        val text = utf8Of(value)
        output.writeInt(text.size)
        output.write(text)
    }

    override fun encodeEnum(
        enumDescriptor: SerialDescriptor,
        index: Int,
    ) = output.writeInt(index)
}
