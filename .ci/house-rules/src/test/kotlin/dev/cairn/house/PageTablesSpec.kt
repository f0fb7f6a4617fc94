package dev.cairn.house

import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.writeText

/** Each row on a page is in a table. */
class PageTablesSpec :
    FunSpec({
        test("no table of a page is cut in two") {
            lostRows(Path.of("..", "..")) shouldBe emptyList()
        }

        test("the rows behind a blank line, and a table without a head, are found; code is none") {
            val folder = tempdir().toPath()
            folder.resolve("page.md").writeText(
                "| a | b |\n|---|--:|\n| 1 | 2 |\n\n| 3 | 4 |\n| 5 | 6 |\n\n```\n| x |\n```\n\ntext\n| c |\n",
            )
            lostRows(folder) shouldContainExactly listOf("page.md:5", "page.md:13")
        }
    })
