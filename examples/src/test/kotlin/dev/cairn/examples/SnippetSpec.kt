package dev.cairn.examples

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.extension
import kotlin.io.path.writeText
import kotlin.streams.asSequence

/** Every snippet on a page is code that compiles: a marked region of a source in this repository. */
class SnippetSpec :
    FunSpec({
        val root = Path.of("..")
        val pages = listOf(root.resolve("README.md")) + pagesBelow(root.resolve("docs"))

        test("every snippet is the region that it names") {
            val snippets = pages.flatMap(::snippetsOf)
            snippets.shouldNotBeEmpty()
            snippets.forEach { snippet ->
                withClue("$snippet: a block of Java or Kotlin follows a line <!-- snippet: FILE#REGION -->") {
                    val origin = snippet.origin.shouldNotBeNull()
                    withClue(origin) { snippet.text shouldBe regionOf(root, origin) }
                }
            }
        }

        test("a snippet without an origin, or one that differs from it, is noticed") {
            val folder = tempdir().toPath()
            folder.resolve("A.java").writeText("class A {\n  // region a\n  int a;\n  // endregion\n}\n")
            val page = folder.resolve("page.md")
            page.writeText("```java\nint a;\n```\n<!-- snippet: A.java#a -->\n```java\nint b;\n```\n```sh\nls\n```\n")

            val (unmarked, changed) = snippetsOf(page)

            unmarked.origin shouldBe null
            changed.origin shouldBe "A.java#a"
            changed.text shouldBe "int b;"
            regionOf(folder, "A.java#a") shouldBe "int a;"
            regionOf(folder, "A.java#b") shouldBe null
            regionOf(folder, "B.java#a") shouldBe null
        }
    })

private fun pagesBelow(folder: Path): List<Path> =
    Files.walk(folder).use { paths ->
        paths
            .asSequence()
            .filter { it.extension == "md" }
            .sorted()
            .toList()
    }
