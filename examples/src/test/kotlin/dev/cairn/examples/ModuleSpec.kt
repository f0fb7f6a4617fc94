package dev.cairn.examples

import dev.cairn.house.compiledModule
import dev.cairn.house.requiredAtRunTime
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class ModuleSpec :
    FunSpec({
        test("an example asks for nothing but Cairn and Kotlin, the benchmarks for options and JSON") {
            compiledModule().requiredAtRunTime() shouldBe
                setOf(
                    "java.base",
                    "dev.cairn.core",
                    "dev.cairn.sion",
                    "kotlin.stdlib",
                    "info.picocli",
                    "kotlinx.serialization.json",
                )
        }
    })
