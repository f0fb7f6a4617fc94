package dev.cairn.state

import dev.cairn.redistribution.Runs
import kotlinx.serialization.SerializationException
import kotlinx.serialization.builtins.BooleanArraySerializer
import kotlinx.serialization.builtins.ByteArraySerializer
import kotlinx.serialization.builtins.CharArraySerializer
import kotlinx.serialization.builtins.DoubleArraySerializer
import kotlinx.serialization.builtins.FloatArraySerializer
import kotlinx.serialization.builtins.IntArraySerializer
import kotlinx.serialization.builtins.LongArraySerializer
import kotlinx.serialization.builtins.ShortArraySerializer
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/**
 * The primitive arrays of one type inside a value: a typed array of RFC 8746, little-endian, which is a tag and the bytes of
 * all elements. Bytes need no tag, and booleans are an array of `true` and `false`, which take a byte each.
 */
internal class BulkArray<A : Any>(private val kind: ArrayKind<A>) {
    @Suppress("UNCHECKED_CAST") // Found by the serializer of this type of arrays.
    fun write(value: Any?, output: CborOutput) {
        val array = value as A
        val count = kind.size(array)
        val byteCount = count.toLong() * kind.type.size
        TAGS[kind.type]?.let { output.head(TAG, it) }
        output.head(if (array is BooleanArray) ARRAY else BYTES, byteCount)
        output.piece(byteCount) { target ->
            if (array is BooleanArray) array.writeTo(target) else kind.cells(array).copyTo(target, row(count))
        }
    }

    /** Whether the next item is stored in bulk; older checkpoints have each element as an item of its own. */
    fun isNext(input: CborInput): Boolean = input.isNext(if (kind.type == ElementType.BOOLEAN) ARRAY else BYTES)

    fun read(input: CborInput): A = if (kind.type == ElementType.BOOLEAN) readBooleans(input) else readNumbers(input)

    @Suppress("UNCHECKED_CAST") // Booleans are in arrays of booleans.
    private fun readBooleans(input: CborInput): A {
        val items = input.take(checkNotNull(input.begin(ARRAY)))
        return BooleanArray(items.remaining()) { booleanOf(items.get(it)) } as A
    }

    private fun readNumbers(input: CborInput): A {
        val (type, bytes) = input.typedArray()
        val widening =
            type.wideningTo(kind.type)
                ?: throw SerializationException("an array of $type is not one of ${kind.type}")
        val count = bytes.remaining() / type.size
        return kind.create(count).also { kind.cells(it).storedAs(widening).copyFrom(bytes, row(count)) }
    }

    companion object {
        private val TAGS =
            mapOf(
                ElementType.CHAR to 69L,
                ElementType.SHORT to 77L,
                ElementType.INT to 78L,
                ElementType.LONG to 79L,
                ElementType.FLOAT to 85L,
                ElementType.DOUBLE to 86L,
            )
        private val TYPES = TAGS.entries.associate { (type, tag) -> tag to type }

        private val BY_SERIALIZER: Map<Any, BulkArray<*>> =
            mapOf(
                BooleanArraySerializer() to BulkArray(ArrayKind.BOOLEANS),
                ByteArraySerializer() to BulkArray(ArrayKind.BYTES),
                ShortArraySerializer() to BulkArray(ArrayKind.SHORTS),
                CharArraySerializer() to BulkArray(ArrayKind.CHARS),
                IntArraySerializer() to BulkArray(ArrayKind.INTS),
                LongArraySerializer() to BulkArray(ArrayKind.LONGS),
                FloatArraySerializer() to BulkArray(ArrayKind.FLOATS),
                DoubleArraySerializer() to BulkArray(ArrayKind.DOUBLES),
            )

        /** The type of the elements that follow [tag]; null if it is no tag of an array. */
        fun typeOf(tag: Long): ElementType? = TYPES[tag]

        /** The one for the type of [serializer]; null if that is not a primitive array, or has a form of its own. */
        fun of(serializer: Any): BulkArray<*>? = BY_SERIALIZER[serializer]

        /** The elements of a typed array as items of an array, for lists that were arrays when they were saved. */
        fun itemsOf(input: CborInput): CborInput {
            val (type, bytes) = input.typedArray()
            val items = CborOutput().apply { begin(ARRAY) }
            while (bytes.hasRemaining()) items.element(type, bytes)
            return CborInput(ByteBuffer.wrap(items.apply { end() }.toByteArray()))
        }

        private fun CborOutput.element(type: ElementType, bytes: ByteBuffer) =
            when (type) {
                ElementType.BYTE -> number(bytes.get().toLong())
                ElementType.SHORT -> number(bytes.getShort().toLong())
                ElementType.CHAR -> number(bytes.getChar().code.toLong())
                ElementType.INT -> number(bytes.getInt().toLong())
                ElementType.LONG -> number(bytes.getLong())
                ElementType.FLOAT -> float(bytes.getFloat())
                ElementType.DOUBLE -> double(bytes.getDouble())
                ElementType.BOOLEAN -> throw SerializationException("booleans have no typed array")
            }

        private fun CborInput.typedArray(): Pair<ElementType, ByteBuffer> {
            val bytes = byteString().order(LITTLE_ENDIAN)
            val type = tag.let { if (it == null) ElementType.BYTE else TYPES[it] }
            if (type == null || bytes.remaining() % type.size != 0) {
                throw SerializationException("${bytes.remaining()} bytes with the tag $tag are not an array of numbers")
            }
            return type to bytes
        }

        private fun row(count: Int): Runs = Runs.row(0, 0, count)

        private fun BooleanArray.writeTo(target: ByteBuffer) {
            for (index in indices) target.put(index, if (this[index]) TRUE else FALSE)
        }

        private fun booleanOf(item: Byte): Boolean =
            when (item) {
                TRUE -> true
                FALSE -> false
                else -> throw SerializationException("an array of booleans holds %02x".format(item))
            }
    }
}
