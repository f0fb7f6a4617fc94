package dev.cairn.proof.kill

import java.nio.file.Path
import java.nio.file.StandardOpenOption.APPEND
import kotlin.io.path.createFile
import kotlin.io.path.deleteIfExists
import kotlin.io.path.writeText

/**
 * A [file] into which one process writes each of its events before it takes place, one a line, so that it can be read when
 * the process has died. Before event number [last] the process dies of SIGKILL; with 0 it lives.
 */
class EventLog(
    private val file: Path,
    private val last: Int,
) {
    private var events = 0

    init {
        file.deleteIfExists()
        file.createFile()
    }

    /** A worker that writes a save has events, too, while the program goes on. */
    @Synchronized
    fun write(event: String) {
        file.writeText("$event\n", options = arrayOf(APPEND))
        if (++events == last) die()
    }

    private fun die() {
        file.writeText("${EventPipe.WAITING}\n", options = arrayOf(APPEND))
        ProcessBuilder("kill", "-KILL", "${ProcessHandle.current().pid()}").start().waitFor()
        error("this process should be dead")
    }

    companion object {
        /** Of a rank of the program whose checkpoints are in [directory]. */
        fun of(
            directory: Path,
            rank: Int,
        ): Path = directory.resolveSibling("${directory.fileName}.events-$rank")
    }
}
