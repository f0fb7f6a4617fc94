package dev.cairn.sion.fuzz

import java.io.ByteArrayOutputStream
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.file.Path
import java.util.zip.CRC32C

/**
 * The segments that an input of the fuzzer stands for:
 *
 * ```
 * input   := choice:u8 segment*
 * segment := number:u8 length:u16 byte[length]
 * ```
 *
 * If the choice is odd, the checksums of all heads that can be found are made right, since no mutation would pass them
 * otherwise.
 */
class HostileLog(isMended: Boolean, segments: Map<Int, ByteArray>) {
    val byPath: Map<Path, ByteArray> =
        segments.entries.associate { (number, bytes) ->
            HostileFiles.DIRECTORY.resolve("s%06d.log".format(number)) to if (isMended) mended(bytes) else bytes
        }

    /** The bytes of all segments together. */
    val size: Int = byPath.values.sumOf { it.size }

    companion object {
        private const val SEGMENT_HEAD = 64
        private const val START = 36
        private const val LEAST_HEAD = 40

        fun of(input: ByteArray): HostileLog {
            val rest = little(input)
            val choice = if (rest.hasRemaining()) rest.get().toInt() else 0
            val segments = LinkedHashMap<Int, ByteArray>()
            while (rest.remaining() >= 3) {
                val number = rest.get().toInt() and 0xff
                val length = (rest.getShort().toInt() and 0xffff).coerceAtMost(rest.remaining())
                segments[number] = ByteArray(length).also { rest.get(it) }
            }
            return HostileLog(choice and 1 == 1, segments)
        }

        /** The input that stands for these segments. */
        fun encoded(choice: Int, segments: List<ByteArray>): ByteArray {
            val out = ByteArrayOutputStream()
            out.write(choice)
            segments.forEachIndexed { number, bytes ->
                out.write(number)
                out.write(bytes.size)
                out.write(bytes.size shr 8)
                out.write(bytes)
            }
            return out.toByteArray()
        }

        private fun little(bytes: ByteArray) = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)

        /** Goes on as long as the sizes of the records lead to a next one. */
        private fun mended(segment: ByteArray): ByteArray {
            val bytes = little(segment.copyOf())
            mend(bytes, 0, SEGMENT_HEAD)
            var offset = SEGMENT_HEAD
            while (bytes.limit() - offset >= LEAST_HEAD) {
                val headSize = bytes.getInt(offset)
                val payloadSize = bytes.getLong(offset + 24)
                mend(bytes, offset, START)
                mend(bytes, offset, headSize)
                if (headSize < LEAST_HEAD || headSize % 8 != 0 || payloadSize !in 0..bytes.limit()) break
                offset = minOf(offset.toLong() + headSize + (payloadSize + 7) / 8 * 8, bytes.limit().toLong()).toInt()
            }
            return bytes.array()
        }

        private fun mend(bytes: ByteBuffer, offset: Int, headSize: Int) {
            if (headSize in 8..bytes.limit() - offset) {
                val crc = CRC32C().apply { update(bytes.array(), offset, headSize - 4) }
                bytes.putInt(offset + headSize - 4, crc.value.toInt())
            }
        }
    }
}
