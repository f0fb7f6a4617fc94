package dev.cairn.examples

// region swing
import dev.cairn.SoloCheckpoints
import java.nio.file.Path
import kotlin.math.sin

/** A pendulum, in steps of a millisecond. */
internal suspend fun main() {
    val u = doubleArrayOf(1.0, 0.0) // the angle and its speed
    SoloCheckpoints.open(Path.of("pendulum.cairn")) { array("u") { u } }.use { checkpoints ->
        var step = checkpoints.restore()
        while (checkpoints.saveIfDue(step, until = 100_000)) {
            u[1] -= 0.001 * sin(u[0])
            u[0] += 0.001 * u[1]
            step++
        }
        if (!checkpoints.isStopped) println("the angle is ${u[0]}")
    }
}
// endregion
