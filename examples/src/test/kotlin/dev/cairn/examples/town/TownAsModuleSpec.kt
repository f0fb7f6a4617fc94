package dev.cairn.examples.town

import dev.cairn.examples.ended
import dev.cairn.examples.program
import dev.cairn.house.JDK_DEPENDENT
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Path
import kotlin.io.path.readText

/** The town as a module: on any JDK its package must be open to Cairn, and nothing else. */
@Tags(JDK_DEPENDENT)
class TownAsModuleSpec :
    FunSpec({
        test("state in a package that is closed is refused with the line that opens it") {
            val refused = townAsModule(tempdir().toPath())
            refused.errorReader().readText() shouldContain
                "cannot be read, since the module dev.cairn.examples does not open its package: write 'opens " +
                "dev.cairn.examples.town to dev.cairn.core;' into its module-info.java"
            refused.waitFor() shouldBe 1
        }

        test("with that line a graph comes back, and the JDK warns of nothing") {
            val folder = tempdir().toPath()
            val killed = townAsModule(folder, OPEN)
            killed.errorReader().lineSequence().first { "step 5:" in it }
            killed.destroyForcibly().waitFor()
            val second = townAsModule(folder, OPEN)
            val logged = second.errorReader().readText()
            second.ended(0)
            logged shouldContain "restored save"
            logged shouldNotContain "WARNING"
            val usual = tempdir().toPath()
            program("dev.cairn.examples.town.Town", usual, arguments = SMALL).ended(0)
            folder.resolve("final.txt").readText() shouldBe usual.resolve("final.txt").readText()
        }
    })

private const val OPEN = "--add-opens=dev.cairn.examples/dev.cairn.examples.town=dev.cairn.core"
private val SMALL = arrayOf("size=20", "district=5", "residents=50", "days=12")

/** What names the modules on a class path; those of Cairn are folders or jars, as far as the build has come. */
private val MODULES =
    listOf("/target/classes", "/cairn-") +
        listOf("kotlin-stdlib", "kotlinx-coroutines-core", "kotlinx-serialization", "hipparchus", "jspecify")

private fun townAsModule(folder: Path, vararg options: String): Process {
    val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
    val modules =
        System
            .getProperty("java.class.path")
            .split(":")
            .map { "${Path.of(it).toAbsolutePath()}" }
            .filter { path -> MODULES.any { it in path } && "-tests" !in path }
            .joinToString(":")
    val town = arrayOf("-m", "dev.cairn.examples/dev.cairn.examples.town.Town", *SMALL)
    return ProcessBuilder(java, "-p", modules, *options, *town)
        .directory(folder.toFile())
        .apply { environment() += "CAIRN_EVERY" to "1" }
        .start()
}
