package dev.cairn.house

import com.tngtech.archunit.core.importer.ClassFileImporter
import io.kotest.core.spec.style.funSpec
import io.kotest.matchers.shouldBe
import java.nio.file.Path

/** No package of a module uses a package that uses it, in programs and in the helpers of their specs. */
fun packageCirclesContract() =
    funSpec {
        test("no packages use each other in a circle, and neither do the helpers of specs") {
            val module =
                ClassFileImporter().importPaths(
                    Path.of("target", "classes"),
                    Path.of("target", "test-classes"),
                )

            packageCircles(module).joinToString("\n") shouldBe ""
        }
    }
