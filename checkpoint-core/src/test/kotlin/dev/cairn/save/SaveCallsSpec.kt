package dev.cairn.save

import dev.cairn.checkpoints
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.RunEvent
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.ElementType
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.file.Path

/** How often all ranks call together in a save: every call costs the time that a message takes through the machine. */
class SaveCallsSpec :
    FunSpec({
        quietly()

        /** The collective calls of rank 0 in the second of two saves. */
        suspend fun callsOf(fieldCount: Int, valueCount: Int, tableCount: Int = 0): List<String> {
            val calls = mutableListOf<String>()
            var isCounting = false
            val observer = { event: RunEvent -> if (isCounting && event.rank == 0) calls += event.what }
            val disk = SimulatedDisk().host("node0")
            ranks(RankPlan(3, Schedule.Deterministic(1), observer = observer)) {
                val rows = Decomposition.rows(Shape.of(30, 4), size).boxes(rank)
                checkpoints(Path.of("calls.cairn"), files = disk) {
                    repeat(fieldCount) { field ->
                        val cells = rows.map { DoubleArray(it.cellCount().toInt()) }
                        field("field$field", Shape.of(30, 4), ElementType.DOUBLE) {
                            rows.zip(cells).forEach { (box, array) -> block(box, array) }
                        }
                    }
                    repeat(valueCount) { value ->
                        replicated("value$value", { value }, {})
                        perRank("own$value", { rank }, {})
                    }
                    repeat(tableCount) { table ->
                        rows("table$table", { listOf(Row(rank.toLong())) }, {}) {
                            positionFree()
                            uniqueIds("id")
                        }
                    }
                }.use {
                    it.save(1)
                    barrier()
                    if (rank == 0) isCounting = true
                    it.save(2)
                    if (rank == 0) isCounting = false
                }
            }
            return calls.map { it.substringBefore(' ') }
        }

        test("a save takes five calls, whatever the number of fields and values") {
            val expected = listOf("broadcast", "gather", "scatter", "gather", "broadcast")
            callsOf(fieldCount = 0, valueCount = 1) shouldBe expected
            callsOf(fieldCount = 1, valueCount = 0) shouldBe expected
            callsOf(fieldCount = 12, valueCount = 9) shouldBe expected
        }

        test("unique ids take one call more, and each table with them five") {
            for (tables in 1..3) {
                callsOf(fieldCount = 1, valueCount = 1, tables).filter { it != "send" && it != "receive" }.size shouldBe
                    5 + 1 + 5 * tables
            }
        }
    })

@JvmRecord
internal data class Row(val id: Long)
