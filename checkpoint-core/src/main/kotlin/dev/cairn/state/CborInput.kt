package dev.cairn.state

import dev.cairn.event.textOfUtf8
import kotlinx.serialization.SerializationException
import java.nio.ByteBuffer

/**
 * Reads the items of CBOR (RFC 8949), one after another. Unexpected items throw a [SerializationException]; every
 * length is compared with the remaining bytes before memory is allocated.
 */
internal class CborInput(source: ByteBuffer) {
    private val bytes = source.slice()

    // The head that was read last.
    private var start = 0
    private var major = 0
    private var info = 0
    private var argument = 0L

    /** The last one of the tags before the item whose head was read; null if it had none. */
    var tag: Long? = null
        private set

    fun requireEnd() {
        if (bytes.hasRemaining()) throw SerializationException("it has ${bytes.remaining()} bytes left over")
    }

    fun number(range: LongRange): Long {
        readHead()
        val value =
            when (major) {
                UNSIGNED -> argument
                NEGATIVE -> argument.inv()
                else -> throw unexpected("a number")
            }
        if (argument < 0 || value !in range) throw unexpected("a number from ${range.first} to ${range.last}")
        return value
    }

    fun float(): Float {
        readHead()
        if (major != SIMPLE || info != INFO_32) throw unexpected("a float")
        return Float.fromBits(argument.toInt())
    }

    /** A double, or a float, of which each is a double. */
    fun double(): Double {
        readHead()
        return when {
            major == SIMPLE && info == INFO_64 -> Double.fromBits(argument)
            major == SIMPLE && info == INFO_32 -> Float.fromBits(argument.toInt()).toDouble()
            else -> throw unexpected("a double")
        }
    }

    fun boolean(): Boolean {
        readHead()
        return when (if (major == SIMPLE) bytes.get(start) else NULL) {
            TRUE -> true
            FALSE -> false
            else -> throw unexpected("a boolean")
        }
    }

    fun text(): String {
        readHead()
        if (major != TEXT) throw unexpected("a text")
        return textOfUtf8(take()) { "the text at byte $start" }
    }

    fun isNothing(): Boolean = peek().let { it == NULL || it == EMPTY_MAP }

    fun skipNothing() {
        if (!isNothing()) throw unexpected("null")
        bytes.get()
    }

    fun takeEnd(): Boolean = (peek() == BREAK).also { if (it) bytes.get() }

    /** Reads the head of an array or a map: how many items it has, or null if they go up to an [end][takeEnd]. */
    fun begin(expected: Int): Long? {
        readHead()
        if (major != expected) throw unexpected(if (expected == MAP) "a map" else "an array")
        return if (info == INFO_INDEFINITE) null else itemCount()
    }

    /** Whether bytes come next, or an array of which the number of items is known; tells the [tag] and reads nothing. */
    fun isNext(expected: Int): Boolean {
        bytes.mark()
        readHead()
        bytes.reset()
        return major == expected && info != INFO_INDEFINITE
    }

    /** The bytes of a byte string. */
    fun byteString(): ByteBuffer {
        readHead()
        if (major != BYTES) throw unexpected("bytes")
        return take()
    }

    /** The given number of bytes, which are not the head of an item. */
    fun take(count: Long): ByteBuffer {
        if (count !in 0..bytes.remaining()) throw unexpected("an item of at most ${bytes.remaining()} bytes")
        return bytes.slice(bytes.position(), count.toInt()).also { bytes.position(bytes.position() + count.toInt()) }
    }

    private fun take(): ByteBuffer {
        if (info == INFO_INDEFINITE) throw unexpected("an item in one piece")
        return take(argument)
    }

    /** Skips the next item. */
    fun skip(depth: Int = 0) {
        requireDepth(depth)
        readHead()
        when (major) {
            BYTES, TEXT -> take()
            ARRAY, MAP -> forEachItem { skip(depth + 1) }
        }
    }

    /** The next item as people read it, without its class: `{"a": 1, "b": [2.5, true]}`. */
    fun inWords(depth: Int = 0): String {
        requireDepth(depth)
        readHead()
        return when (major) {
            UNSIGNED -> "$argument"
            NEGATIVE -> "${argument.inv()}"
            BYTES -> cellsInWords(tag?.let { BulkArray.typeOf(it) } ?: ElementType.BYTE)
            TEXT -> "\"${textOfUtf8(take())}\""
            ARRAY -> itemsInWords(depth).joinToString(prefix = "[", postfix = "]")
            MAP -> itemsInWords(depth).chunked(2) { (key, value) -> "$key: $value" }.joinToString(", ", "{", "}")
            else -> simpleInWords()
        }
    }

    /** The elements of an array in bulk. */
    private fun cellsInWords(type: ElementType): String {
        val cells = take()
        return List(cells.remaining() / type.size) { type.textOf(cells, it) }.joinToString(prefix = "[", postfix = "]")
    }

    private fun itemsInWords(depth: Int): List<String> = buildList { forEachItem { add(inWords(depth + 1)) } }

    private fun simpleInWords(): String =
        when (info) {
            INFO_32 -> "${Float.fromBits(argument.toInt())}"
            INFO_64 -> "${Double.fromBits(argument)}"
            FALSE.toInt() and INFO_MASK -> "false"
            TRUE.toInt() and INFO_MASK -> "true"
            else -> "null"
        }

    /** The items of the array or the map whose head was read. */
    private inline fun forEachItem(take: () -> Unit) {
        var left = if (info == INFO_INDEFINITE) null else itemCount()
        while (if (left == null) !takeEnd() else left-- > 0) take()
    }

    private fun itemCount(): Long {
        if (argument !in 0..bytes.remaining()) throw unexpected("at most ${bytes.remaining()} items")
        return if (major == MAP) 2 * argument else argument
    }

    private fun readHead() {
        tag = null
        readOneHead()
        while (major == TAG) {
            tag = argument
            readOneHead()
        }
    }

    private fun readOneHead() {
        start = bytes.position()
        val first = peek().toInt() and 0xff
        bytes.get()
        major = first shr MAJOR_SHIFT
        info = first and INFO_MASK
        argument =
            when (info) {
                INFO_8 -> rest(Byte.SIZE_BYTES).get().toLong() and 0xff
                INFO_16 -> rest(Short.SIZE_BYTES).getShort().toLong() and 0xffff
                INFO_32 -> rest(Int.SIZE_BYTES).getInt().toLong() and 0xffff_ffff
                INFO_64 -> rest(Long.SIZE_BYTES).getLong()
                in 0 until INFO_8 -> info.toLong()
                INFO_INDEFINITE -> if (major in BYTES..MAP) 0 else throw unexpected("the start of an item")
                else -> throw unexpected("the start of an item")
            }
    }

    private fun rest(byteCount: Int): ByteBuffer {
        if (bytes.remaining() < byteCount) throw endsEarly()
        return bytes
    }

    private fun peek(): Byte = if (bytes.hasRemaining()) bytes.get(bytes.position()) else throw endsEarly()

    private fun endsEarly() = SerializationException("it ends inside an item, after ${bytes.limit()} bytes")

    private fun unexpected(expected: String) =
        SerializationException(
            "byte $start should begin $expected, but is %02x".format(bytes.get(minOf(start, bytes.limit() - 1))),
        )
}

internal fun requireDepth(depth: Int) {
    if (depth > MOST_DEPTH) {
        throw SerializationException(
            "it is nested in more than $MOST_DEPTH levels: keep linked objects in a list, and refer to them by numbers",
        )
    }
}
