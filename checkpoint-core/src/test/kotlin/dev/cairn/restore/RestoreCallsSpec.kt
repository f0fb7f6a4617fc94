package dev.cairn.restore

import dev.cairn.checkpoints
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.RunEvent
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.ElementType
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.file.Path

/** How often all ranks call together in a restore: every call costs the time that a message takes through the machine. */
class RestoreCallsSpec :
    FunSpec({
        quietly()

        /** The collective calls of rank 0 in a restore on [rankCount] ranks of what 3 ranks have saved. */
        suspend fun callsOf(
            rankCount: Int,
            fieldCount: Int,
            valueCount: Int,
            tableCount: Int = 0,
            streamCount: Int = 0,
        ): List<String> {
            val calls = mutableListOf<String>()
            var isCounting = false
            val observer = { event: RunEvent -> if (isCounting && event.rank == 0) calls += event.what }
            val disk = SimulatedDisk().host("node0")

            suspend fun Communicator.open() =
                checkpoints(Path.of("calls.cairn"), files = disk) {
                    val rows = Decomposition.rows(Shape.of(30, 4), size).boxes(rank)
                    repeat(fieldCount) { field ->
                        val cells = rows.map { DoubleArray(it.cellCount().toInt()) }
                        field("field$field", Shape.of(30, 4), ElementType.DOUBLE) {
                            rows.zip(cells).forEach { (box, array) -> block(box, array) }
                        }
                    }
                    repeat(valueCount) { value ->
                        replicated("value$value", { value }, { it shouldBe value })
                        if (rankCount == 3) perRank("own$value", { rank }, { it shouldBe rank })
                    }
                    repeat(streamCount) { stream ->
                        stream("stream$stream", { it.write(rank) }, { it.read() shouldBe rank })
                    }
                    repeat(tableCount) { table ->
                        rows("table$table", { listOf(Row(rank.toLong())) }, {}) { positionFree() }
                    }
                }
            ranks(RankPlan(3, Schedule.Deterministic(1))) { open().use { it.save(1) } }
            ranks(RankPlan(rankCount, Schedule.Deterministic(1), observer = observer)) {
                open().use {
                    barrier()
                    if (rank == 0) isCounting = true
                    it.restore()?.step shouldBe 1L
                    if (rank == 0) isCounting = false
                }
            }
            return calls.map { it.substringBefore(' ') }.filter { it != "send" && it != "receive" }
        }

        val finding = listOf("broadcast", "settle")

        test("a restore takes seven calls, whatever the number of fields and values") {
            val all = finding + listOf("broadcast", "allGather", "allReduce", "allReduce", "settle")
            callsOf(rankCount = 3, fieldCount = 1, valueCount = 1) shouldBe all
            callsOf(rankCount = 3, fieldCount = 12, valueCount = 9) shouldBe all
        }

        test("one without fields, or without values, takes fewer") {
            callsOf(rankCount = 3, fieldCount = 0, valueCount = 2) shouldBe
                finding + listOf("broadcast", "allGather", "allReduce", "settle")
            callsOf(rankCount = 3, fieldCount = 2, valueCount = 0) shouldBe
                finding + listOf("allGather", "allReduce", "allReduce", "settle")
        }

        test("on another number of ranks there is one call more for each 4 MiB that a rank reads for others") {
            for (fields in listOf(1, 4)) {
                callsOf(rankCount = 2, fields, valueCount = 3) shouldBe
                    finding + listOf("broadcast", "allGather", "allReduce", "settle", "allReduce", "settle")
            }
        }

        test("streams take one call more together, in which all frames are checked") {
            for (streams in 1..3) {
                callsOf(rankCount = 3, fieldCount = 1, valueCount = 1, streamCount = streams).size shouldBe 8
            }
        }

        test("each table takes two calls more, and two give and compare the rows of all") {
            for (tables in 1..3) {
                callsOf(rankCount = 3, fieldCount = 1, valueCount = 1, tables).size shouldBe 9 + 2 * tables
            }
        }
    })

@JvmRecord
internal data class Row(val id: Long)
