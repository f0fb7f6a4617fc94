package dev.cairn.output

import dev.cairn.grid.Shape
import dev.cairn.state.ElementType
import dev.cairn.state.elementTypeOf
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json

/**
 * What a file of arrays says about itself, as JSON behind the arrays (docs/how-to/arrays.md).
 *
 * @property length the bytes of all arrays, and of the zeros before each of them
 * @property sums the CRC32C of each frame of [frameSize] bytes; the last frame may be shorter
 */
@Serializable
internal class ArrayTable(val arrays: List<ArrayEntry>, val length: Long, val frameSize: Int, val sums: List<Long>) {
    init {
        require(length >= 0 && frameSize > 0) { "$length bytes in frames of $frameSize bytes" }
        require(sums.size.toLong() == frameCountOf(length, frameSize)) {
            val count = frameCountOf(length, frameSize)
            "$length bytes in frames of $frameSize bytes have $count checksums, but ${sums.size} are there"
        }
        requirePlaces()
        val names = arrays.map { it.name }
        require(names.toSet().size == names.size) { "the names of arrays differ, but these do not: $names" }
    }

    /** Each array begins where a page does, behind the one before, and ends before the table. */
    private fun requirePlaces() {
        var end = 0L
        for (array in arrays) {
            require(array.offset >= end && array.offset % ALIGNMENT == 0L) {
                "'${array.name}' begins at byte ${array.offset}, and not at a multiple of $ALIGNMENT from byte $end on"
            }
            end = array.end
            require(end <= length) { "'${array.name}' ends at byte $end of $length" }
        }
    }

    fun encode(): ByteArray = Json.encodeToString(serializer(), this).encodeToByteArray()

    companion object {
        /** An array begins where a page does, so that programs can map it. */
        const val ALIGNMENT = 4096L

        /** @throws IllegalArgumentException if [bytes] are no table */
        fun decode(bytes: ByteArray): ArrayTable =
            try {
                Json.decodeFromString(serializer(), bytes.decodeToString(throwOnInvalidSequence = true))
            } catch (noText: CharacterCodingException) {
                throw IllegalArgumentException("it is no UTF-8", noText)
            } catch (noTable: SerializationException) {
                throw IllegalArgumentException(noTable.message?.lineSequence()?.first(), noTable)
            }

        fun frameCountOf(length: Long, frameSize: Int): Long =
            length / frameSize + if (length % frameSize == 0L) 0 else 1
    }
}

/**
 * An array in a file.
 *
 * @property type the name of an [ElementType]; cells are little-endian
 * @property offset where the cells begin, in row-major order
 */
@Serializable
internal data class ArrayEntry(val name: String, val type: String, val shape: List<Long>, val offset: Long) {
    /** @throws IllegalArgumentException if no file is so long */
    val end: Long get() =
        try {
            Math.addExact(offset, Math.multiplyExact(shape().cellCount(), elementType.size.toLong()))
        } catch (tooFar: ArithmeticException) {
            throw IllegalArgumentException("'$name' would end behind byte 2^63 - 1", tooFar)
        }

    val elementType: ElementType get() =
        requireNotNull(elementTypeOf(type)) {
            "'$name' has the type $type, which is unknown"
        }

    /** @throws IllegalArgumentException if no array has such extents */
    fun shape(): Shape =
        try {
            Shape.of(*shape.toLongArray())
        } catch (noShape: IllegalArgumentException) {
            throw IllegalArgumentException("'$name': ${noShape.message?.removeSuffix(".")}", noShape)
        }

    /** The array without its place in the file. */
    fun facts(): String = "'$name', $type, ${shape()}"
}
