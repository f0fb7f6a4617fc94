package dev.cairn.examples

import dev.cairn.house.compiledModule
import dev.cairn.house.requiredAtRunTime
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class ModuleSpec :
    FunSpec({
        test(
            "examples ask for Cairn, Kotlin and the library of a code that existed, benchmarks for options, plots, JSON and a peer",
        ) {
            val examples = setOf("java.base", "dev.cairn.core", "dev.cairn.sion", "kotlin.stdlib", "hipparchus.ode")
            val benchmarks =
                setOf(
                    "dev.cairn.command",
                    "info.picocli",
                    "kotlinx.coroutines.core",
                    "kotlinx.serialization.json",
                    "com.esotericsoftware.kryo",
                )
            compiledModule().requiredAtRunTime() shouldBe examples + benchmarks
        }
    })
