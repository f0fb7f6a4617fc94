package dev.cairn.run

import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.RankFailedException
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.RunEvent
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.ElementType
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path

private val STORE = Path.of("calls.cairn")

/** How often all ranks call together when they open checkpoints, and that one refusal tells what each of them differs in. */
class OpeningCallsSpec :
    FunSpec({
        quietly()

        /** The collective calls of rank 0. */
        suspend fun callsOf(fieldCount: Int, valueCount: Int): List<String> {
            val calls = mutableListOf<String>()
            val observer = { event: RunEvent -> if (event.rank == 0) calls += event.what }
            val disk = SimulatedDisk().host("node0")
            ranks(RankPlan(3, Schedule.Deterministic(1), observer = observer)) {
                val rows = Decomposition.rows(Shape.of(30, 4), size).boxes(rank)
                checkpoints(STORE, files = disk) {
                    repeat(fieldCount) { field ->
                        val cells = rows.map { DoubleArray(it.cellCount().toInt()) }
                        field("field$field", Shape.of(30, 4), ElementType.DOUBLE) {
                            rows.zip(cells).forEach { (box, array) -> block(box, array) }
                        }
                    }
                    repeat(valueCount) { value -> replicated("value$value", { value }, {}) }
                }.close()
            }
            return calls.map { it.substringBefore(' ') }.dropLast(1)
        }

        test("opening takes a gather and a broadcast, after a communicator of its own") {
            val expected = listOf("split", "gather", "broadcast")
            callsOf(fieldCount = 0, valueCount = 0) shouldBe expected
            callsOf(fieldCount = 1, valueCount = 0) shouldBe expected
            callsOf(fieldCount = 12, valueCount = 9) shouldBe expected
        }

        test("ranks that differ in settings, in state and in what they throw are all told of in one refusal") {
            val disk = SimulatedDisk().host("node0")
            val told =
                ranks(4) {
                    val options = CheckpointOptions { keepLast = if (rank == 1) 3 else 2 }
                    shouldThrow<InvalidDeclaration> {
                        checkpoints(STORE, options, disk) {
                            check(rank != 3) { "there is no mesh" }
                            replicated(if (rank == 2) "b" else "a", { 1 }, {})
                        }
                    }
                }
            told.map { "${it.message}" }.distinct() shouldHaveSize 1
            val failures = told.first().failures
            failures.map { it.rank } shouldBe listOf(1, 2, 3)
            failures[0].cause.message shouldContain
                "keep-last is 3 on rank 1 (program), but 2 on rank 0 (program)."
            failures[1].cause.message shouldContain
                "Rank 0 declares the replicated 'a' of cbor (int); rank 2 declares the replicated 'b' of cbor (int)."
            failures[2].cause.message shouldBe "there is no mesh"
        }

        test("the others are told of a rank 0 that cannot declare its state, and the store stays free") {
            val disk = SimulatedDisk().host("node0")
            ranks(3) {
                val failure =
                    shouldThrow<RankFailedException> {
                        checkpoints(STORE, files = disk) { check(rank > 0) { "there is no mesh" } }
                    }
                failure.message shouldContain "'open the checkpoints' was abandoned on all ranks, because rank 0"
                checkpoints(STORE, files = disk) {}.close()
            }
        }

        test("former names of what is not declared are refused on all ranks when one rank alone has them") {
            val disk = SimulatedDisk().host("node0")
            ranks(3) {
                val failure =
                    shouldThrow<InvalidDeclaration> {
                        checkpoints(STORE, files = disk) { if (rank == 1) formerly("b", "a") }
                    }
                failure.failures.map { it.rank } shouldBe listOf(1)
                failure.cause!!.message shouldContain "the program says former names of 'b', but declares no such item"
            }
        }
    })
