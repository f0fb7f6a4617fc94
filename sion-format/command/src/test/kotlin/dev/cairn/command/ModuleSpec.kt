package dev.cairn.command

import dev.cairn.house.compiledModule
import dev.cairn.house.requiredAtRunTime
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe

class ModuleSpec :
    FunSpec({
        test("the commands need picocli alone") {
            compiledModule().requiredAtRunTime() shouldBe setOf("java.base", "info.picocli")
        }

        test("no program can use what the commands share") {
            compiledModule().exports().filterNot { it.isQualified }.shouldBeEmpty()
        }
    })
