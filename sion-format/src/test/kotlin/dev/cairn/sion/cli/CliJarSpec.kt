package dev.cairn.sion.cli

import dev.cairn.house.OUTSIDE
import dev.cairn.house.finishedJar
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldMatch
import java.nio.file.Path
import java.util.concurrent.TimeUnit

/** The finished jar, run as users run it. */
@Tags(OUTSIDE)
class CliJarSpec :
    FunSpec({
        val jar = finishedJar.resolveSibling(finishedJar.fileName.toString().replace(".jar", "-cli.jar"))
        val file = bundled("s03-five-mixed.sion")

        fun start(vararg arguments: String): Process =
            ProcessBuilder(JAVA.toString(), "-jar", jar.toString(), *arguments)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()

        test("it prints what the command prints inside this JVM") {
            val process = start("dump", "-a", "-l", file.toString())

            process.inputStream.reader().readText() shouldBe sion("dump", "-a", "-l", file.toString()).text
            process.waitFor() shouldBe 0
        }

        test("it knows its version") {
            start("version").inputStream.reader().readText() shouldMatch "sion [0-9]+\\.[0-9]+\\..*, writes .*\n"
        }

        test("it hands the exit code of a refusal to the shell") {
            val process = ProcessBuilder(JAVA.toString(), "-jar", jar.toString(), "verify", "$file.none").start()

            process.errorReader().readText() shouldBe "sion: $file.none: there is no such file. Check the name.\n"
            process.waitFor() shouldBe 1
        }

        test("it ends quietly when its reader leaves") {
            val process = start("cat", file.toString())
            process.inputStream.close()

            process.waitFor(1, TimeUnit.MINUTES) shouldBe true
            process.exitValue() shouldBe 141
        }
    })

private val JAVA: Path = Path.of(System.getProperty("java.home"), "bin", "java")
