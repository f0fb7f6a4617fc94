package dev.cairn.proof.memory

import dev.cairn.checkpoint.DirectMemory
import dev.cairn.checkpoint.SnapshotBudget
import dev.cairn.checkpoint.SnapshotMemory
import dev.cairn.event.ExitCode
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.runSimulation
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.file.Path

/** A copy of the state that leaves less memory than the windows of a flush would take. */
class CopiedMemorySpec :
    FunSpec({
        test("records are written in smaller windows where copies have taken the memory outside of the heap") {
            succeeds("72m", "dev.cairn.proof.memory.CopiedMemorySpecKt", "${tempdir()}")
        }

        test("copies leave memory for other buffers, also where those came after the room for copies was measured") {
            succeeds("40m", "dev.cairn.proof.memory.CopiesUntilNoRoom")
        }
    })

private fun succeeds(directMemory: String, vararg program: String) {
    val process =
        ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Xmx400m",
            "-XX:MaxDirectMemorySize=$directMemory",
            "-cp",
            System.getProperty("java.class.path"),
            *program,
        ).redirectErrorStream(true).start()
    val output = process.inputReader().readText()
    withClue(output) { process.waitFor() shouldBe 0 }
}

/** A window that comes after the room was measured, and copies until there is no room for one more. */
internal object CopiesUntilNoRoom {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val mebibyte = 1 shl 20
        val memory = SnapshotMemory(SnapshotBudget(DirectMemory.limit - DirectMemory.used - DirectMemory.RESERVE))
        val window = ByteBuffer.allocateDirect(8 * mebibyte)
        val copies = generateSequence { memory.take(mebibyte.toLong()) }.toList()
        check(copies.size == 16) { "${copies.size} copies of 1 MiB beside a window of ${window.capacity()} bytes" }
        check(
            DirectMemory.limit - DirectMemory.used >= DirectMemory.RESERVE,
        ) { "${DirectMemory.used} bytes are in use" }
    }
}

/** Eight ranks append 40 MiB to logs, copy as much for a save, and write both while they go on. */
internal suspend fun main(arguments: Array<String>) {
    val place = Path.of(arguments.single())
    val options = arrayOf("--dir", "$place/few.cairn", "--ranks", "8", "--wait", "copied", "--every", "1")
    val code =
        runSimulation("few", options) {
            val v by doubles(Decomposition.rows(Shape.of(5L shl 20), size)) { (i) -> i.toDouble() }
            val out by netcdf(place.resolve("few.nc")) {
                stage = place.resolve("logs")
                variable(v, "v")
            }
            for (step in steps(until = 3)) {
                out.append()
                lastSave?.let { check(it is Saved || "$it".contains("copied")) { "$it" } }
            }
        }
    check(code == ExitCode.FINISHED) { "$code" }
}
