package dev.cairn.mpi

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
            "NO OPEN MPI FOUND, but it is required: $nowhere/lib/mpi.jar is missing. " +
                "Run mpi/setup, or name your own with -Dcairn.mpi.home=PREFIX."

        for (said in listOf(listOf("-Dcairn.mpi=required"), emptyList())) {
            test("a place without it ends the build at once ${said.joinToString()}") {
                val (code, output) = validate(said + "-Dcairn.mpi.home=$nowhere")
                code shouldNotBe 0
                output shouldContain complaint
            }
        }

        test("it is found where it is").config(enabled = MpiRun.home.resolve("lib/mpi.jar").exists()) {
            val (code, output) = validate(listOf("-Dcairn.mpi=required", "-Dcairn.mpi.home=${MpiRun.home}"))
            withClue(output) { code shouldBe 0 }
        }
    })

/** How Maven's first phase ends in the root of the project, and what it prints. */
private fun validate(options: List<String>): Pair<Int, String> {
    val maven = "${Path.of(System.getProperty("cairn.maven.home"), "bin", "mvn")}"
    val offline = listOf("-o").filter { System.getProperty("cairn.maven.settings") == "offline=true" }
    val repository = "-Dmaven.repo.local=${System.getProperty("localRepository")}"
    val command = listOf(maven, "-B", "-q", "-pl", ".", "validate", repository) + offline + options
    val process = ProcessBuilder(command).directory(Path.of("..").toFile()).redirectErrorStream(true).start()
    val output = process.inputReader().readText()
    return process.waitFor() to output
}
