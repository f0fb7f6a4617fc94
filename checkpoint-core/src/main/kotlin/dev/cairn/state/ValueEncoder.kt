package dev.cairn.state

import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerializationStrategy
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.descriptors.StructureKind
import kotlinx.serialization.encoding.AbstractEncoder
import kotlinx.serialization.encoding.CompositeEncoder
import kotlinx.serialization.modules.SerializersModule

/**
 * Writes values as their serializers describe them: an object as a map from the names of its properties, a list as an
 * array, an enum constant as its name, one of several classes as an array of its name and the object, and primitive
 * arrays [in bulk][BulkArray].
 */
@OptIn(ExperimentalSerializationApi::class)
internal class ValueEncoder(private val output: CborOutput, override val serializersModule: SerializersModule) :
    AbstractEncoder() {
    private var depth = 0

    /** A later version of the program may have another default. */
    override fun shouldEncodeElementDefault(descriptor: SerialDescriptor, index: Int) = true

    override fun <T> encodeSerializableValue(serializer: SerializationStrategy<T>, value: T) {
        val bulk = BulkArray.of(serializer)
        if (bulk == null) serializer.serialize(this, value) else bulk.write(value, output)
    }

    override fun beginStructure(descriptor: SerialDescriptor): CompositeEncoder {
        requireDepth(++depth)
        output.begin(majorOf(descriptor))
        return this
    }

    override fun encodeElement(descriptor: SerialDescriptor, index: Int): Boolean {
        if (descriptor.hasNames) output.text(descriptor.getElementName(index))
        return true
    }

    override fun endStructure(descriptor: SerialDescriptor) {
        depth--
        output.end()
    }

    override fun encodeNull() = output.nothing()

    override fun encodeBoolean(value: Boolean) = output.boolean(value)

    override fun encodeByte(value: Byte) = output.number(value.toLong())

    override fun encodeShort(value: Short) = output.number(value.toLong())

    override fun encodeChar(value: Char) = output.number(value.code.toLong())

    override fun encodeInt(value: Int) = output.number(value.toLong())

    override fun encodeLong(value: Long) = output.number(value)

    override fun encodeFloat(value: Float) = output.float(value)

    override fun encodeDouble(value: Double) = output.double(value)

    override fun encodeString(value: String) = output.text(value)

    override fun encodeEnum(enumDescriptor: SerialDescriptor, index: Int) =
        output.text(enumDescriptor.getElementName(index))
}

/** Whether elements are properties, and stored under their names. */
internal val SerialDescriptor.hasNames: Boolean
    get() = kind == StructureKind.CLASS || kind == StructureKind.OBJECT

internal fun majorOf(descriptor: SerialDescriptor): Int =
    if (descriptor.hasNames || descriptor.kind == StructureKind.MAP) MAP else ARRAY
