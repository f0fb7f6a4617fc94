package dev.cairn.proof.terminal

import dev.cairn.SoloCheckpoints
import kotlinx.coroutines.runBlocking
import java.nio.file.Path

/** Saves and prints, in a loop of its own, while a line shows its progress. */
internal object ShownOwnLoop {
    @JvmStatic
    fun main(args: Array<String>) =
        runBlocking {
            val (directory, until) = args
            var sum = 0L
            SoloCheckpoints.main(Path.of(directory), declare = { value("sum", { sum }, { sum = it }) }) { checkpoints ->
                var step = checkpoints.restore()
                while (checkpoints.saveIfDue(step, until.toLong())) {
                    sum += step
                    Thread.sleep(50)
                    println("step $step is done")
                    step++
                }
            }
        }
}
