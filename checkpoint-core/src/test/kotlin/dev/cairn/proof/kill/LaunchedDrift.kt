package dev.cairn.proof.kill

import java.nio.file.Path

/**
 * For launchers. The directory; if a rank is to end early, its number and its [ProcessEnd] as a word; and "behind", "dedicated", "local" or
 * nothing.
 */
internal suspend fun main(arguments: Array<String>) {
    val victim = arguments.getOrNull(1)?.toIntOrNull()
    driftWithEventLogs(Path.of(arguments[0]), arguments) { rank ->
        if (rank == victim) ProcessEnd.of(arguments[2]) else ProcessEnd.Natural
    }
}
