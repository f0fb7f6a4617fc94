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
    private var out = System.out
    private var err = System.err
    private val ownOut = line.above(out)
    private val ownErr = line.above(err)

    // Steps may take minutes, and the time in the line must go on.
    private val timer = Timer("cairn progress", true).apply { schedule(0, PERIOD_MILLIS) { line.draw() } }

    init {
        synchronized(SHOWN) {
            System.setOut(ownOut)
            System.setErr(ownErr)
            SHOWN += this
        }
    }

    /** Streams that the program has set in the meantime stay. A line that was shown later gives back those from before this one. */
    override fun close() {
        timer.cancel()
        line.end()
        synchronized(SHOWN) {
            if (!SHOWN.remove(this)) return
            SHOWN.find { it.out === ownOut }?.out = out
            SHOWN.find { it.err === ownErr }?.err = err
            if (System.out === ownOut) System.setOut(out)
            if (System.err === ownErr) System.setErr(err)
        }
    }

    companion object {
        private val SHOWN = mutableListOf<ShownProgress>()
        private const val PERIOD_MILLIS = 1000L

        /** The progress of the program [name]; null if the standard input and output of this process are not a terminal. */
        fun of(name: String): ShownProgress? {
            // From JDK 22 on the default is another console, which always exists.
            System.setProperty("jdk.console", "java.base")
            return System.console()?.let { ShownProgress(it.writer(), ProgressLine(name)) }
        }
    }
}
