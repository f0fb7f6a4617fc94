package dev.cairn.proof.kill

import java.nio.file.Path
import java.nio.file.StandardOpenOption.APPEND
import java.util.concurrent.CountDownLatch
import kotlin.io.path.createFile
import kotlin.io.path.deleteIfExists
import kotlin.io.path.writeText

/**
 * A [file] into which one process writes each of its events before it takes place, one a line, so that it can be read when
 * the process has died. The last one is that before which it comes to its [end].
 */
class EventLog(private val file: Path, private val end: ProcessEnd) {
    private var events = 0
    private var occurrences = 0

    init {
        file.deleteIfExists()
        file.createFile()
    }

    /** A worker that writes a save has events, too, while the program goes on. */
    @Synchronized
    fun write(event: String) {
        append(event)
        events++
        when (end) {
            ProcessEnd.Natural -> Unit
            is ProcessEnd.Death -> if (events == end.event) die()
            is ProcessEnd.DeathBefore -> if (event == end.pause.event && ++occurrences == end.pause.occurrence) die()
            is ProcessEnd.Halt -> if (event.startsWith(end.beginning)) halt()
        }
    }

    private fun die() {
        append(EventPipe.WAITING)
        ProcessBuilder("kill", "-KILL", "${ProcessHandle.current().pid()}").start().waitFor()
        error("this process should be dead")
    }

    /** No event of another thread takes place either. */
    private fun halt() {
        append(EventPipe.WAITING)
        CountDownLatch(1).await()
    }

    private fun append(line: String) = file.writeText("$line\n", options = arrayOf(APPEND))

    companion object {
        /** Of a rank of the program whose checkpoints are in [directory]. */
        fun of(directory: Path, rank: Int): Path = directory.resolveSibling("${directory.fileName}.events-$rank")
    }
}

/** How a process of a trial ends. */
sealed interface ProcessEnd {
    /** It does all that it has to do. */
    data object Natural : ProcessEnd

    /** It dies of SIGKILL before its event number [event]. */
    class Death(val event: Int) : ProcessEnd

    /** It dies of SIGKILL where it would wait. */
    class DeathBefore(val pause: Pause) : ProcessEnd

    /** It waits before the first event whose line has this [beginning], until it is killed. */
    class Halt(val beginning: String) : ProcessEnd

    companion object {
        /** A number of an event, a [Pause], or the beginning of a line. */
        fun of(word: String): ProcessEnd =
            word.toIntOrNull()?.let(::Death) ?: Pause.parse(word)?.let(::DeathBefore) ?: Halt(word)
    }
}
