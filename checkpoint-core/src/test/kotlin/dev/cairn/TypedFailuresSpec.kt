package dev.cairn

import dev.cairn.comm.Communicator
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.Events
import dev.cairn.event.shouldThrowFor
import dev.cairn.grid.Shape
import dev.cairn.java.play
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.SimulationOptions
import dev.cairn.options.Triggers
import dev.cairn.ranks.ranks
import dev.cairn.run.RunRequest
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.ElementType
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
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
                Simulation(this, STORE, Triggers(), options, SimulatedDisk().host(host)) { RunRequest.NONE }.use {
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

private suspend fun Communicator.open(
    disk: SimulatedDisk,
    declare: StateBuilder.() -> Unit,
) = checkpoints(STORE, files = disk.host("node0"), declare = declare)

private fun StateBuilder.value(
    get: () -> Int = { 5 },
    set: (Int) -> Unit = {},
) = replicated("number", get, set)

private fun CheckpointException.shouldBeOf(vararg ranks: Int) {
    failures.map { it.rank } shouldBe ranks.toList()
    failures.forEach { it.cause.shouldBeInstanceOf<CheckpointException>() }
    cause shouldBe failures.first().cause
    cause!!.message shouldBe message
}
