package dev.cairn

import dev.cairn.house.Need
import dev.cairn.house.beside
import dev.cairn.house.isDocumented
import dev.cairn.house.jarContract
import dev.cairn.house.needs
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.string.shouldContain
import java.util.jar.JarFile

class CoreJarSpec :
    FunSpec({
        include(jarContract("dev.cairn.core"))

        test("the pages beside the jar show what Kotlin callers see, and exported packages only").config(
            enabledOrReasonIf = needs { Need.JAVADOC.given(isDocumented) },
        ) {
            JarFile(beside("javadoc").toFile()).use { jar ->
                val pages =
                    jar
                        .stream()
                        .map { it.name }
                        .filter { it.endsWith(".html") }
                        .toList()

                pages shouldContain "cairn-core/dev.cairn/-checkpoints/restore.html"
                jar.text("cairn-core/dev.cairn/-checkpoints/restore.html") shouldContain
                    "suspend fun restore(): CheckpointEvent.Restored?"
                pages
                    .filter { "/dev.cairn.redistribution/" in it }
                    .shouldBeEmpty()
                pages.filter { "TODO" in jar.text(it) }.shouldBeEmpty()
            }
        }
    })

/** What a page says, without the tags. */
private fun JarFile.text(page: String): String =
    getInputStream(getEntry(page)).use { it.readAllBytes().decodeToString() }.replace(Regex("<[^>]*>"), "")
