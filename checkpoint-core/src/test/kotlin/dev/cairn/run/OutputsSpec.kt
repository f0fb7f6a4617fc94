package dev.cairn.run

import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.shouldBeFor
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.appendText
import kotlin.io.path.deleteIfExists
import kotlin.io.path.exists
import kotlin.io.path.fileSize
import kotlin.io.path.readText
import kotlin.io.path.writeText

class OutputsSpec :
    FunSpec({
        val directory = tempdir().toPath()
        var count = 0

        fun newOutput(): Path = Files.createDirectory(directory.resolve("run${count++}")).resolve("energies.txt")

        suspend fun Communicator.open(output: Path) =
            checkpoints(output.resolveSibling("store")) { appendedFile("energies", output) }

        fun lines(range: IntRange) = range.joinToString("") { "step $it\n" }

        test("what was appended after the save is cut off, on any number of ranks") {
            for (length in listOf(0, 10, 20_000)) {
                val output = newOutput()
                output.writeText(lines(1..length))
                ranks(3) { open(output).use { it.save(1) } }
                for (rankCount in listOf(3, 1, 4)) {
                    output.appendText(lines(length + 1..length + 5))
                    ranks(rankCount) { open(output).use { it.restore() } }
                    output.readText() shouldBe lines(1..length)
                }
            }
        }

        test("an output that does not exist yet is emptied when the program comes back to that point") {
            val output = newOutput()
            ranks(2) { open(output).use { it.save(1) } }
            ranks(2) { open(output).use { it.restore() } }
            output.exists() shouldBe false
            output.writeText(lines(1..3))
            ranks(2) { open(output).use { it.restore() } }
            output.fileSize() shouldBe 0
        }

        test("an output that has another path than in the checkpoint is refused with both") {
            val former = newOutput()
            former.writeText(lines(1..5))
            ranks(2) { open(former).use { it.save(1) } }
            val moved = former.resolveSibling("moved")
            ranks(2) {
                val failure = shouldThrow<CheckpointException> { open(moved).use { it.restore() } }
                failure.cause.shouldBeFor<CheckpointException.Mismatch>(Reason.OUTPUT).message shouldBe
                    "$moved: the output 'energies' should have the 35 bytes that it had when the checkpoint was " +
                    "made, but it is gone. Nothing was cut: the output was in $former then. Move that file here, or " +
                    "let the program name it, or set lost-outputs = begin-anew, and the output continues without " +
                    "what it had."
            }
        }

        test("an output that is gone, shorter or another one is refused, and stays as it is") {
            val harms =
                mapOf<String, (Path) -> Unit>(
                    "is gone" to { it.deleteIfExists() },
                    "has only 7" to { it.writeText("step 1\n") },
                    "has other bytes before that length" to { it.writeText(lines(1..4) + "step 6\n" + lines(5..9)) },
                )
            for ((found, harm) in harms) {
                val output = newOutput()
                output.writeText(lines(1..5))
                ranks(2) { open(output).use { it.save(1) } }
                harm(output)
                val before = if (output.exists()) output.readText() else null
                ranks(2) {
                    val failure = shouldThrow<CheckpointException> { open(output).use { it.restore() } }
                    failure.cause.shouldBeFor<CheckpointException.Mismatch>(Reason.OUTPUT).message shouldBe
                        "$output: the output 'energies' should have the 35 bytes that it had when the checkpoint was " +
                        "made, but it $found. Nothing was cut: restore the file of that run, or set " +
                        "lost-outputs = begin-anew, and the output continues without what it had."
                }
                (if (output.exists()) output.readText() else null) shouldBe before
            }
        }
    })
