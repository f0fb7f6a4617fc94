package dev.cairn

import dev.cairn.house.compiledModule
import dev.cairn.house.requiredAtRunTime
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class ModuleSpec :
    FunSpec({
        test("the core runs with the format, Kotlin, coroutines, serialization, signals and figures of memory alone") {
            compiledModule().requiredAtRunTime() shouldBe
                setOf(
                    "java.base",
                    "java.management",
                    "jdk.management",
                    "jdk.unsupported",
                    "dev.cairn.sion",
                    "kotlin.stdlib",
                    "kotlinx.coroutines.core",
                    "kotlinx.serialization.core",
                    "kotlinx.serialization.json",
                )
        }
    })
