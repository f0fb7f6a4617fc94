package dev.cairn.mpi

import dev.cairn.testing.RestartTrial
import java.nio.file.Path

/** What to do, an empty directory, the words of a launcher, "--", and arguments of a program, whose ranks are processes. */
internal fun main(args: Array<String>) {
    val (task, directory) = args
    val launcher = args.drop(2).takeWhile { it != "--" }
    val program = args.drop(launcher.size + 3).toTypedArray()
    val trial = RestartTrial(rankCount = 2, breakAt = 5, restartOn = listOf(2)).withLauncher(*launcher.toTypedArray())
    when (task) {
        "find" -> println(trial.findForgottenState(Path.of(directory), "forgetful.Flock", *program))
        "run" -> println(trial.runMain(Path.of(directory), "forgetful.Flock", *program))
    }
}
