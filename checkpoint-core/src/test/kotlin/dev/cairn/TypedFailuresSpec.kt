package dev.cairn

import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.Events
import dev.cairn.event.SaveOutcome
import dev.cairn.event.shouldThrowFor
import dev.cairn.grid.Shape
import dev.cairn.java.play
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.SimulationOptions
import dev.cairn.options.Triggers
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.run.LoopSurroundings
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.ElementType
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.file.Path
import java.util.function.Consumer

/** Failures reach every rank as what they are, whether the ranks share a process or not. */
class TypedFailuresSpec :
    FunSpec({
        for (world in World.entries) {
            test("$world: a store that is in use") {
                val disk = SimulatedDisk()
                world.play {
                    open(disk) { value() }.use {
                        val failure = shouldThrow<CheckpointException.InUse> { open(disk) { value() } }
                        failure.message shouldStartWith
                            "store/lock: the store is in use: this program itself has opened it, in "
                        failure.shouldBeOf(0)
                    }
                }
            }

            test("$world: blocks that do not tile a field") {
                world.play {
                    shouldThrow<CheckpointException.InvalidDeclaration> {
                        open(SimulatedDisk()) { field("u", Shape.of(9), ElementType.INT) {} }
                    }.shouldBeOf(0)
                }
            }

            test("$world: a replicated value that differs, and a save that only tries") {
                val disk = SimulatedDisk()
                world.play {
                    var number = rank
                    open(disk) { value({ number }, { number = it }) }.use { checkpoints ->
                        val sentence =
                            "'number' is declared as replicated, so all ranks should have the same value, but " +
                                "ranks 1-2 and rank 0 do not. Nothing was saved: make it the same, or declare it " +
                                "as perRank."
                        val saves =
                            listOf<suspend () -> Unit>({ checkpoints.save(1) }, { checkpoints.trySave(1) })
                        for (save in saves) {
                            val failure = shouldThrow<CheckpointException.InvalidDeclaration> { save() }
                            failure.message shouldBe sentence
                            failure.shouldBeOf(0)
                        }
                        number = 7
                        checkpoints.save(2).step shouldBe 2
                    }
                }
            }

            test("$world: an item that the program does not declare any more, with its name") {
                val disk = SimulatedDisk()
                world.play { open(disk) { value() }.use { it.save(1) } }
                world.play {
                    open(disk) {}.use {
                        val failure = shouldThrow<CheckpointException.Mismatch> { it.restore() }
                        failure.items shouldBe listOf("number")
                        failure.shouldBeOf(0, 1, 2)
                    }
                }
            }

            test("$world: nothing but damaged checkpoints, with the reasons") {
                val disk = SimulatedDisk()
                world.play { open(disk) { value() }.use { it.save(1) } }
                disk.host("node0").delete(STORE.resolve("000001/data.sion"))
                val said =
                    world.play {
                        open(disk) { value() }.use {
                            val failure = shouldThrowFor<CheckpointException.Damaged>(Reason.NONE_GOOD) { it.restore() }
                            failure.shouldBeOf(0)
                            failure.flaws
                        }
                    }
                said.distinct().single().single() shouldContain "store/000001/data.sion"
            }

            test("$world: what the program throws stays the cause of what all are told") {
                val disk = SimulatedDisk()
                world.play {
                    open(disk) { perRank("own", { check(rank != 1) { "no mesh" } }, {}) }.use { checkpoints ->
                        val failure =
                            shouldThrowFor<CheckpointException.NotSaved>(Reason.PROGRAM) { checkpoints.save(1) }
                        failure.items shouldBe listOf("own")
                        failure.shouldBeOf(1)
                        if (rank == 1) {
                            val causes = generateSequence<Throwable>(failure) { it.cause }
                            causes.last().toString() shouldBe "java.lang.IllegalStateException: no mesh"
                        }
                    }
                }
            }
        }

        mapOf<String, StateBuilder.() -> Unit>(
            "a name twice" to { repeat(2) { value() } },
            "an empty name" to { replicated("", { 1 }, {}) },
            "an array that is too short" to { numbers { block(Shape.of(9).box(), IntArray(8)) } },
            "an array of another type" to { numbers { block(Shape.of(9).box(), LongArray(9)) } },
            "an object that is no array" to { numbers { block(Shape.of(9).box(), "cells") } },
            "a box of other dimensions" to { numbers { block(Shape.of(3, 3).box(), IntArray(9)) } },
            "a table without columns" to { table("dust") { positionFree() } },
            "a table with two rules" to {
                table("dust") {
                    column("id", { LongArray(1) }, {})
                    owner { _, _ -> 0 }
                    positionFree()
                }
            },
            "a former name of no item" to { formerly("u", "v") },
            "an output that cannot be distinguished from another" to {
                repeat(2) { appendedFile("out$it", Path.of("same.txt")) }
            },
            "other state than the other ranks" to { perRank("more", { 1 }, {}) },
            "another parameter than the other ranks" to { parameter("cells", 2) },
            "what no codec writes" to { parameter("cells", listOf(2)) },
        ).forEach { (what, declare) ->
            for (world in World.entries) {
                test("$world: a rank that declares $what") {
                    world.play {
                        shouldThrow<CheckpointException.InvalidDeclaration> {
                            open(SimulatedDisk()) { if (rank == 1) declare() else parameter("cells", 1) }
                        }.shouldBeOf(1)
                    }
                }
            }
        }

        for (world in World.entries) {
            test("$world: ranks with different settings") {
                world.play {
                    val options = CheckpointOptions { keepLast(2 + rank / 2) }
                    val failure =
                        shouldThrow<CheckpointException.InvalidDeclaration> {
                            checkpoints(STORE, options, SimulatedDisk().host("node0")) { value() }
                        }
                    failure.message shouldContain "keep-last is 3 on rank 2 (program), but 2 on rank 0 (program)"
                    failure.shouldBeOf(2)
                }
            }

            test("$world: ranks that save or restore different steps, or the same one otherwise") {
                val disk = SimulatedDisk()
                world.play {
                    open(disk) { value() }.use { checkpoints ->
                        val refused =
                            listOf<suspend () -> Unit>(
                                { checkpoints.save(rank.toLong()) },
                                { checkpoints.save(1, "phase $rank") },
                                { checkpoints.restore(3 + rank) },
                                { if (rank == 0) checkpoints.save(1) else checkpoints.saveAsync(1) },
                                { checkpoints.save(-1) },
                                { checkpoints.save(1, "two\nlines") },
                            )
                        repeat(3) { checkpoints.save(1) }
                        refused.forEach { shouldThrow<CheckpointException.InvalidDeclaration> { it() } }
                    }
                }
            }

            test("$world: a save for which the file system has too few free bytes, and later ones that fit") {
                var free = 1L
                val files =
                    object : BlockStore by SimulatedDisk().host("node0") {
                        override fun freeSpace(path: Path) = free
                    }
                world.play {
                    checkpoints(STORE, files = files) { value() }.use { checkpoints ->
                        val skipped = checkpoints.trySave(1).shouldBeInstanceOf<SaveOutcome.Skipped>()
                        skipped.reason shouldNotContain "Exception"
                        val failure =
                            shouldThrowFor<CheckpointException.NotSaved>(Reason.NO_ROOM) { checkpoints.save(1) }
                        failure.message shouldContain
                            "bytes or more, but the file system reports 1 bytes free. Make room, or write to another"
                        failure.path shouldBe STORE.resolve("000002/data.sion")
                        failure.shouldBeOf(0)
                        free = Long.MAX_VALUE
                        checkpoints.save(1).step shouldBe 1
                    }
                }
            }

            test("$world: an output that is a file of the checkpoints, or the file of the events") {
                world.play {
                    val options = CheckpointOptions { events(Path.of("out.txt")) }
                    for (file in listOf(STORE.resolve("lock"), Path.of("out.txt"))) {
                        shouldThrow<CheckpointException.InvalidDeclaration> {
                            checkpoints(STORE, options, SimulatedDisk().host("node0")) { appendedFile("out", file) }
                        }.shouldBeOf(0)
                    }
                }
            }
        }

        test("listeners add up, wherever they are named, and each receives an event once") {
            val heard = mutableListOf<String>()
            val (first, second, third) = listOf("a", "b", "c").map { Consumer<CheckpointEvent> { _ -> heard += it } }
            val twice =
                CheckpointOptions {
                    listener(first)
                    listener(second)
                    listener(first)
                }
            val options =
                SimulationOptions {
                    checkpoints(twice)
                    checkpoints { listener(third) }
                }
            Events(options.checkpoints.listeners).notify(CheckpointEvent.Deleted(1))
            heard shouldBe listOf("a", "b", "c")
        }

        test("a listener of the simulation receives the same events as those of its options") {
            val heard = mutableListOf<String>()
            val options = CheckpointOptions { listener { heard += "options" } }
            ranks(1) {
                Simulation(this, STORE, Triggers(), options, SimulatedDisk().host(host), LoopSurroundings.NONE).use {
                    it.listen { heard += "first" }
                    it.listen { heard += "second" }
                    val last = it.steps(until = 1).iterator()
                    while (last.hasNext()) last.next()
                }
            }
            heard.distinct() shouldBe listOf("options", "first", "second")
        }
    })

private val STORE = Path.of("store")

private suspend fun Communicator.open(disk: SimulatedDisk, declare: StateBuilder.() -> Unit) =
    checkpoints(STORE, files = disk.host("node0"), declare = declare)

private fun StateBuilder.value(get: () -> Int = { 5 }, set: (Int) -> Unit = {}) = replicated("number", get, set)

private fun StateBuilder.numbers(blocks: Field.Builder.() -> Unit) =
    field("u", Shape.of(9), ElementType.INT, blocks = blocks)

private fun CheckpointException.shouldBeOf(vararg ranks: Int) {
    failures.map { it.rank } shouldBe ranks.toList()
    failures.forEach { it.cause.shouldBeInstanceOf<CheckpointException>() }
    cause shouldBe failures.first().cause
    cause!!.message shouldBe message
}
