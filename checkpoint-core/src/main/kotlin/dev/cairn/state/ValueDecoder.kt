package dev.cairn.state

import kotlinx.serialization.DeserializationStrategy
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerializationException
import kotlinx.serialization.descriptors.PolymorphicKind
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.descriptors.elementNames
import kotlinx.serialization.encoding.AbstractDecoder
import kotlinx.serialization.encoding.CompositeDecoder
import kotlinx.serialization.encoding.CompositeDecoder.Companion.DECODE_DONE
import kotlinx.serialization.encoding.CompositeDecoder.Companion.UNKNOWN_NAME
import kotlinx.serialization.modules.SerializersModule

/**
 * Reads values written by a [ValueEncoder], and by kotlinx.serialization in checkpoints of format 1.0. Numbers may
 * become those of a wider type. Properties that the class does not have are skipped: the comparison of the schemas has
 * allowed it.
 */
@OptIn(ExperimentalSerializationApi::class)
internal class ValueDecoder(
    private val input: CborInput,
    override val serializersModule: SerializersModule,
    private val renames: Renames,
    private val parent: ValueDecoder? = null,
    /** How many items of the array or the map are left; null if they go up to an end. */
    private var left: Long? = null,
) : AbstractDecoder() {
    private val depth: Int = if (parent == null) 0 else parent.depth + 1
    private var isDone = false
    private var next = 0

    /** The descriptor of several classes, whose name comes next. */
    private var cases: SerialDescriptor? = null

    /** The property that is being read. */
    private var property: String? = null

    override fun <T> decodeSerializableValue(deserializer: DeserializationStrategy<T>): T {
        val bulk = BulkArray.of(deserializer)
        @Suppress("UNCHECKED_CAST") // Found by the serializer of this type of arrays.
        return if (bulk != null && bulk.isNext(input)) bulk.read(input) as T else deserializer.deserialize(this)
    }

    override fun beginStructure(descriptor: SerialDescriptor): CompositeDecoder {
        requireDepth(depth + 1)
        val major = majorOf(descriptor)
        val items = if (major == ARRAY && input.isNext(BYTES)) BulkArray.itemsOf(input) else input
        return ValueDecoder(items, serializersModule, renames, this, items.begin(major))
    }

    override fun decodeElementIndex(descriptor: SerialDescriptor): Int {
        if (descriptor.hasNames) return decodeProperty(descriptor)
        if (!hasNext(1)) return DECODE_DONE
        cases = descriptor.takeIf { next == 0 && it.kind is PolymorphicKind }
        return next++
    }

    private fun decodeProperty(descriptor: SerialDescriptor): Int {
        while (hasNext(2)) {
            val name = renames.today(descriptor, input.text())
            val index = descriptor.getElementIndex(name)
            property = name
            if (index != UNKNOWN_NAME) return index
            input.skip()
        }
        return DECODE_DONE
    }

    private fun hasNext(itemCount: Int): Boolean {
        isDone = isDone || left?.let { it == 0L } ?: input.takeEnd()
        if (!isDone) left = left?.minus(itemCount)
        return !isDone
    }

    /** Serializers of the program's own may leave elements unread. */
    override fun endStructure(descriptor: SerialDescriptor) {
        while (hasNext(1)) input.skip()
    }

    override fun decodeNotNullMark(): Boolean = !input.isNothing()

    override fun decodeNull(): Nothing? {
        input.skipNothing()
        return null
    }

    override fun decodeBoolean(): Boolean = input.boolean()

    override fun decodeByte(): Byte = input.number(BYTE_RANGE).toByte()

    override fun decodeShort(): Short = input.number(SHORT_RANGE).toShort()

    override fun decodeChar(): Char = input.number(CHAR_RANGE).toInt().toChar()

    override fun decodeInt(): Int = input.number(INT_RANGE).toInt()

    override fun decodeLong(): Long = input.number(LONG_RANGE)

    override fun decodeFloat(): Float = input.float()

    override fun decodeDouble(): Double = input.double()

    override fun decodeString(): String = cases?.let(::decodeCase) ?: input.text()

    override fun decodeEnum(enumDescriptor: SerialDescriptor): Int {
        val name = renames.today(enumDescriptor, input.text())
        return enumDescriptor.getElementIndex(name).also { if (it == UNKNOWN_NAME) throw unknown(name, enumDescriptor) }
    }

    /** The name of a class; the element after it, the object, has one for each that there is if they are sealed. */
    private fun decodeCase(descriptor: SerialDescriptor): String {
        cases = null
        val name = renames.today(descriptor, input.text())
        val known = descriptor.getElementDescriptor(1)
        if (descriptor.kind == PolymorphicKind.SEALED && known.getElementIndex(name) == UNKNOWN_NAME) {
            throw unknown(name, known)
        }
        return name
    }

    private fun unknown(name: String, descriptor: SerialDescriptor) =
        SerializationException(
            "${path()?.let { "its property '$it'" } ?: "it"} is $name, which the program does not have: it has " +
                descriptor.elementNames.joinToString(),
        )

    private fun path(): String? = listOfNotNull(parent?.path(), property).joinToString(".").ifEmpty { null }
}

private val BYTE_RANGE = Byte.MIN_VALUE.toLong()..Byte.MAX_VALUE
private val SHORT_RANGE = Short.MIN_VALUE.toLong()..Short.MAX_VALUE
private val CHAR_RANGE = 0L..Char.MAX_VALUE.code
private val INT_RANGE = Int.MIN_VALUE.toLong()..Int.MAX_VALUE
private val LONG_RANGE = Long.MIN_VALUE..Long.MAX_VALUE
