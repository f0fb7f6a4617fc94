package dev.cairn.proof.kill

import java.nio.file.Path

/** For launchers. The directory; if a rank is to die, its number and the event before which it does; and "behind" or "local" or nothing. */
internal suspend fun main(arguments: Array<String>) {
    val victim = arguments.getOrNull(1)?.toIntOrNull()
    driftWithEventLogs(Path.of(arguments[0]), waitIn(arguments)) { rank ->
        if (rank == victim) arguments[2].toInt() else 0
    }
}
