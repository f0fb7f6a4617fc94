package dev.cairn.house

import com.tngtech.archunit.core.importer.ClassFileImporter
import io.kotest.core.spec.style.funSpec
import java.nio.file.Path

/** What the code of every module owes: imports point where the house's arrows do, and files and kinds of state are behind one door. */
fun importContract() =
    funSpec {
        val module = ClassFileImporter().importPath(Path.of("target", "classes"))

        test("imports point where the house's arrows do") {
            Arrows("dev.cairn").rules.forEach { it.check(module) }
        }

        test("files are opened by the store alone") {
            oneDoor("dev.cairn").check(module)
        }

        test("kinds of state own their rules") {
            kindsOwnTheirRules("dev.cairn").check(module)
        }
    }
