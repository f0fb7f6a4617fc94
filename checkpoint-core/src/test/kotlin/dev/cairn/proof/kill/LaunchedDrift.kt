package dev.cairn.proof.kill

import java.nio.file.Path

/** For launchers. The directory; and, if a rank is to die, its number and the event before which it does. */
internal suspend fun main(arguments: Array<String>) {
    val victim = arguments.getOrNull(1)?.toInt()
    driftWithEventLogs(Path.of(arguments[0])) { rank -> if (rank == victim) arguments[2].toInt() else 0 }
}
