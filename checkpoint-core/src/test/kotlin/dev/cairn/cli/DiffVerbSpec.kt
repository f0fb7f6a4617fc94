package dev.cairn.cli

import dev.cairn.grid.Decomposition
import dev.cairn.state.ElementType
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

class DiffVerbSpec :
    FunSpec({
        test("two saves of the same state are the same, also of other ranks with other blocks") {
            val heat =
                HeatCheckpoints().apply {
                    save(4, step = 6, seen = { "" })
                    save(4, step = 6, seen = { "" })
                    save(6, step = 6, blocks = { Decomposition.blocks(SHAPE, it) }, seen = { "" })
                }
            val run = heat.cairn("diff", "heat.cairn/1", "heat.cairn/2")

            run.exitCode shouldBe 0
            run.lines shouldBe
                listOf(
                    "item  elements  differing  largest difference  first  note",
                    "u          851          0",
                    "time         9          0",
                    "seen         4          0",
                    "the same",
                )
            heat.cairn("diff", "heat.cairn/1", "heat.cairn/3").lines[1] shouldBe run.lines[1]
        }

        test("what differs is counted, with the largest difference and the first cell, across rank counts") {
            val heat =
                HeatCheckpoints().apply {
                    save(4, step = 6)
                    save(5, step = 7, blocks = { Decomposition.blocks(SHAPE, it) }) { index ->
                        cell(index) +
                            when (index) {
                                100L -> 0.25
                                200L -> -0.5
                                else -> 0.0
                            }
                    }
                }
            val run = heat.cairn("diff", "heat.cairn/1", "heat.cairn")

            run.exitCode shouldBe 1
            // 100 = 4 * 23 + 8; 3.0 and 3.5 differ in one byte of their bits, behind CBOR's byte of type.
            run.lines shouldBe
                listOf(
                    "item  elements  differing  largest difference  first   note",
                    "u          851          2                 0.5  (4, 8)",
                    "time         9          1                      byte 2",
                    "seen                                                   private to each rank, of 4 and of 5 ranks",
                    "different",
                )
        }

        test("private values are compared rank by rank, and bytes that only one has differ, too") {
            val heat =
                HeatCheckpoints().apply {
                    save(3, step = 1)
                    save(3, step = 1, seen = { if (it == 2) "rank 2 and more" else "rank $it" })
                }
            val seen =
                heat
                    .cairn("diff", "--json", "heat.cairn/1", "heat.cairn/2")
                    .json
                    .getValue("items")
                    .jsonArray
                    .map { it.jsonObject }
                    .single { it.getValue("name").jsonPrimitive.content == "seen" }

            // CBOR: the length in the first byte, and nine letters more.
            seen.getValue("differingCount").jsonPrimitive.content shouldBe "10"
            seen.getValue("first").jsonPrimitive.content shouldBe "byte 0 of rank 2"
        }

        test("texts and constants of a table are compared as such, and have no difference") {
            val heat = HeatCheckpoints()
            for ((texts, winds) in listOf(
                arrayOf("north", "a text of three parts") to arrayOf(Wind.CALM, Wind.CALM),
                arrayOf("south", "A text of THREE parts") to arrayOf(Wind.CALM, Wind.STORM),
            )) {
                heat.save(1, step = 1, HEAT, fileCount = 1) { _, _ ->
                    table("gusts") {
                        column("id", { longArrayOf(1, 2) }, {})
                        column("place", { texts }, {})
                        text("place", atMost = 24)
                        column("wind", { winds }, {})
                        uniqueIds("id")
                    }
                }
            }
            heat.cairn("diff", "heat.cairn/1", "heat.cairn/2").lines shouldBe
                listOf(
                    "item   elements  differing  largest difference  first        note",
                    "gusts         2          2                      id 1: place",
                    "different",
                )
        }

        test("bits are compared and values subtracted, for every type") {
            fun bytes(write: ByteBuffer.() -> Unit) =
                ByteBuffer
                    .allocate(16)
                    .order(LITTLE_ENDIAN)
                    .apply(write)
                    .flip()

            fun tally(type: ElementType, a: ByteBuffer.() -> Unit, b: ByteBuffer.() -> Unit) =
                CellComparison(type).apply { add(bytes(a), bytes(b), 40) }

            tally(ElementType.LONG, { putLong(1L shl 60) }, { putLong((1L shl 60) + 1) }).largestDifference() shouldBe
                1.0
            tally(
                ElementType.LONG,
                { putLong(Long.MIN_VALUE) },
                { putLong(Long.MAX_VALUE) },
            ).largestDifference() shouldBe
                1.8446744073709552E19
            tally(ElementType.CHAR, { putChar('\uffff') }, { putChar('\u0000') }).largestDifference() shouldBe 65535.0
            tally(ElementType.FLOAT, { putFloat(0f).putFloat(1f) }, { putFloat(0f).putFloat(Float.NaN) }).run {
                "${largestDifference()}" shouldBe "NaN"
                first shouldBe 41L
            }
            tally(ElementType.DOUBLE, { putDouble(0.0) }, { putDouble(-0.0) }).run {
                count shouldBe 1L
                largestDifference() shouldBe 0.0
            }
            tally(ElementType.BOOLEAN, { put(0).put(1).put(1) }, { put(0).put(0).put(0) }).run {
                count shouldBe 2L
                first shouldBe 41L
                largestDifference() shouldBe null
            }
        }
    })

private enum class Wind { CALM, STORM }
