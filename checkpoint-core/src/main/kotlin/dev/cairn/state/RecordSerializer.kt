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
import java.lang.reflect.AccessibleObject
import java.lang.reflect.InvocationTargetException
import java.lang.reflect.RecordComponent
import java.util.Optional

/**
 * A Java record, stored as a class whose properties are its components. One that may be missing, an [Optional] or `@Nullable`, is so
 * in older checkpoints without it.
 *
 * @param serializerOf the serializer of a component; called when the first value is read or written, since a component may hold records
 *     of the same class
 */
internal class RecordSerializer(private val type: Class<*>, serializerOf: (RecordComponent) -> KSerializer<Any?>) :
    KSerializer<Any> {
    private val components: Array<RecordComponent> = type.recordComponents
    private val accessors = components.map { opened(it.accessor) }
    private val constructor =
        opened(type.getDeclaredConstructor(*Array<Class<*>>(components.size) { components[it].type }))
    private val serializers by lazy { components.map(serializerOf) }

    override val descriptor: SerialDescriptor =
        RecordDescriptor(type.name, components.map { it.name }) { serializers[it].descriptor }

    override fun serialize(encoder: Encoder, value: Any) =
        encoder.encodeStructure(descriptor) {
            for ((index, accessor) in accessors.withIndex()) {
                val part = unwrapped { accessor.invoke(value) }
                requireValue(index, part)
                encodeSerializableElement(descriptor, index, serializers[index], part)
            }
        }

    override fun deserialize(decoder: Decoder): Any =
        decoder.decodeStructure(descriptor) {
            val parts = arrayOfNulls<Any>(components.size)
            val indices = generateSequence { decodeElementIndex(descriptor).takeIf { it != DECODE_DONE } }
            val found =
                indices.onEach { parts[it] = decodeSerializableElement(descriptor, it, serializers[it]) }.toSet()
            (components.indices - found).forEach { parts[it] = missing(it) }
            unwrapped { constructor.newInstance(*parts) }
        }

    private fun requireValue(index: Int, part: Any?) {
        if (part == null && !descriptor.getElementDescriptor(index).isNullable) {
            throw SerializationException(
                "the component '${components[index].name}' of a ${type.name} is null: let it be an Optional, or " +
                    "annotate it with @Nullable",
            )
        }
    }

    private fun missing(index: Int): Any? {
        if (!descriptor.isElementOptional(index)) {
            throw SerializationException("the component '${components[index].name}' of a ${type.name} is missing")
        }
        return if (components[index].type == Optional::class.java) Optional.empty<Any>() else null
    }

    private fun <M : AccessibleObject> opened(member: M): M {
        if (!member.trySetAccessible()) {
            throw noCodec(
                "the module of the record ${type.name} does not open its package to dev.cairn.core: open it",
            )
        }
        return member
    }
}

/** What the program's own code for a record throws, as it was thrown. */
private inline fun <T> unwrapped(call: () -> T): T =
    try {
        call()
    } catch (failure: InvocationTargetException) {
        throw failure.targetException
    }

/** Asks for the descriptors of the components when they are needed: the library's own builder does it at once. */
@OptIn(ExperimentalSerializationApi::class, SealedSerializationApi::class)
private class RecordDescriptor(
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
