package dev.cairn.item

import dev.cairn.sion.store.BlockFile
import java.nio.ByteBuffer

/**
 * Signs in a file at the saves of a program that bytes wait in a buffer of the program, which hands them on only when it is full. There
 * are three: the file grows between some saves and not between others; it is there, and is empty at two saves; or it is text, and ends
 * within a line where a buffer of the usual size has been full.
 */
internal class BufferSigns {
    private var length: Long? = null
    private var hasGrown = false
    private var hasStayed = false
    private var isStillEmpty = false

    /** The run begins with a file of [length] bytes. */
    fun begin(length: Long) {
        this.length = length
    }

    /** The sign in [file] at a save, as the end of a sentence; null if there is none. */
    fun at(file: BlockFile): String? {
        val now = file.size()
        compare(now)
        return when {
            hasGrown && hasStayed -> UNEVEN
            isStillEmpty -> EMPTY
            file.isTornAt(now) -> "ends within a line at this save, after $now bytes, $WHOLE_BUFFERS"
            else -> null
        }
    }

    private fun compare(now: Long) {
        length?.let { before ->
            if (now > before) hasGrown = true
            if (now == before && now > 0) hasStayed = true
            isStillEmpty = now == before && now == 0L
        }
        length = now
    }
}

private fun BlockFile.isTornAt(length: Long): Boolean {
    if (length == 0L || length % BUFFER_SIZE != 0L) return false
    val last = ByteBuffer.allocate(BUFFER_SIZE).also { readFully(length - BUFFER_SIZE, it) }.array()
    return last.last() != LINE_END && LINE_END in last && last.none(Byte::isControl)
}

/** Of binary files, blocks of this size need not have been buffered. */
private fun Byte.isControl() = toInt() in 0 until SPACE && this !in TEXT_CONTROLS

private const val UNEVEN = "was not longer at one save than at the save before, although it grew at other times"
private const val EMPTY = "is there, but was empty at two saves"
private const val WHOLE_BUFFERS = "which are whole buffers of the usual size"
private const val SPACE = ' '.code
private const val LINE_END = '\n'.code.toByte()
private val TEXT_CONTROLS = "\n\r\t".encodeToByteArray()

/** That of the buffers of Java. */
private const val BUFFER_SIZE = 8192
