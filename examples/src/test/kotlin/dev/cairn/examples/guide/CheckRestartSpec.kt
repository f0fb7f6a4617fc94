package dev.cairn.examples.guide

import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.math.sin

// region check-restart

/** A code with a loop of its own, whose clock a restart would not set. */
private suspend fun Communicator.pendulum(directory: Path) {
    var angle = 0.5
    var time = 0.0
    checkpoints(directory, CheckpointOptions { checkRestart = true }) {
        replicated("angle", { angle }, { angle = it })
        replicated("time", { time }, { }) // The fault: what comes back is dropped.
    }.use { checkpoints ->
        for (step in 1L..30L) {
            angle -= 0.01 * sin(angle)
            time += 0.01
            if (step % 10 == 0L) checkpoints.save(step) // The second one, at step 20, fails.
        }
    }
}

class CheckRestartSpec :
    FunSpec({
        test("a clock that a restart would not set is found while the program runs") {
            val directory = tempdir().toPath().resolve("pendulum.cairn")
            ranks(2) {
                val failure = shouldThrow<CheckpointException.StateDiffers> { pendulum(directory) }
                failure.items shouldBe listOf("time")
                failure.message shouldContain
                    "The replicated 'time' should be what save 1 holds, but on ranks 0-1 it is still what save 2 holds."
            }
        }
    })
// endregion
