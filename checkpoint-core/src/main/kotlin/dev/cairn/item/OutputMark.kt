package dev.cairn.item

import dev.cairn.redistribution.CellDigest
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/**
 * The state of an output at a save: its length, and a digest of its last bytes. The record is, little-endian:
 *
 * ```
 * u64 length   u64 first, u64 second: the digest of the last 65536 bytes before that, or all if there are less, as a value
 * ```
 */
internal data class OutputMark(
    val length: Long,
    val tail: CellDigest,
) {
    fun encode(): ByteArray =
        ByteBuffer
            .allocate(SIZE)
            .order(LITTLE_ENDIAN)
            .putLong(length)
            .putLong(tail.first)
            .putLong(tail.second)
            .array()

    companion object {
        const val SIZE = 3 * Long.SIZE_BYTES

        fun decode(bytes: ByteBuffer): OutputMark {
            require(bytes.remaining() == SIZE) { "the mark of an output has $SIZE bytes, not ${bytes.remaining()}" }
            val source = bytes.slice().order(LITTLE_ENDIAN)
            return OutputMark(source.getLong(), CellDigest(source.getLong(), source.getLong()))
        }
    }
}
