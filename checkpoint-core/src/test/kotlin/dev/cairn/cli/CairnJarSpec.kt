package dev.cairn.cli

import dev.cairn.house.OUTSIDE
import dev.cairn.house.beside
import dev.cairn.house.finishedJar
import dev.cairn.sion.store.FileBlockStore
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldNotContainAnyOf
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldMatch
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import java.util.jar.JarFile

/** The finished jar, run as users run it: without the program that saved, and on the machine's own files. */
@Tags(OUTSIDE)
class CairnJarSpec :
    FunSpec({
        val directory = tempdir().toPath().resolve("heat.cairn")
        val heat = HeatCheckpoints(FileBlockStore())

        fun start(vararg arguments: String): Process =
            ProcessBuilder(JAVA.toString(), "-jar", beside("cli").toString(), *arguments).start()

        test("it prints what the command prints inside this JVM, and hands its exit code to the shell") {
            heat.save(3, step = 1, directory = directory)
            for (verb in listOf("ls", "info", "verify", "explain")) {
                val process = start(verb, "--json", directory.toString())

                process.inputStream.reader().readText() shouldBe heat.cairn(verb, "--json", directory.toString()).text
                process.waitFor() shouldBe 0
            }
            heat.damage(1, cell(7), directory)
            start("verify", directory.toString()).waitFor() shouldBe 1
            start("verify").waitFor() shouldBe 2
            start("verify", "$directory.none").waitFor() shouldBe 3
        }

        test("it knows its version") {
            start("--version").inputStream.reader().readText() shouldMatch "cairn [0-9]+\\.[0-9]+\\..*\n"
        }

        test("it ends quietly when its reader leaves") {
            val process = start("ls", directory.toString())
            process.inputStream.close()

            process.waitFor(1, TimeUnit.MINUTES) shouldBe true
            process.exitValue() shouldBe 141
        }

        test("it brings what it uses, and the library's jar nothing but itself") {
            beside("cli").entryNames() shouldContainAll COMMAND
            finishedJar.entryNames() shouldNotContainAnyOf COMMAND
        }
    })

/** What the command alone uses. */
private val COMMAND = listOf("dev/cairn/command/Shell.class", "picocli/CommandLine.class")

private fun Path.entryNames(): List<String> = JarFile(toFile()).use { jar -> jar.stream().map { it.name }.toList() }

private val JAVA: Path = Path.of(System.getProperty("java.home"), "bin", "java")
