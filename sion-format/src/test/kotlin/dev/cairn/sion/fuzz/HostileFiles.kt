package dev.cairn.sion.fuzz

import dev.cairn.sion.layout.FileNames
import java.io.ByteArrayOutputStream
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.file.Path

/**
 * The physical files that an input of the fuzzer stands for. Runs of zero bytes are packed, or META1's prefix and the
 * gaps between chunks would be most of an input, and most mutations would hit them:
 *
 * ```
 * input := choice[5] file*
 * file  := number:u8 pieces:u8 piece*
 * piece := gap:u16 length:u16 byte[length]        so many zero bytes, then these bytes
 * ```
 *
 * Numbers are little-endian. From 192 on they are those of buddy files, of which each level has 32. Every input stands for some files: what is missing at its end is just not there.
 */
class HostileFiles(
    choices: ByteArray,
    /** By file number; the first one is the one to open. */
    val bytes: Map<Int, ByteArray>,
) {
    /** For those who want to make something of the files; no part of them. */
    val choices: ByteArray = choices.copyOf(CHOICES)

    /** What else is done with the files; no part of them either. */
    val further: Further = FURTHER[this.choices[4].toInt() and FURTHER.size - 1]

    val byPath: Map<Path, ByteArray> = bytes.mapKeys { (number, _) -> pathOf(number) }

    /** The one to open. */
    val path: Path = byPath.keys.firstOrNull() ?: MULTIFILE

    /** The bytes of all files together. */
    val size: Int = bytes.values.sumOf { it.size }

    /** The input that stands for these files. */
    fun encoded(): ByteArray {
        val out = ByteArrayOutputStream()
        out.write(choices)
        bytes.forEach { (number, content) ->
            val pieces = piecesOf(content)
            out.write(number)
            out.write(pieces.size)
            pieces.forEach { out.write(it.encodedFrom(content)) }
        }
        return out.toByteArray()
    }

    private class Piece(val gap: Int, val bytes: IntRange) {
        fun encodedFrom(content: ByteArray): ByteArray {
            val length = bytes.last - bytes.first + 1
            return little(ByteBuffer.allocate(HEADER + length))
                .putShort(gap.toShort())
                .putShort(length.toShort())
                .put(content, bytes.first, length)
                .array()
        }
    }

    companion object {
        val DIRECTORY: Path = Path.of("/hostile")

        /** The name of the whole; file 0 may be missing. */
        val MULTIFILE: Path = DIRECTORY.resolve("x.sion")

        private val FURTHER = Further.values()

        private const val CHOICES = 5
        private const val FIRST_COPY = 192
        private const val COPIES_IN_LEVEL = 32
        private const val HEADER = 2 * Short.SIZE_BYTES
        private const val SHORTEST_GAP = 24
        private const val LARGEST_FILE = 1 shl 14

        fun of(input: ByteArray): HostileFiles {
            val rest = little(ByteBuffer.wrap(input)).position(minOf(CHOICES, input.size))
            val files = LinkedHashMap<Int, ByteArray>()
            while (rest.remaining() >= 2) {
                val number = rest.get().toInt() and 0xff
                files[number] = rest.file()
            }
            return HostileFiles(input, files)
        }

        /** The number of the copy of a file. */
        fun numberOfCopy(level: Int, fileNumber: Int) = FIRST_COPY + COPIES_IN_LEVEL * level + fileNumber

        private fun pathOf(number: Int): Path {
            if (number < FIRST_COPY) return FileNames.physical(MULTIFILE, number)
            val copy = number - FIRST_COPY
            return FileNames.physical(FileNames.buddy(MULTIFILE, copy / COPIES_IN_LEVEL), copy % COPIES_IN_LEVEL)
        }

        private fun ByteBuffer.file(): ByteArray {
            val pieces = get().toInt() and 0xff
            val content = ByteArrayOutputStream()
            repeat(pieces) {
                if (remaining() >= HEADER) {
                    content.write(ByteArray(unsignedShort().coerceAtMost(LARGEST_FILE - content.size())))
                    val length = unsignedShort().coerceAtMost(remaining()).coerceAtMost(LARGEST_FILE - content.size())
                    content.write(array(), position(), length)
                    position(position() + length)
                }
            }
            return content.toByteArray()
        }

        private fun ByteBuffer.unsignedShort() = short.toInt() and 0xffff

        private fun little(buffer: ByteBuffer): ByteBuffer = buffer.order(ByteOrder.LITTLE_ENDIAN)

        /** Splits wherever a gap is worth the four bytes that a piece costs. */
        private fun piecesOf(content: ByteArray): List<Piece> {
            val pieces = mutableListOf<Piece>()
            var end = 0
            while (end < content.size) {
                val start = (end until content.size).firstOrNull { content[it] != ZERO } ?: content.size
                val next = endOfBytes(content, start)
                pieces += Piece(start - end, start until next)
                end = next
            }
            return pieces
        }

        private fun endOfBytes(content: ByteArray, start: Int): Int {
            var zeros = 0
            for (index in start until content.size) {
                zeros = if (content[index] == ZERO) zeros + 1 else 0
                if (zeros == SHORTEST_GAP) return index + 1 - zeros
            }
            return content.size
        }

        private const val ZERO: Byte = 0
    }
}
