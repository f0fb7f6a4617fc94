package dev.cairn.examples

import dev.cairn.house.OUTSIDE
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.comparables.shouldBeLessThan
import io.kotest.matchers.paths.shouldNotExist
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.json.jsonPrimitive
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.writeText

/** The program of the README in JVMs of its own. `examples/run` kills it. */
@Tags(OUTSIDE)
class HeatSpec :
    FunSpec({
        val directory = tempdir().toPath()

        test("on a request to end it saves, and a restart continues from there") {
            val store = directory.resolve("asked.cairn")
            val asked = heat(store, "--ranks", "4", "--every", "5")
            asked.errorReader().lineSequence().first { "save 1, step 5:" in it }
            asked.toHandle().destroy()
            asked.waitFor() shouldBe UNFINISHED
            val step =
                lastManifest(store)
                    .getValue("step")
                    .jsonPrimitive.content
                    .toLong()
            step shouldBeLessThan 2_000L

            heat(store, "--ranks", "1").waitFor() shouldBe 0
            val unbroken = directory.resolve("unbroken.cairn")
            heat(unbroken, "--ranks", "2").waitFor() shouldBe 0
            lastDigests(store) shouldBe lastDigests(unbroken)
        }

        test("a file of settings under its former name ends it before it begins") {
            val folder = directory.resolve("former").createDirectory()
            folder.resolve("cairn.properties").writeText("keep-last = 4")
            val refused = heat(Path.of("former.cairn"), workingDirectory = folder)
            refused.errorReader().readText() shouldContain "heat: cairn.properties: settings are read from cairn.conf"
            refused.waitFor() shouldBe REFUSED
            folder.resolve("former.cairn").shouldNotExist()
        }
    })

private const val REFUSED = 64
private const val UNFINISHED = 75

private fun heat(store: Path, vararg options: String, workingDirectory: Path = Path.of("")): Process =
    ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp",
        System.getProperty("java.class.path"),
        "dev.cairn.examples.HeatKt",
        "--dir",
        store.toString(),
        *options,
    ).directory(workingDirectory.toAbsolutePath().toFile()).start()
