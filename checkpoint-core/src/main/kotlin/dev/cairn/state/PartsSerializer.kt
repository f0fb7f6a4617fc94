package dev.cairn.state

import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.KSerializer
import kotlinx.serialization.SealedSerializationApi
import kotlinx.serialization.SerializationException
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.descriptors.SerialKind
import kotlinx.serialization.descriptors.StructureKind
import kotlinx.serialization.encoding.CompositeDecoder.Companion.DECODE_DONE
import kotlinx.serialization.encoding.CompositeDecoder.Companion.UNKNOWN_NAME
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder
import kotlinx.serialization.encoding.decodeStructure
import kotlinx.serialization.encoding.encodeStructure

/**
 * The parts of an object of the class [type], which are stored as its properties, by the [names]. Those that may be null may be missing
 * in older checkpoints.
 *
 * @param serializerOf the serializer of a part; called when the first value is read or written, since a part may hold objects of the
 *     same class
 */
internal class PartsSerializer(
    private val type: String,
    private val names: List<String>,
    serializerOf: (index: Int) -> KSerializer<Any?>,
) : KSerializer<List<Any?>> {
    private val serializers by lazy { names.indices.map(serializerOf) }

    override val descriptor: SerialDescriptor = PartsDescriptor(type, names) { serializers[it].descriptor }

    override fun serialize(encoder: Encoder, value: List<Any?>) {
        value.forEachIndexed(::requireValue)
        encoder.encodeStructure(descriptor) {
            for ((index, part) in value.withIndex()) {
                encodeSerializableElement(descriptor, index, serializers[index], part)
            }
        }
    }

    override fun deserialize(decoder: Decoder): List<Any?> =
        decoder.decodeStructure(descriptor) {
            val parts = arrayOfNulls<Any>(names.size)
            val indices = generateSequence { decodeElementIndex(descriptor).takeIf { it != DECODE_DONE } }
            val found =
                indices.onEach { parts[it] = decodeSerializableElement(descriptor, it, serializers[it]) }.toSet()
            (names.indices - found).forEach(::requireOptional)
            parts.asList()
        }

    private fun requireValue(index: Int, part: Any?) {
        if (part == null && !descriptor.getElementDescriptor(index).isNullable) {
            throw SerializationException(
                "the component '${names[index]}' of a $type is null: let it be an Optional, or annotate it with " +
                    "@Nullable",
            )
        }
    }

    private fun requireOptional(index: Int) {
        if (!descriptor.isElementOptional(index)) {
            throw SerializationException("the component '${names[index]}' of a $type is missing")
        }
    }
}

/** Asks for the descriptors of the parts when they are needed: the library's own builder does it at once. */
@OptIn(ExperimentalSerializationApi::class, SealedSerializationApi::class)
private class PartsDescriptor(
    override val serialName: String,
    private val names: List<String>,
    private val descriptorOf: (index: Int) -> SerialDescriptor,
) : SerialDescriptor {
    override val kind: SerialKind get() = StructureKind.CLASS
    override val elementsCount get() = names.size

    override fun getElementName(index: Int): String = names[index]

    override fun getElementIndex(name: String): Int = names.indexOf(name).let { if (it < 0) UNKNOWN_NAME else it }

    override fun getElementAnnotations(index: Int): List<Annotation> = emptyList()

    override fun getElementDescriptor(index: Int): SerialDescriptor = descriptorOf(index)

    override fun isElementOptional(index: Int): Boolean = descriptorOf(index).isNullable
}
