package dev.cairn.house

import com.tngtech.archunit.core.importer.ClassFileImporter
import com.tngtech.archunit.lang.ArchRule
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

private const val PLANTED = "dev.cairn.house.planted.arrows"

/** A rule that cannot fail guards nothing: the planted house breaks each of them, and also does what is allowed. */
class ImportRulesSpec :
    FunSpec({
        val house = ClassFileImporter().importPackages(PLANTED)

        fun culprits(rules: List<ArchRule>): Set<String> =
            rules
                .flatMap { it.evaluate(house).failureReport.details }
                .map { Regex("""planted\.arrows\.([\w.]+)""").find(it)!!.groupValues[1] }
                .map { it.split('.').first { word -> word[0].isUpperCase() } }
                .toSet()

        test("each arrow that is turned round is noticed, and no other") {
            culprits(Arrows(PLANTED).rules) shouldBe
                setOf(
                    "FormatUsesLayout",
                    "StoreUsesRoot",
                    "RootUsesItsCommand",
                    "CommunicatorKnowsFiles",
                    "SaveMeetsRestore",
                    "RestoreComputesOffsets",
                    "MpiKnowsRestore",
                    "BenchUsesMpi",
                    "Forgotten",
                )
        }

        test("each file that is opened past the door is noticed, and no other") {
            culprits(listOf(oneDoor(PLANTED))) shouldBe
                setOf("RestoreOpensAFile", "MpiOpensAFile", "ExampleOpensAFile")
        }

        test("each decision by the kind of an item is noticed outside of the kinds, and no other") {
            culprits(listOf(kindsOwnTheirRules(PLANTED))) shouldBe
                setOf("RestoreChoosesByItem", "RestoreFiltersItems", "RestoreChoosesByKind")
        }
    })
