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
    /** Those that are under way, the outermost first. */
    private val structures = ArrayList<WrittenPart>()

    /** The part of the value that is being written, such as `.names[2]`; empty if that is the value itself. */
    val place: String get() = structures.joinToString("") { it.place }

    /** A later version of the program may have another default. */
    override fun shouldEncodeElementDefault(descriptor: SerialDescriptor, index: Int) = true

    override fun <T> encodeSerializableValue(serializer: SerializationStrategy<T>, value: T) {
        val bulk = BulkArray.of(serializer)
        if (bulk == null) serializer.serialize(this, value) else bulk.write(value, output)
    }

    override fun beginStructure(descriptor: SerialDescriptor): CompositeEncoder {
        structures += WrittenPart(descriptor)
        requireDepth(structures.size)
        output.begin(majorOf(descriptor))
        return this
    }

    override fun encodeElement(descriptor: SerialDescriptor, index: Int): Boolean {
        structures.last().index = index
        if (descriptor.hasNames) output.text(descriptor.getElementName(index))
        return true
    }

    override fun <T> encodeSerializableElement(
        descriptor: SerialDescriptor,
        index: Int,
        serializer: SerializationStrategy<T>,
        value: T,
    ) {
        if (descriptor.kind == StructureKind.MAP && index % 2 == 0) structures.last().key = value
        super.encodeSerializableElement(descriptor, index, serializer, value)
    }

    override fun endStructure(descriptor: SerialDescriptor) {
        structures.removeLast()
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

/** An object, a list or a map, of which one element after the other is written. */
private class WrittenPart(private val descriptor: SerialDescriptor) {
    var index = NONE

    /** That of the entry of a map. */
    var key: Any? = null

    val place: String
        get() =
            when {
                index == NONE -> ""
                descriptor.hasNames -> ".${descriptor.getElementName(index)}"
                descriptor.kind == StructureKind.LIST -> "[$index]"
                descriptor.kind == StructureKind.MAP -> "[$key]"
                else -> ""
            }

    private companion object {
        const val NONE = -1
    }
}

/** Whether elements are properties, and stored under their names. */
internal val SerialDescriptor.hasNames: Boolean
    get() = kind == StructureKind.CLASS || kind == StructureKind.OBJECT

internal fun majorOf(descriptor: SerialDescriptor): Int =
    if (descriptor.hasNames || descriptor.kind == StructureKind.MAP) MAP else ARRAY
