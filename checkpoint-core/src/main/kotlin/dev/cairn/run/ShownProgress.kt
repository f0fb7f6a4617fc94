package dev.cairn.run

import java.io.Writer
import java.util.Timer
import kotlin.concurrent.schedule

/**
 * Shows a [ProgressLine] on the terminal of this process, redrawn each second, until closed. Until then `System.out` and `System.err`
 * print above it.
 */
internal class ShownProgress(terminal: Writer, val progress: ProgressLine) : AutoCloseable {
    private val line = LastLine(terminal, progress::text)
    private val out = System.out
    private val err = System.err
    private val ownOut = line.above(out)
    private val ownErr = line.above(err)

    // Steps may take minutes, and the time in the line must go on.
    private val timer = Timer("cairn progress", true).apply { schedule(0, PERIOD_MILLIS) { line.draw() } }

    init {
        System.setOut(ownOut)
        System.setErr(ownErr)
    }

    /** Streams that the program has set in the meantime stay. */
    override fun close() {
        timer.cancel()
        line.end()
        if (System.out === ownOut) System.setOut(out)
        if (System.err === ownErr) System.setErr(err)
    }

    companion object {
        private const val PERIOD_MILLIS = 1000L

        /** The progress of the program [name]; null if the standard input and output of this process are not a terminal. */
        fun of(name: String): ShownProgress? {
            // From JDK 22 on the default is another console, which always exists.
            System.setProperty("jdk.console", "java.base")
            return System.console()?.let { ShownProgress(it.writer(), ProgressLine(name)) }
        }
    }
}
