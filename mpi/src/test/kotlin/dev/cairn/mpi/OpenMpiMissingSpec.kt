package dev.cairn.mpi

import dev.cairn.house.Need
import dev.cairn.house.needs
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.io.path.exists

/** The beginning of a build that finds no Open MPI. */
class OpenMpiMissingSpec :
    FunSpec({
        val nowhere = tempdir().toPath()
        val complaint =
            "NO OPEN MPI FOUND: $nowhere/lib/mpi.jar is missing, so no spec runs with its Java bindings. " +
                "Run mpi/setup, or name your own with -Dcairn.mpi.home=PREFIX."

        test("a build without it goes on, and says what it leaves out") {
            val (code, output) = validate(listOf("-Dcairn.mpi.home=$nowhere"))
            output shouldContain complaint
            code shouldBe 0
        }

        test("a build that must have it ends at once") {
            val (code, output) = validate(listOf("-Dcairn.mpi.missing=ERROR", "-Dcairn.mpi.home=$nowhere"))
            output shouldContain complaint
            code shouldNotBe 0
        }

        test(
            "it is found where it is",
        ).config(enabledOrReasonIf = needs { Need.BINDINGS.given(MpiWay.BINDINGS.isThere) }) {
            val (code, output) = validate(listOf("-Dcairn.mpi.missing=ERROR", "-Dcairn.mpi.home=${MpiRun.home}"))
            withClue(output) { code shouldBe 0 }
        }
    })

/** How Maven's first phase ends in the module that is built first, and what it prints. */
private fun validate(options: List<String>): Pair<Int, String> {
    val maven = "${Path.of(System.getProperty("cairn.maven.home"), "bin", "mvn")}"
    val offline = listOf("-o").filter { System.getProperty("cairn.maven.settings") == "offline=true" }
    val repository = "-Dmaven.repo.local=${System.getProperty("localRepository")}"
    val command = listOf(maven, "-B", "-pl", "mpi/stub", "validate", repository) + offline + options
    val process = ProcessBuilder(command).directory(Path.of("..").toFile()).redirectErrorStream(true).start()
    val output = process.inputReader().readText()
    return process.waitFor() to output
}
