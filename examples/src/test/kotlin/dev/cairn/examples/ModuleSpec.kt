package dev.cairn.examples

import dev.cairn.house.compiledModule
import dev.cairn.house.requiredAtRunTime
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class ModuleSpec :
    FunSpec({
        test("examples ask for Cairn, Kotlin and the library of a code that existed") {
            compiledModule().requiredAtRunTime() shouldBe
                setOf("java.base", "dev.cairn.core", "dev.cairn.sion", "kotlin.stdlib", "hipparchus.ode")
        }
    })
