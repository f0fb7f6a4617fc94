package dev.cairn.house

import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.createParentDirectories
import kotlin.io.path.writeText

/** Each reference to a page of docs/decisions leads to one. */
class DecisionReferencesSpec :
    FunSpec({
        val house = Path.of("..", "..")

        test("every reference to a decision in docs and sources leads to its page") {
            lostDecisions(house) shouldBe emptyList()
        }

        test("the index of decisions lists each page once") {
            unlistedDecisions(house) shouldBe emptyList()
        }

        test("a reference to a page that is gone is found, with file and line, wherever it is") {
            val planted = plantedHouse(tempdir().toPath())
            planted.write("README.md", "one\n[0002](docs/$PAGES/0002-gone.md), see [format](docs/format.md)\n")
            planted.write("core/src/Saver.kt", "// see docs/$PAGES/0001-kept.md and decision $NOT_THERE\n")
            planted.write("core/target/Saver.kt", "// decision $NOT_THERE\n")
            planted.write("docs/$PAGES/0001-kept.md", "the fence of $NOT_THERE, after 0.0001 s and 10,000 ranks\n")

            lostDecisions(planted) shouldContainExactly
                listOf(
                    "README.md:2: there is no page docs/$PAGES/0002-gone.md",
                    "core/src/Saver.kt:1: there is no decision $NOT_THERE",
                    "docs/$PAGES/0001-kept.md:1: there is no decision $NOT_THERE",
                )
        }

        test("a link that is called by another number is found, and so is a page that was renamed") {
            val planted = plantedHouse(tempdir().toPath())
            planted.write("docs/guide.md", "[0002]($PAGES/0001-kept.md) and [0001]($PAGES/0001-former.md)\n")

            lostDecisions(planted) shouldContainExactly
                listOf(
                    "docs/guide.md:1: there is no page docs/$PAGES/0001-former.md",
                    "docs/guide.md:1: the link is called 0002 and leads to decision $KEPT",
                )
        }

        test("a page that the index lists not at all or twice is found") {
            val planted = plantedHouse(tempdir().toPath())
            planted.write("docs/$PAGES/0002-twice.md", "")
            planted.write("docs/$PAGES/0003-listed.md", "")
            planted.write("docs/$PAGES/README.md", "(0002-twice.md)\n(0003-listed.md) (0002-twice.md)\n")

            unlistedDecisions(planted) shouldContainExactly listOf("0001-kept.md", "0002-twice.md")
        }
    })

// In parts, so that the first test finds no reference on this page.
private const val PAGES = "decisions"

private const val KEPT = "0001"

private const val NOT_THERE = "0004"

private fun plantedHouse(folder: Path): Path {
    folder.write("docs/$PAGES/0001-kept.md", "")
    return folder
}

private fun Path.write(file: String, text: String) = resolve(file).createParentDirectories().writeText(text)
