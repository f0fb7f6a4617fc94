package dev.cairn.house

import com.tngtech.archunit.core.importer.ClassFileImporter
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

private const val NAMES = "dev.cairn.house.planted.names"

class TypeNamesSpec :
    FunSpec({
        test("a name that two types have is found, but not that of nested types or of files with functions") {
            namesOfSeveralTypes(ClassFileImporter().importPackages(NAMES)) shouldBe
                mapOf("Twice" to listOf("$NAMES.one", "$NAMES.other"))
        }
    })
