package dev.cairn.examples.guide

import dev.cairn.checkpoints
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import java.io.Writer
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption.APPEND
import java.nio.file.StandardOpenOption.CREATE
import java.nio.file.StandardOpenOption.TRUNCATE_EXISTING
import kotlin.io.path.readLines

// region kept-open
private suspend fun Communicator.energies(file: Path, until: Long) {
    var energy = 0.0
    var log: Writer? = null
    checkpoints(file.resolveSibling("energies.cairn")) {
        replicated("energy", { energy }, { energy = it })
        appendedFile("energies", file) { log?.flush() }
    }.use { checkpoints ->
        val first = checkpoints.restore()?.step ?: 0
        if (rank == 0) log = Files.newBufferedWriter(file, CREATE, if (first == 0L) TRUNCATE_EXISTING else APPEND)
        for (step in first until until) {
            energy += 0.5
            log?.write("$step $energy\n")
            if ((step + 1) % 10 == 0L) checkpoints.save(step + 1)
        }
        log?.close()
    }
}
// endregion

class KeptOpenSpec :
    FunSpec({
        test("a file that stays open has the lines of each save") {
            val file = tempdir().toPath().resolve("energies.txt")
            ranks(2) { energies(file, until = 25) }
            ranks(3) { energies(file, until = 40) }
            file.readLines() shouldBe (0 until 40).map { "$it ${(it + 1) * 0.5}" }
        }
    })
