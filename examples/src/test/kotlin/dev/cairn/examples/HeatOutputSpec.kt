package dev.cairn.examples

import dev.cairn.event.ExitCode
import dev.cairn.house.Need
import dev.cairn.house.needs
import dev.cairn.java.BlockingSimulation
import dev.cairn.runSimulation
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.stripe.Hyperslab
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createFile
import kotlin.io.path.readText

/** Heat and particles that are written into NetCDF files while the number of ranks changes. */
class HeatOutputSpec :
    FunSpec({
        val directory = tempdir().toPath()

        fun options(store: String, vararg options: String) =
            arrayOf("--dir", "${directory.resolve("$store.cairn")}", *options)

        suspend fun heat(file: Path, vararg options: String) =
            runSimulation("heat-output", options("${file.fileName}", *options)) { heat(file, 40, 60, every = 7) }

        fun heatInJava(file: Path, vararg options: String) =
            BlockingSimulation.run("heat-output", options("${file.fileName}", *options)) { sim ->
                HeatOutputInJava.heat(sim, file, 40, 60, 7)
            }

        val unbroken = directory.resolve("unbroken.nc")
        beforeSpec { heat(unbroken, "--ranks", "2") shouldBe ExitCode.FINISHED }

        test("Java goes on with the file that Kotlin has begun, and ends with the same bytes") {
            val inJava = directory.resolve("java.nc")
            directory.resolve("java.nc.cairn.stop").createFile()
            heat(inJava, "--ranks", "5", "--every", "9") shouldBe ExitCode.UNFINISHED
            heatInJava(inJava, "--ranks", "3", "--every", "9") shouldBe ExitCode.FINISHED
            Files.mismatch(inJava, unbroken) shouldBe -1
        }

        test("particles have the same places in the file, whatever ranks they were on") {
            suspend fun nbody(file: Path, vararg options: String) =
                runSimulation("nbody-output", options("${file.fileName}", *options)) { nbody(file, 30, every = 4) }
            val whole = directory.resolve("nbody.nc")
            nbody(whole, "--ranks", "2") shouldBe ExitCode.FINISHED
            val broken = directory.resolve("broken-nbody.nc")
            directory.resolve("broken-nbody.nc.cairn.stop").createFile()
            nbody(broken, "--ranks", "5") shouldBe ExitCode.UNFINISHED
            nbody(broken, "--ranks", "3") shouldBe ExitCode.FINISHED
            Files.mismatch(broken, whole) shouldBe -1
            NetcdfReader.open(FileBlockStore(), whole).use {
                it.recordCount() shouldBe 8
                it.readDoubles("x", Hyperslab.WHOLE).size shouldBe 8 * PARTICLE_COUNT
            }
        }

        test("the page leads to the script that draws the plate") {
            Path.of("../docs/how-to/netcdf-output.md").readText() shouldContain "(../../examples/$SCRIPT)"
        }

        test("the script draws a line for each record").config(enabledOrReasonIf = needs { netcdfForPython }) {
            val lines = outputOf(PYTHON, "-B", "$SCRIPT", "$unbroken").lines()
            lines.size shouldBe 9
            lines.first() shouldBe "   0.0 s |     |"
            // Next to the hot edge 100 * erfc(1 / sqrt(4 * 0.2 * 56)) = 83 degrees, and one of 8 rows is drawn.
            lines.last() shouldBe "   5.6 s |%    |"
        }
    })

private const val PYTHON = "/usr/bin/python3"
private val SCRIPT = Path.of("src/main/python/plot_heat.py")

private val netcdfForPython by lazy {
    Need.NETCDF.given(runCatching { outputOf(PYTHON, "-c", "import netCDF4") }.isSuccess)
}

private fun outputOf(vararg command: String): String {
    val process = ProcessBuilder(*command).redirectErrorStream(true).start()
    val output = process.inputReader().readText().trimEnd()
    check(process.waitFor() == 0) { "${command.toList()}: $output" }
    return output
}
