package dev.cairn.house

import com.tngtech.archunit.core.importer.ClassFileImporter
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

private const val CIRCLE = "dev.cairn.house.planted.circle"

class PackageCirclesSpec :
    FunSpec({
        val circles = packageCircles(ClassFileImporter().importPackages(CIRCLE)).sortedBy { "$it" }

        test(
            "planted circles are found, with their packages and the classes that make them, and what a spec uses is none",
        ) {
            circles.joinToString("\n") { "$it".replace("$CIRCLE.", "") } shouldBe
                """
                save, state, store use each other:
                  save -> store: Saver uses Store
                  state -> save: State uses Saver
                  store -> state: Store uses State
                tree, tree.leaf use each other:
                  tree -> tree.leaf: Tree uses Leaf
                  tree.leaf -> tree: Leaf uses Tree
                """.trimIndent()
        }

        test("of many uses some are shown, and the others are counted") {
            val use = PackageUse("a", "b", ('A'..'J').map { "$it uses Z" }.toSet())
            "$use" shouldBe "a -> b: ${('A'..'H').joinToString { "$it uses Z" }} and 2 more"
        }
    })
