package dev.cairn.codec

import dev.cairn.state.ElementType
import dev.cairn.state.textOf
import java.nio.ByteBuffer

/** A value of CBOR as people read it: `{"a": 1, "b": [2.5, true]}`. Reads what [ValueEncoder] writes, without its class. */
internal class CborText(
    source: ByteBuffer,
) {
    private val bytes = source.slice()
    private var info = 0

    /** The text of the next item. */
    fun next(depth: Int = 0): String {
        requireDepth(depth)
        return when (nextMajor()) {
            UNSIGNED -> "${argument()}"
            NEGATIVE -> "${argument().inv()}"
            BYTES -> cells(ElementType.BYTE)
            TEXT -> "\"${Charsets.UTF_8.decode(take())}\""
            ARRAY -> items { next(depth + 1) }.joinToString(prefix = "[", postfix = "]")
            MAP -> items { "${next(depth + 1)}: ${next(depth + 1)}" }.joinToString(prefix = "{", postfix = "}")
            TAG -> tagged()
            else -> simple()
        }
    }

    private fun nextMajor(): Int {
        val first = bytes.get().toInt() and 0xff
        info = first and INFO_MASK
        return first shr MAJOR_SHIFT
    }

    private fun argument(): Long =
        when (info) {
            INFO_8 -> bytes.get().toLong() and 0xff
            INFO_16 -> bytes.getShort().toLong() and 0xffff
            INFO_32 -> bytes.getInt().toLong() and 0xffff_ffff
            INFO_64 -> bytes.getLong()
            else -> info.toLong()
        }

    private fun take(): ByteBuffer {
        val count = Math.toIntExact(argument())
        return bytes.slice(bytes.position(), count).also { bytes.position(bytes.position() + count) }
    }

    private inline fun items(next: () -> String): List<String> {
        val count = if (info == INFO_INDEFINITE) null else argument()
        return buildList {
            while (if (count == null) bytes.get(bytes.position()) != BREAK else size < count) add(next())
            if (count == null) bytes.get()
        }
    }

    /** The elements of an array in bulk. */
    private fun tagged(): String {
        val type = BulkArray.typeOf(argument()) ?: ElementType.BYTE
        nextMajor()
        return cells(type)
    }

    private fun cells(type: ElementType): String {
        val cells = take()
        return List(cells.remaining() / type.size) { type.textOf(cells, it) }.joinToString(prefix = "[", postfix = "]")
    }

    private fun simple(): String =
        when (info) {
            INFO_32 -> "${bytes.getFloat()}"
            INFO_64 -> "${bytes.getDouble()}"
            FALSE.toInt() and INFO_MASK -> "false"
            TRUE.toInt() and INFO_MASK -> "true"
            else -> "null"
        }
}
