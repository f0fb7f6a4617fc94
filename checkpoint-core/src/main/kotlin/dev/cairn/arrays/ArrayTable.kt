package dev.cairn.arrays

import dev.cairn.grid.Shape
import dev.cairn.state.ElementType
import dev.cairn.state.elementTypeOf
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json

/**
 * What a file of arrays says about itself, as JSON behind the arrays (docs/array-files.md).
 *
 * @property length the bytes of all arrays, and of the zeros before each of them
 * @property sums the CRC32C of each frame of [frameSize] bytes; the last frame may be shorter
 */
@Serializable
internal class ArrayTable(
    val arrays: List<ArrayEntry>,
    val length: Long,
    val frameSize: Int,
    val sums: List<Long>,
) {
    init {
        require(length >= 0 && frameSize > 0) { "$length bytes in frames of $frameSize bytes" }
        require(sums.size.toLong() == frameCountOf(length, frameSize)) {
            "$length bytes in frames of $frameSize bytes have ${frameCountOf(
                length,
                frameSize,
            )} checksums, but ${sums.size} are there"
        }
        arrays.forEach { require(it.end <= length) { "'${it.name}' ends at byte ${it.end} of $length" } }
        val names = arrays.map { it.name }
        require(names.toSet().size == names.size) { "the names of arrays differ, but these do not: $names" }
    }

    fun encode(): ByteArray = Json.encodeToString(serializer(), this).encodeToByteArray()

    companion object {
        /** @throws IllegalArgumentException if [bytes] are no table */
        fun decode(bytes: ByteArray): ArrayTable =
            try {
                Json.decodeFromString(serializer(), bytes.decodeToString(throwOnInvalidSequence = true))
            } catch (tooMany: ArithmeticException) {
                throw IllegalArgumentException("it has arrays of more than 2^63 bytes", tooMany)
            } catch (noText: CharacterCodingException) {
                throw IllegalArgumentException("it is no UTF-8", noText)
            } catch (noTable: SerializationException) {
                throw IllegalArgumentException(noTable.message?.lineSequence()?.first(), noTable)
            }

        fun frameCountOf(
            length: Long,
            frameSize: Int,
        ): Long = length / frameSize + if (length % frameSize == 0L) 0 else 1
    }
}

/**
 * An array in a file.
 *
 * @property type the name of an [ElementType]; cells are little-endian
 * @property offset where the cells begin, in row-major order
 */
@Serializable
internal data class ArrayEntry(
    val name: String,
    val type: String,
    val shape: List<Long>,
    val offset: Long,
) {
    val end: Long get() = offset + byteCount

    val elementType: ElementType get() =
        requireNotNull(elementTypeOf(type)) {
            "'$name' has the type $type, which is unknown"
        }

    /** @throws IllegalArgumentException if there are too many cells */
    fun shape(): Shape = Shape.of(*shape.toLongArray())

    private val byteCount: Long get() = Math.multiplyExact(shape().cellCount(), elementType.size.toLong())

    /** The array without its place in the file. */
    fun facts(): String = "'$name', $type, ${shape()}"
}
