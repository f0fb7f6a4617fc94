package dev.cairn.sion

import dev.cairn.house.beside
import dev.cairn.house.finishedJar
import dev.cairn.house.jarContract
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldNotContainAnyOf
import io.kotest.matchers.shouldBe
import java.util.jar.JarFile

class SionJarSpec :
    FunSpec({
        include(jarContract("dev.cairn.sion"))

        test("the command line's jar starts by itself and brings what it uses") {
            JarFile(beside("cli").toFile()).use { jar ->
                jar.manifest.mainAttributes.getValue("Main-Class") shouldBe "dev.cairn.sion.cli.SionCommand"
                jar.entryNames() shouldContainAll COMMAND
            }
        }

        test("the library's jar brings nothing but itself") {
            JarFile(finishedJar.toFile()).use { jar ->
                jar.entryNames() shouldNotContainAnyOf COMMAND
            }
        }
    })

/** What the commands alone use. */
private val COMMAND = listOf("dev/cairn/command/Shell.class", "picocli/CommandLine.class")

private fun JarFile.entryNames(): List<String> = stream().map { it.name }.toList()
