package dev.cairn.comm

import dev.cairn.base.textOfUtf8
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerializationException
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.descriptors.StructureKind
import kotlinx.serialization.encoding.AbstractDecoder
import kotlinx.serialization.encoding.CompositeDecoder
import kotlinx.serialization.encoding.CompositeDecoder.Companion.DECODE_DONE
import kotlinx.serialization.modules.EmptySerializersModule
import java.nio.ByteBuffer

/** Reads values written by a [PartsEncoder] from [bytes], big-endian. One for each structure. */
@OptIn(ExperimentalSerializationApi::class)
internal class PartsDecoder(
    private val bytes: ByteBuffer,
) : AbstractDecoder() {
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
