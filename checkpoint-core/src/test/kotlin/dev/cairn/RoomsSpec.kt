package dev.cairn

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import java.nio.file.Path
import kotlin.io.path.extension
import kotlin.io.path.name
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.readLines
import kotlin.io.path.walk

/** Each package says in the first line of its package-info which specs prove it. */
class RoomsSpec :
    FunSpec({
        val sources = Path.of("src")

        fun packagesOf(extension: String) =
            sources
                .resolve("main")
                .walk()
                .filter { it.extension == extension && "META-INF" !in "$it" && it.name != "module-info.java" }

        test("each package has a package-info, which names specs that exist") {
            val infos = packagesOf("java").filter { it.name == "package-info.java" }.toList()
            val packages =
                (
                    packagesOf(
                        "kt",
                    ) + packagesOf("java")
                ).map { "${it.parent}".substringAfter("dev/cairn") }.toSet()
            infos.map { "${it.parent}".substringAfter("dev/cairn") } shouldContainExactlyInAnyOrder packages
            val specs =
                sources
                    .resolve("test")
                    .walk()
                    .map { it.nameWithoutExtension }
                    .toSet()
            val named = infos.associate { it.parent.name to NAMED.find(it.readLines().first())?.groupValues?.get(1) }
            named.filterValues { it == null || it.split(", ").any { spec -> spec !in specs } }.keys.shouldBeEmpty()
        }
    })

private val NAMED = Regex("// Proved by (.+)\\.")
