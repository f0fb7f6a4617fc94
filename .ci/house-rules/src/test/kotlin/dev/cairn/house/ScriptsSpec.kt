package dev.cairn.house

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.useLines

/** Nothing is to be found in the repository's scripts. */
class ScriptsSpec :
    FunSpec({
        test("shellcheck finds nothing in any script").config(
            enabledOrReasonIf = needs { Need.SHELLCHECK.given(isOnPath("shellcheck")) },
        ) {
            val house = Path.of("..", "..").toRealPath()
            val scripts = textFiles(house).filter(::isScript)
            scripts.shouldNotBeEmpty()

            val process =
                ProcessBuilder(
                    listOf("shellcheck", "--external-sources", "--check-sourced", "--format=gcc") +
                        scripts.map { "$it" },
                ).directory(house.toFile())
                    .redirectErrorStream(true)
                    .start()
            process.inputReader().readText() shouldBe ""
            process.waitFor() shouldBe 0
        }
    })

private fun isScript(file: Path) = file.useLines(Charsets.ISO_8859_1) { SHEBANG.matches(it.firstOrNull().orEmpty()) }

private val SHEBANG = Regex("#!.*sh")
