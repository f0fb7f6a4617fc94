package dev.cairn.heap

import java.nio.ByteOrder
import java.util.BitSet

/** The values that are shown, and compared, as a text. */
internal object Texts {
    private val READERS: Map<String, HeapDump.(Int) -> String> =
        mapOf(
            "java.lang.String" reads { string(it) },
            "java.lang.StringBuilder" reads { characters(it) },
            "java.lang.StringBuffer" reads { characters(it) },
            "java.util.BitSet" reads { bitSet(it) },
            "java.io.BufferedReader" reads { readAhead(it, "nextChar", "nChars", "characters") },
            "java.io.BufferedInputStream" reads { readAhead(it, "pos", "count", "bytes") },
            "java.io.ByteArrayInputStream" reads { "${bits(it, "pos")} bytes read" },
            "java.io.ByteArrayOutputStream" reads { written(it) },
            "java.io.StringWriter" reads { characters(follow(it, "buf")) },
            "java.util.concurrent.CountDownLatch" reads { "count ${bits(follow(it, "sync"), "state")}" },
            "java.util.concurrent.Semaphore" reads { "${bits(follow(it, "sync"), "state")} permits" },
            "java.util.zip.Adler32" reads { checksum(it, "adler") },
            "java.util.zip.CRC32" reads { checksum(it, "crc") },
            "java.util.zip.CRC32C" reads { checksum(it, "crc") },
            "java.io.File" reads { textOf(follow(it, "path")) },
            "sun.nio.fs.UnixPath" reads { byteArray(follow(it, "path")).decodeToString() },
        ) +
            listOf("Boolean", "Byte", "Short", "Character", "Integer", "Long", "Float", "Double").associate {
                "java.lang.$it" reads
                    { number -> box(number) }
            }

    private infix fun String.reads(read: HeapDump.(Int) -> String): Pair<String, HeapDump.(Int) -> String> =
        this to read

    fun readerOf(className: String): (HeapDump.(Int) -> String)? = READERS[className]

    /** For people: texts in quotes. */
    fun quoted(className: String, text: String): String = if (className == "java.lang.String") "\"$text\"" else text

    private fun HeapDump.textOf(string: Int) = if (string == HeapDump.NONE) "null" else string(string)

    fun HeapDump.string(string: Int): String = characters(byteArray(follow(string, "value")), bits(string, "coder"))

    private fun HeapDump.characters(builder: Int): String {
        val isWide = bits(builder, "coder") != 0L
        val bytes = byteArray(follow(builder, "value"))
        val used = bits(builder, "count") * if (isWide) 2 else 1
        return characters(bytes.copyOf(used.coerceIn(0, bytes.size.toLong()).toInt()), bits(builder, "coder"))
    }

    /** UTF-16 in the order of the machine's bytes, or Latin-1. */
    private fun characters(bytes: ByteArray, coder: Long): String =
        when {
            coder == 0L -> String(bytes, Charsets.ISO_8859_1)
            ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN -> String(bytes, Charsets.UTF_16BE)
            else -> String(bytes, Charsets.UTF_16LE)
        }

    private fun HeapDump.written(stream: Int): String {
        val bytes = byteArray(follow(stream, "buf"))
        return String(bytes, 0, bits(stream, "count").toInt().coerceIn(0, bytes.size), Charsets.ISO_8859_1)
    }

    private fun HeapDump.checksum(of: Int, field: String) = bits(of, field).toInt().toUInt().toString(radix = 16)

    private fun HeapDump.byteArray(array: Int): ByteArray =
        if (array == HeapDump.NONE) ByteArray(0) else bytes.bytes(elementsAt(array), length(array))

    private fun HeapDump.box(box: Int): String {
        val value = classOf(box).field("value")
        return if (value == null) "object of ${classOf(box)}" else value.type.text(bits(box, value))
    }

    /** With the position of its file, it tells how far the program has come. */
    private fun HeapDump.readAhead(buffer: Int, next: String, end: String, unit: String): String =
        "${bits(buffer, end) - bits(buffer, next)} $unit read ahead"

    private fun HeapDump.bitSet(set: Int): String = "${BitSet.valueOf(longs(follow(set, "words")))}"
}

/** The texts of two values that differ, cut to the place where they do. */
internal fun excerpts(one: String, other: String): Pair<String, String> {
    if (maxOf(one.length, other.length) <= MOST_SHOWN) return one to other
    val start = maxOf(0, one.commonPrefixWith(other).length - BEFORE)
    return cut(one, start) to cut(other, start)
}

private fun cut(text: String, start: Int): String {
    if (start >= text.length) return "… (the end)"
    val end = minOf(text.length, start + MOST_SHOWN)
    return (if (start > 0) "…" else "") + text.substring(start, end) + (if (end < text.length) "…" else "")
}

private const val MOST_SHOWN = 60
private const val BEFORE = 15
