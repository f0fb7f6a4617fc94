package dev.cairn.cli

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long

class PlanVerbSpec :
    FunSpec({
        test("on the same number of ranks each rank reads the bytes that it stored") {
            val run = HeatCheckpoints().apply { save(4, step = 6) }.cairn("plan", "heat.cairn", "--ranks", "4")

            // 37 rows of 184 bytes are 10 + 9 + 9 + 9; 9 bytes of time and 7 of each one's own.
            run.exitCode shouldBe 0
            run.lines shouldBe
                listOf(
                    "heat.cairn/000001: from 4 ranks to 4",
                    "u: 4 frames, each read once; then every rank gets its rows",
                    "time: read by rank 0, and sent to all",
                    "seen: read by each rank for itself",
                    "",
                    "rank  frames  bytes read  bytes from others",
                    "   0       3        1856                  0",
                    "   1       2        1663                  9",
                    "   2       2        1663                  9",
                    "   3       2        1663                  9",
                )
        }

        test(
            "on another number of ranks each byte is read once, each rank gets its rows, and rules are the program's",
        ) {
            val heat = HeatCheckpoints().apply { save(4, step = 6) }
            val run = heat.cairn("plan", "heat.cairn/1", "--ranks", "7")

            run.lines[3] shouldBe
                "seen: refused: it is private to each of 4 ranks, and the program that saved it had no rule for 7"
            run.exitCode shouldBe 1
            val readers =
                heat
                    .cairn("plan", "heat.cairn", "--ranks", "7", "--json")
                    .json
                    .getValue("readers")
                    .jsonArray
            readers.sumOf {
                it.jsonObject
                    .getValue("readBytes")
                    .jsonPrimitive.long
            } shouldBe 37 * 23 * 8 + 9
        }

        test("no ranks at all are refused") {
            val heat = HeatCheckpoints().apply { save(1, step = 6) }
            heat.cairn("plan", "heat.cairn", "--ranks", "0").run {
                complaint shouldBe
                    "cairn plan: Invalid value for option '--ranks': a program has at least 1 rank, not '0'. " +
                    "Try 'cairn plan --help'."
                exitCode shouldBe 2
            }
        }
    })
