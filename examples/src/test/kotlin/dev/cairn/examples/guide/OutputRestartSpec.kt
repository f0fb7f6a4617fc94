package dev.cairn.examples.guide

import dev.cairn.Simulation
import dev.cairn.testing.RestartTrial
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption.APPEND
import java.nio.file.StandardOpenOption.CREATE

// region restart-output
private suspend fun Simulation.energies(file: Path) {
    var energy by replicated(0.0)
    appendedFile("energies", file) // Without this line the trial fails.
    for (step in steps(until = 30)) {
        energy += 0.5
        if (rank == 0 && step == 0L) Files.deleteIfExists(file) // Nothing was restored, so it is an earlier run's.
        if (rank == 0) Files.writeString(file, "$step $energy\n", CREATE, APPEND)
    }
}

class OutputRestartSpec :
    FunSpec({
        test("a restart changes nothing, and repeats no line") {
            val file = tempdir().toPath().resolve("energies.txt")
            RestartTrial(rankCount = 4, breakAt = 17).withOutputs(listOf(file)).run { energies(file) }
        }
    })
// endregion
