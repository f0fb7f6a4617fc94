package dev.cairn.sion

import dev.cairn.house.compiledModule
import dev.cairn.house.requiredAtRunTime
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class ModuleSpec :
    FunSpec({
        test("the library runs with the Java runtime's base module alone") {
            compiledModule().requiredAtRunTime() shouldBe setOf("java.base")
        }
    })
