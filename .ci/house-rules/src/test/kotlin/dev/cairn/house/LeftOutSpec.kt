package dev.cairn.house

import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.extensions.system.OverrideMode
import io.kotest.extensions.system.withSystemProperty
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import org.junit.platform.engine.discovery.DiscoverySelectors.selectClass
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder
import org.junit.platform.launcher.core.LauncherFactory
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.writeText

/** The last lines of a build: how many tests were left out, and why. */
class LeftOutSpec :
    FunSpec({
        test("tests that lack something are noted with the reason, whether others of their spec run or none") {
            val build = "planted-${ProcessHandle.current().pid()}"
            val house = Path.of("../..")
            try {
                withSystemProperty(
                    BUILD,
                    build,
                    OverrideMode.SetOrOverride,
                ) { run(Needy::class.java, Idle::class.java) }
                leftOut(house, build) shouldContainExactly
                    listOf(
                        "Left out: 2 tests: ${Need.PYTHON.reason}",
                        "Left out: 2 tests: ${Need.ZSTD.reason}",
                        "Left out: 1 test: ${Need.MPI.reason}",
                    )
            } finally {
                Path.of("target/left-out", build).toFile().deleteRecursively()
            }
        }

        test("the notes of all modules and processes are counted once each, and those of another build are not") {
            val house = tempdir().toPath()
            note(house, "core", "now", "1", "ASpec/a\tno b", "ASpec/c\tno b", "ASpec/d\tno c")
            note(house, "core/inner", "now", "2", "BSpec/a\tno b", "ASpec/d\tno c")
            note(house, ".ci/rules", "now", "1", "CSpec/a\tno c", "CSpec/b\tno a")
            note(house, "core/inner", "before", "1", "DSpec/a\tno a", "DSpec/b\tno e")

            leftOut(house, "now") shouldContainExactly
                listOf("Left out: 3 tests: no b", "Left out: 2 tests: no c", "Left out: 1 test: no a")
        }

        test("nothing is said where nothing was left out") {
            leftOut(tempdir().toPath(), "now").shouldBeEmpty()
        }
    })

/** By their names no specs of their own. */
internal class Needy :
    FunSpec({
        test("has all").config(enabledOrReasonIf = needs { Need.MPI.given(true) and Need.ZSTD.given(true) }) { }
        test("lacks one").config(enabledOrReasonIf = needs { Need.ZSTD.given(false) }) { error("it runs") }
        test(
            "lacks the first",
        ).config(enabledOrReasonIf = needs { Need.MPI.given(false) and Need.ZSTD.given(true) }) { }
        test(
            "lacks the second",
        ).config(enabledOrReasonIf = needs { Need.MPI.given(true) and Need.ZSTD.given(false) }) { }
    })

internal class Idle :
    FunSpec({
        for (name in listOf("one", "other")) {
            test(name).config(enabledOrReasonIf = needs { Need.PYTHON.given(false) }) { error("it runs") }
        }
    })

private fun run(vararg specs: Class<*>) {
    val request = LauncherDiscoveryRequestBuilder.request().selectors(specs.map { selectClass(it) }).build()
    LauncherFactory.create().execute(request)
}

private fun note(house: Path, module: String, build: String, process: String, vararg lines: String) =
    house
        .resolve("$module/target/left-out/$build")
        .createDirectories()
        .resolve("$process.txt")
        .writeText(lines.joinToString("") { "$it\n" })
