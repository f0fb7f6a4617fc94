package dev.cairn.run

import java.io.OutputStream
import java.io.PrintStream
import java.io.Writer

/**
 * The last line of a terminal, which is redrawn at intervals. Output of the process through the streams from [above] appears above
 * it, and the line is drawn again at once.
 */
internal class LastLine(private val terminal: Writer, private val text: () -> String) {
    private var isOver = false
    private var isShown = false
    private var isAtLineStart = true

    /** Draws the line, unless the process has begun another line and not ended it, or [end] was called. */
    @Synchronized
    fun draw() {
        if (isOver || !isAtLineStart) return
        terminal.write("$CLEAR${text().take(WIDTH)}")
        terminal.flush()
        isShown = true
    }

    /** The line is not drawn any more; another thread may still try to. */
    @Synchronized
    fun end() {
        isOver = true
        clear()
    }

    private fun clear() {
        if (isShown) terminal.write(CLEAR)
        terminal.flush()
        isShown = false
    }

    /** A stream to [target], before each of whose texts the line is cleared. */
    fun above(target: PrintStream): PrintStream = PrintStream(Above(target), true)

    private inner class Above(private val target: PrintStream) : OutputStream() {
        override fun write(byte: Int) = write(byteArrayOf(byte.toByte()), 0, 1)

        override fun write(bytes: ByteArray, offset: Int, length: Int) =
            synchronized(this@LastLine) {
                if (length > 0) {
                    clear()
                    target.write(bytes, offset, length)
                    target.flush()
                    isAtLineStart = bytes[offset + length - 1] == '\n'.code.toByte()
                    draw()
                }
            }

        override fun flush() = target.flush()
    }

    private companion object {
        /** Moves to the beginning of the line and clears it. */
        const val CLEAR = "\r\u001b[K"

        /** A longer line would wrap at the edge of a terminal, and the second row would not be cleared. */
        const val WIDTH = 79
    }
}
