package dev.cairn.house

import com.tngtech.archunit.base.DescribedPredicate
import com.tngtech.archunit.core.domain.JavaClass
import com.tngtech.archunit.core.importer.ClassFileImporter
import io.kotest.core.spec.style.funSpec
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.nio.file.Path

/**
 * What the code of every module owes: imports point where the house's arrows do, and in no circle; files and kinds of state are
 * behind one door; no name has two meanings.
 */
fun importContract() =
    funSpec {
        // The classes of specs are most of a module, and take most of the time.
        val areSpecsRead = Speed.chosen > Speed.SMALL
        val folders = listOfNotNull("classes", "test-classes".takeIf { areSpecsRead })
        val all by lazy { ClassFileImporter().importPaths(folders.map { Path.of("target", it) }) }
        val module by lazy { all.that(areInPrograms) }

        test("imports point where the house's arrows do") {
            Arrows("dev.cairn").rules.forEach { it.check(module) }
        }

        test("no packages use each other in a circle") {
            packageCircles(module).joinToString("\n") shouldBe ""
        }

        test("helpers of specs make no circle of packages, either").config(
            enabledOrReasonIf = needs { Need.CAMPAIGN.given(areSpecsRead) },
        ) {
            packageCircles(all).joinToString("\n") shouldBe ""
        }

        test("files are opened by the store alone") {
            oneDoor("dev.cairn").check(module)
        }

        test("kinds of state own their rules") {
            kindsOwnTheirRules("dev.cairn").check(module)
        }

        test("no two top-level types have the same name") {
            namesOfSeveralTypes(module.that(areNotOneProgramOfSeveral)).shouldBeEmpty()
        }
    }

private val areInPrograms: DescribedPredicate<JavaClass> =
    DescribedPredicate.describe("are in programs") { "/test-classes/" !in "${it.source.get().uri}" }

/** Each package below `examples` is a program of its own, and shown as it was before Cairn and as it is with it. */
private val areNotOneProgramOfSeveral: DescribedPredicate<JavaClass> =
    DescribedPredicate.describe("are not one program of several") { !it.packageName.startsWith("dev.cairn.examples.") }
