package dev.cairn.run

import java.io.OutputStream
import java.io.PrintStream
import java.io.Writer

/**
 * A line at the end of a terminal that is drawn again and again. What the process prints through the streams that [above] makes
 * appears above it.
 */
internal class LastLine(
    private val terminal: Writer,
    private val text: () -> String,
) {
    private var isShown = false
    private var isAtLineStart = true

    /** Draws the line as it is now, unless another line has begun and not ended. */
    @Synchronized
    fun draw() {
        if (!isAtLineStart) return
        terminal.write("$CLEAR${text().take(WIDTH)}")
        terminal.flush()
        isShown = true
    }

    @Synchronized
    fun clear() {
        if (isShown) terminal.write(CLEAR)
        terminal.flush()
        isShown = false
    }

    /** A stream to [target], before each of whose texts the line is cleared. */
    fun above(target: PrintStream): PrintStream = PrintStream(Above(target), true)

    private inner class Above(
        private val target: PrintStream,
    ) : OutputStream() {
        override fun write(byte: Int) = write(byteArrayOf(byte.toByte()), 0, 1)

        override fun write(
            bytes: ByteArray,
            offset: Int,
            length: Int,
        ) = synchronized(this@LastLine) {
            if (length > 0) {
                clear()
                target.write(bytes, offset, length)
                target.flush()
                isAtLineStart = bytes[offset + length - 1] == '\n'.code.toByte()
            }
        }

        override fun flush() = target.flush()
    }

    private companion object {
        /** To the beginning of the line, and nothing behind it. */
        const val CLEAR = "\r\u001b[K"

        /** A line that reaches the edge of a terminal would continue on the next one, where nothing clears it. */
        const val WIDTH = 79
    }
}
