package dev.cairn.cli

import dev.cairn.manifestOf
import dev.cairn.store.SaveNames
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive

/** The command shows with which parameters a checkpoint was made, and keeps them. */
class ParametersCommandSpec :
    FunSpec({
        suspend fun flock(vararg runs: Map<String, Any>) =
            HeatCheckpoints().apply {
                for (parameters in runs) {
                    save(rankCount = 2, step = 5, HEAT, fileCount = 1) { _, _ ->
                        parameters.forEach { (name, value) -> parameter(name, value) }
                        replicated("n", { 1L }, {})
                    }
                }
            }

        val long = "a" + "b".repeat(99)

        test("ls has a column of parameters if a save has any, and its JSON has them whole") {
            val flock = flock(mapOf("agents" to 3_000, "model" to "A\nB"), emptyMap(), mapOf("model" to long))
            flock.cairn("ls", "heat.cairn").lines shouldBe
                listOf(
                    "save  step  phase  time                  run       ranks  bytes  pinned  " +
                        "parameters                                                    state",
                    "   1     5  main   2025-01-31T09:01:00Z  5d1c0a52      2      1          " +
                        "agents = 3000, model = A?B                                    good",
                    "   2     5  main   2025-01-31T09:02:00Z  5d1c0a52      2      1          " +
                        "                                                              good",
                    "   3     5  main   2025-01-31T09:03:00Z  5d1c0a52      2      1          " +
                        "model = a" + "b".repeat(50) + "…  good",
                )
            val saves =
                flock
                    .cairn("ls", "--json", "heat.cairn")
                    .json
                    .getValue("saves")
                    .jsonArray
            val parameters = saves.map { it.jsonObject.getValue("parameters").jsonObject }
            parameters.map { all -> all.mapValues { it.value.jsonPrimitive.content } } shouldBe
                listOf(mapOf("agents" to "3000", "model" to "A\nB"), emptyMap(), mapOf("model" to long))
        }

        test("info and explain show them") {
            val flock = flock(mapOf("agents" to 3_000, "model" to "A\nB"))
            val info = flock.cairn("info", "heat.cairn").lines
            info shouldContain "parameter   'agents' = 3000"
            info shouldContain "parameter   'model' = \"A\\nB\""
            flock.cairn("explain", "heat.cairn").lines.last() shouldBe
                "A restart continues from save 1. It is refused if the program is started with other parameters than " +
                "'agents' = 3000, 'model' = \"A\\nB\" and does not allow the change."
        }

        test("saves that differ in nothing but a parameter are different") {
            val runs =
                listOf(
                    mapOf("agents" to 3_000),
                    mapOf("agents" to 3_000L),
                    mapOf("agents" to 1_000),
                    mapOf("n0" to 0.1f),
                )
            val flock = flock(*runs.toTypedArray())
            flock.cairn("diff", "heat.cairn/1", "heat.cairn/2").exitCode shouldBe 0
            flock.cairn("diff", "heat.cairn/1", "heat.cairn/3").run {
                exitCode shouldBe 1
                lines.takeLast(2) shouldBe listOf("the parameter 'agents' is 3000 in A, and 1000 in B", "different")
            }
            flock.cairn("diff", "heat.cairn/1", "heat.cairn/4").lines.takeLast(3) shouldBe
                listOf(
                    "the parameter 'agents' is 3000 in A, and missing in B",
                    "the parameter 'n0' is missing in A, and 0.1 in B",
                    "different",
                )
        }

        test("a manifest that is recovered or adopted keeps them") {
            val flock = flock(mapOf("agents" to 3_000, "nan" to Double.NaN))
            val manifest = manifestOf(flock.files, HEAT, 1)
            flock.files.delete(HEAT.resolve("000001").resolve(SaveNames.MANIFEST))
            flock.cairn("recover", "heat.cairn/1").exitCode shouldBe 0
            manifestOf(flock.files, HEAT, 1) shouldBe manifest
            flock.cairn("adopt", "heat.cairn/1").exitCode shouldBe 0
            manifestOf(flock.files, HEAT, 1) shouldBe manifest
            flock.cairn("verify", "heat.cairn").text shouldContain "save 1: good"
        }
    })
