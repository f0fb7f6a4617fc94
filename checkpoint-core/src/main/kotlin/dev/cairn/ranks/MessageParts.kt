package dev.cairn.ranks

import dev.cairn.event.textOfUtf8
import dev.cairn.event.utf8Of
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerializationException
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.descriptors.StructureKind
import kotlinx.serialization.descriptors.nonNullOriginal
import kotlinx.serialization.encoding.AbstractDecoder
import kotlinx.serialization.encoding.AbstractEncoder
import kotlinx.serialization.encoding.CompositeDecoder
import kotlinx.serialization.encoding.CompositeDecoder.Companion.DECODE_DONE
import kotlinx.serialization.encoding.CompositeEncoder
import kotlinx.serialization.modules.EmptySerializersModule
import java.io.ByteArrayOutputStream
import java.io.DataOutputStream
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

/** Reads values written by a [PartsEncoder] from [bytes], big-endian. One for each structure. */
@OptIn(ExperimentalSerializationApi::class)
internal class PartsDecoder(private val bytes: ByteBuffer) : AbstractDecoder() {
    private var next = 0
    private var isDone = false

    override val serializersModule = EmptySerializersModule()

    override fun beginStructure(descriptor: SerialDescriptor): CompositeDecoder = PartsDecoder(bytes)

    override fun decodeElementIndex(descriptor: SerialDescriptor): Int {
        val mark = bytes.getShort().toInt() and 0xffff
        isDone = mark == NO_ELEMENT
        return when {
            isDone -> DECODE_DONE
            descriptor.isCollection -> next++
            else -> mark - 1
        }
    }

    /** A serializer of the program may stop before the end. */
    override fun endStructure(descriptor: SerialDescriptor) {
        if (!isDone && decodeElementIndex(descriptor) != DECODE_DONE) {
            throw SerializationException("${descriptor.serialName} has parts that its serializer does not read")
        }
    }

    override fun decodeNotNullMark(): Boolean = decodeBoolean()

    override fun decodeBoolean(): Boolean = bytes.get() != 0.toByte()

    override fun decodeByte(): Byte = bytes.get()

    override fun decodeShort(): Short = bytes.getShort()

    override fun decodeChar(): Char = bytes.getChar()

    override fun decodeInt(): Int = bytes.getInt()

    override fun decodeLong(): Long = bytes.getLong()

    override fun decodeFloat(): Float = Float.fromBits(bytes.getInt())

    override fun decodeDouble(): Double = Double.fromBits(bytes.getLong())

    override fun decodeString(): String {
        val size = bytes.getInt()
        if (size !in 0..bytes.remaining()) {
            throw SerializationException("a text of $size bytes should follow, but ${bytes.remaining()} bytes are left")
        }
        val text = textOfUtf8(bytes.slice(bytes.position(), size))
        bytes.position(bytes.position() + size)
        return text
    }

    override fun decodeEnum(enumDescriptor: SerialDescriptor): Int = bytes.getInt()
}

internal const val NO_ELEMENT = 0

/** As many as a checkpoint allows. */
internal const val MOST_LEVELS = 500

@OptIn(ExperimentalSerializationApi::class)
internal val SerialDescriptor.isCollection: Boolean
    get() = kind == StructureKind.LIST || kind == StructureKind.MAP

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

    override fun encodeElement(descriptor: SerialDescriptor, index: Int): Boolean {
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

    override fun encodeEnum(enumDescriptor: SerialDescriptor, index: Int) = output.writeInt(index)
}
