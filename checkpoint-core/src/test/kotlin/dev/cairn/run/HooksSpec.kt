package dev.cairn.run

import dev.cairn.Checkpoints
import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.ExitCode
import dev.cairn.event.RankFailedException
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.event.shouldThrowFor
import dev.cairn.grid.Shape
import dev.cairn.java.BlockingRanks
import dev.cairn.java.BlockingSimulation
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.SimulationOptions
import dev.cairn.options.Wait
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.SMALL_OPTIONS
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.ranks
import dev.cairn.simulate
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.ElementType
import dev.cairn.store.PARENT
import dev.cairn.store.withParent
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlinx.coroutines.runBlocking

/** What a program lets Cairn call before each save and after each restore. */
class HooksSpec :
    FunSpec({
        quietly()

        for (wait in Wait.entries) {
            test("$wait: beforeSave comes before the program is asked for anything, as it is declared") {
                val files = disk()
                ranks(2) {
                    val calls = mutableListOf<String>()
                    val options = CheckpointOptions(SMALL_OPTIONS) { this.wait = wait }
                    val local =
                        if (wait ==
                            Wait.LOCAL
                        ) {
                            CheckpointOptions(options) { local = PARENT.resolve("local") }
                        } else {
                            options
                        }
                    open(files, local) {
                        replicated("n", { 1L.also { calls += "n" } }, {})
                        beforeSave { calls += "first" }
                        field("u", Shape.of(2), ElementType.LONG) {
                            calls += "u"
                            if (rank == 0) block(Shape.of(2).box(), LongArray(2))
                        }
                        beforeSave { calls += "second" }
                        stream("log", { calls += "log" }, {})
                    }.use {
                        calls.clear()
                        it.trySave(1)
                        calls shouldBe listOf("first", "second", "n", "u", "log")
                    }
                }
            }
        }

        test("what is not saved is packed before a save and rebuilt after a restore, in both languages") {
            val options =
                SimulationOptions {
                    directory = STORE
                    checkpoints(SMALL_OPTIONS)
                    every = 2
                }
            for (count in listOf(2, 3)) {
                val files = disk()
                ranks(2) {
                    simulate("tree", emptyArray(), options, files) {
                        val tree = Tree().also { it.declare(this) }
                        for (step in steps(until = 3)) tree.grow(step)
                    } shouldBe ExitCode.FINISHED
                }
                BlockingRanks.run(count) { ranks ->
                    BlockingSimulation.simulate(ranks, "tree", emptyArray(), options, files) { sim ->
                        val tree = Tree()
                        tree.declareValues(sim)
                        sim.beforeSave(tree::pack)
                        sim.afterRestore(tree::unpack)
                        for (step in sim.steps(5)) tree.grow(step)
                        tree.leaves shouldBe sortedSetOf(0L, 1L, 4L, 9L, 16L)
                    } shouldBe ExitCode.FINISHED
                }
            }
        }

        test("nothing is called where nothing is restored") {
            val files = disk()
            ranks(1) {
                var calls = 0
                open(files) { afterRestore { calls++ } }.use { it.restore() shouldBe null }
                calls shouldBe 0
            }
        }

        test("a failure in beforeSave fails the save on all ranks, and the next one may succeed") {
            val files = disk()
            ranks(3) {
                var isRipe = false
                open(files) {
                    replicated("n", { 1L }, {})
                    beforeSave { check(isRipe || rank != 1) { "no leaves" } }
                }.use {
                    shouldThrowFor<CheckpointException.NotSaved>(Reason.PROGRAM) { it.save(1) }.message shouldBe
                        "${failed("beforeSave")}. No disk has failed, so a later save would end in the same way. " +
                        "Nothing was saved: correct that function, and start again."
                    it.lastSave.shouldBeInstanceOf<SaveOutcome.Failed>()
                    isRipe = true
                    it.save(2).shouldBeInstanceOf<Saved>()
                }
            }
        }

        test("a failure in afterRestore fails the restore on all ranks") {
            val files = disk()
            ranks(3) { open(files) { replicated("n", { 1L }, {}) }.use { it.save(1) } }
            ranks(3) {
                open(files) {
                    replicated("n", { 1L }, {})
                    afterRestore { check(rank != 1) { "no leaves" } }
                }.use {
                    shouldThrowFor<CheckpointException.Mismatch>(Reason.PROGRAM) { it.restore() }.message shouldBe
                        "${failed(
                            "afterRestore",
                        )}. The checkpoint is not damaged: correct that function, and start again."
                }
            }
        }

        test("a call of the communicator within them is refused") {
            val files = disk()
            ranks(2) {
                open(files) { beforeSave { runBlocking { allReduce(1L, Long::plus) } } }.use {
                    val failure = shouldThrow<RankFailedException> { it.save(1) }
                    failure.cause?.message shouldBe
                        "the program calls Cairn inside a function of beforeSave. It is in the middle of that call " +
                        "and would wait for itself: make the call before it or after it."
                }
            }
        }

        test("ranks that declare a different number of them are refused") {
            val files = disk()
            ranks(2) {
                val failure =
                    shouldThrow<InvalidDeclaration> { open(files) { repeat(1 + rank) { afterRestore {} } } }
                failure.message shouldBe
                    "rank 1 and rank 0 do not declare the same state. Rank 0 declares 1 function of afterRestore; " +
                    "rank 1 declares 2 functions of afterRestore. Declare the same items in the same order."
            }
        }

        test("a simulation declares them before its first step") {
            val files = disk()
            ranks(1) {
                val options = SimulationOptions { directory = STORE }
                simulate("late", emptyArray(), options, files) {
                    for (step in steps(until = 1)) {
                        shouldThrow<IllegalStateException> { beforeSave {} }.message shouldBe
                            "beforeSave is declared after the first step has begun: declare it before, for all saves"
                        shouldThrow<IllegalStateException> { afterRestore {} }.message shouldBe
                            "afterRestore is declared after the first step has begun: declare it before the restore"
                    }
                }
            }
        }

        test("check-restart rebuilds and packs, and finds what does not come back by it") {
            for (isWhole in listOf(true, false)) {
                val files = disk()
                ranks(2) {
                    val tree = Tree()
                    open(files, CheckpointOptions(SMALL_OPTIONS) { checkRestart = true }) {
                        if (isWhole) tree.declare(this) else tree.declareWithoutRebuilding(this)
                    }.use {
                        tree.grow(1)
                        it.save(1)
                        tree.grow(2)
                        if (isWhole) {
                            it.save(2)
                            tree.leaves shouldBe sortedSetOf(1L, 4L)
                        } else {
                            val failure =
                                shouldThrowFor<CheckpointException.StateDiffers>(Reason.NOT_RESTORED) { it.save(2) }
                            failure.items shouldBe listOf("leaves")
                        }
                    }
                }
            }
        }

        test("a failure in afterRestore is found by check-restart") {
            val files = disk()
            ranks(2) {
                open(files, CheckpointOptions(SMALL_OPTIONS) { checkRestart = true }) {
                    replicated("n", { 1L }, {})
                    afterRestore { check(rank != 1) { "no leaves" } }
                }.use {
                    it.save(1)
                    val failure = shouldThrowFor<CheckpointException.StateDiffers>(Reason.NOT_RESTORED) { it.save(2) }
                    failure.message.toString() shouldStartWith
                        "check-restart: save 1 (step 1) could not be restored into the program, which held the state " +
                        "of save 2 (step 2): 'afterRestore' was abandoned on all ranks, because rank 1"
                    failure.message.toString() shouldContain failed("afterRestore")
                }
            }
        }
    })

private val STORE = PARENT.resolve("hooks.cairn")

private fun failed(moment: String) = "a function of $moment threw java.lang.IllegalStateException: no leaves"

private fun disk(): BlockStore = SimulatedDisk().withParent().host("node0")

private suspend fun Communicator.open(
    files: BlockStore,
    options: CheckpointOptions = SMALL_OPTIONS,
    declare: StateBuilder.() -> Unit,
): Checkpoints = checkpoints(STORE, options, files, declare = declare)

/** Keeps squares in a tree, and saves them as an array. */
private class Tree {
    val leaves = sortedSetOf<Long>()
    private var packed = LongArray(0)

    fun grow(step: Long) {
        leaves += step * step
    }

    fun pack() {
        packed = leaves.toLongArray()
    }

    fun unpack() {
        leaves.clear()
        leaves += packed.toList()
    }

    fun declare(state: StateBuilder) {
        declareWithoutRebuilding(state)
        state.afterRestore(::unpack)
    }

    fun declareWithoutRebuilding(state: StateBuilder) {
        declareValues(state)
        state.beforeSave(::pack)
    }

    fun declareValues(state: StateBuilder) = state.replicated("leaves", { packed }, { packed = it })
}
