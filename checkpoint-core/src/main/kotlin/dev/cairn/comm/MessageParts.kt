package dev.cairn.comm

import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.descriptors.StructureKind
import kotlinx.serialization.descriptors.nonNullOriginal
import java.nio.ByteBuffer
import java.security.MessageDigest

/** The name of a type in a message, with the element types of a collection. */
@OptIn(ExperimentalSerializationApi::class)
internal fun messageName(descriptor: SerialDescriptor): String {
    val elements =
        when (descriptor.kind) {
            StructureKind.LIST -> listOf(0)
            StructureKind.MAP -> listOf(0, 1)
            else -> emptyList()
        }.joinToString { messageName(descriptor.getElementDescriptor(it)) }
    val name = descriptor.serialName.removeSuffix("?") + if (elements.isEmpty()) "" else "<$elements>"
    return if (descriptor.isNullable) "$name?" else name
}

/**
 * A number that two types have in common only if they have the same name and the same parts, with the same names, in
 * the same order: properties, elements, constants and subclasses, down to the primitives. Type arguments count through
 * the types of the parts.
 */
internal fun messageFingerprint(descriptor: SerialDescriptor): Long {
    val text = PartsText().apply { add(descriptor) }.toString()
    return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(text.encodeToByteArray())).getLong()
}

/** All parts of a type as a text. A type is written out where it occurs first, so it may have parts of its own kind. */
@OptIn(ExperimentalSerializationApi::class)
private class PartsText {
    private val numbers = HashMap<SerialDescriptor, Int>()
    private val text = StringBuilder()

    fun add(descriptor: SerialDescriptor) {
        text.append(descriptor.serialName).append(if (descriptor.isNullable) "? " else " ").append(descriptor.kind)
        val known = numbers.putIfAbsent(descriptor.nonNullOriginal, numbers.size)
        if (known == null) addElements(descriptor) else text.append('#').append(known)
    }

    private fun addElements(descriptor: SerialDescriptor) {
        text.append('{')
        for (index in 0 until descriptor.elementsCount) {
            text.append(descriptor.getElementName(index)).append(": ")
            add(descriptor.getElementDescriptor(index))
            text.append(if (descriptor.isElementOptional(index)) " = …; " else "; ")
        }
        text.append('}')
    }

    override fun toString() = text.toString()
}
