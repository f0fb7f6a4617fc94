package dev.cairn

import dev.cairn.event.CheckpointException.InUse
import dev.cairn.event.ExitCode
import dev.cairn.java.BlockingCheckpoints
import dev.cairn.java.BlockingCommunicator
import dev.cairn.java.BlockingRanks
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.log.loggedBy
import dev.cairn.proof.log.printedBy
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.NOTHING
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Fault
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.Codecs
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.runBlocking
import java.nio.file.Path
import kotlin.concurrent.thread

/** One store used by two threads, after its run, opened twice, or with steps that go back, and items without a name. */
class WrongUsesSpec :
    FunSpec({
        val store = Path.of("m.cairn")

        fun disk() = SimulatedDisk().host("node0")

        fun overFor(rank: Int) =
            "the run of rank $rank is over, and so is the use of its communicators and of the checkpoints opened " +
                "with them: make this call before the body of the rank returns."

        test("a second thread that saves in the middle of a save is told that there are two") {
            ranks(1) {
                lateinit var checkpoints: Checkpoints
                var refusal: Throwable? = null
                val second = {
                    if (refusal == null) {
                        thread { runCatching { runBlocking { checkpoints.save(2) } }.onFailure { refusal = it } }.join()
                    }
                    1L
                }
                checkpoints =
                    checkpoints(store, files = disk()) {
                        replicated("n", Codecs.LONG, second, { })
                    }
                checkpoints.use {
                    it.save(1).step shouldBe 1
                    refusal?.message shouldBe
                        "two threads or coroutines call the checkpoints in m.cairn at the same time: the " +
                        "save of step 2 has begun before the save of step 1 has returned, and was refused. Let one " +
                        "of them make all calls, or let each wait until the other's call has returned."
                    it.save(2).step shouldBe 2
                }
            }
        }

        test("a second thread that closes in the middle of a save is told so, and the save is made") {
            ranks(1) {
                lateinit var checkpoints: Checkpoints
                var refusal: Throwable? = null
                val closing = {
                    thread { refusal = runCatching { checkpoints.close() }.exceptionOrNull() }.join()
                    1L
                }
                checkpoints = checkpoints(store, files = disk()) { replicated("n", Codecs.LONG, closing, { }) }
                checkpoints.use { it.save(1).step shouldBe 1 }
                refusal?.message shouldContain
                    "close() has begun before the save of step 1 has returned, and was refused."
            }
        }

        test("a program that declares no state is warned at its first save") {
            val files = disk()
            val log =
                loggedBy {
                    ranks(2) {
                        checkpoints(store, files = files) { parameter("n", 1) }.use {
                            it.save(1)
                            it.save(2)
                        }
                    }
                }
            log.filter { it.startsWith("WARNING") } shouldBe
                listOf(
                    "WARNING: m.cairn: the program declares no state, so a restart gets the number of steps back, " +
                        "and nothing else. Declare what the steps change, unless none of them needs what those " +
                        "before have done.",
                )
        }

        test("a step before the one that was saved is told of, but not after a restore, nor in another phase") {
            suspend fun told(steps: suspend Checkpoints.() -> Unit): List<String> {
                val files = disk()
                val log =
                    loggedBy {
                        ranks(2) {
                            checkpoints(
                                store,
                                files = files,
                            ) { replicated("n", Codecs.LONG, { 1L }, { }) }.use { it.steps() }
                        }
                    }
                return log.filter { it.startsWith("WARNING") }
            }
            told {
                save(2)
                save(2)
                save(1)
            } shouldBe
                listOf(
                    "WARNING: m.cairn: the program saves step 1 after step 2. A restart will continue from the newer " +
                        "save, and so from step 1. If another loop has begun, let its steps count on from 2, or name " +
                        "its phase where the program names phases.",
                )
            told {
                save(2)
                save(1, "second")
                save(5, "second")
                restore(2)
                save(3, "second")
            }.filter { "after step" in it }.shouldBeEmpty()
            told {
                save(2)
                runCatching { save(-1) }.isFailure shouldBe true
            }.filter { "after step" in it }.shouldBeEmpty()
        }

        for (schedule in listOf(Schedule.Fast(), Schedule.Deterministic(3))) {
            test("$schedule: checkpoints and communicators are refused after the run") {
                lateinit var opened: Checkpoints
                lateinit var communicator: Communicator
                ranks(RankPlan(1).withSchedule(schedule)) {
                    communicator = this
                    opened = checkpoints(store, files = disk()) { }
                    opened.save(1)
                }
                val calls: List<suspend () -> Unit> =
                    listOf(
                        { opened.save(2) },
                        { opened.restore() },
                        { opened.progress() },
                        { communicator.barrier() },
                        { communicator.send(0, 1, NOTHING) },
                    )
                for (call in calls) shouldThrow<IllegalStateException> { call() }.message shouldBe overFor(rank = 0)
                opened.close()
            }

            test("$schedule: a communicator of a rank that has died is refused after the run, not before") {
                lateinit var communicator: Communicator
                var end: Throwable? = null
                val plan = RankPlan(2).withFaults(listOf(Fault.RankDies(1, 1))).withSchedule(schedule)
                attemptRanks(plan) {
                    if (rank == 1) communicator = this
                    runCatching { barrier() }.onFailure { if (rank == 1) end = it }
                }
                end.shouldBeInstanceOf<CancellationException>()
                shouldThrow<IllegalStateException> { communicator.barrier() }.message shouldBe overFor(rank = 1)
            }

            test("$schedule: checkpoints and communicators of blocking ranks are refused after the run") {
                lateinit var opened: BlockingCheckpoints
                lateinit var communicator: BlockingCommunicator
                BlockingRanks.run(RankPlan(1).withSchedule(schedule)) {
                    communicator = it
                    opened = BlockingCheckpoints.open(it, store, CheckpointOptions(), disk()) { }
                }
                shouldThrow<IllegalStateException> { opened.save(2) }.message shouldBe overFor(rank = 0)
                shouldThrow<IllegalStateException> { communicator.barrier() }.message shouldBe overFor(rank = 0)
                opened.close()
            }
        }

        test("a store that this program has opened already is told with the place, and closed first") {
            val directory = tempdir().toPath().resolve("twice.cairn")
            ranks(1) {
                checkpoints(directory) { }.use {
                    shouldThrow<InUse> { checkpoints(directory) { } }.message shouldMatch
                        "\\S+/lock: the store is in use: this program itself has opened it, in " +
                        "WrongUsesSpec.kt:[0-9]+, and not closed it yet. Close it before it is opened again, or " +
                        "use another directory\\."
                }
                checkpoints(directory) { }.close()
            }
        }

        test("an output that this program writes already is told in the same way") {
            val parent = tempdir().toPath()
            ranks(1) {
                suspend fun open(name: String) =
                    checkpoints(parent.resolve(name)) { appendedFile("log", parent.resolve("m.log")) { } }
                open("a.cairn").use { first ->
                    first.restore()
                    open("b.cairn").use { second ->
                        shouldThrow<InUse> { second.restore() }.message shouldMatch
                            "\\S+/m.log: the output is in use, since this program itself writes it already: it " +
                            "was declared in WrongUsesSpec.kt:[0-9]+. Close the checkpoints that it belongs to " +
                            "first, or declare another file\\."
                    }
                }
            }
        }

        test("an item, a parameter, a column or a witness without a name is refused") {
            suspend fun refused(declare: StateBuilder.() -> Unit) =
                printedBy {
                    runSimulation("nameless", arrayOf("--dir", "${tempdir().toPath().resolve("nameless.cairn")}")) {
                        declare()
                        for (step in steps(until = 1)) check(step < 1)
                    } shouldBe ExitCode.REFUSED
                }
            val advice = "is empty: give it one, by which a restart and the command cairn find it"
            refused { replicated("", Codecs.LONG, { 1L }, { }) } shouldContain
                "the name of an item or a parameter $advice"
            refused { parameter("", 1) } shouldContain "the name of an item or a parameter $advice"
            refused { witness("") { 1 } } shouldContain "the name of a witness $advice"
            refused { table("dust") { column("", { DoubleArray(0) }, { }) } } shouldContain
                "the name of a column of the table 'dust' $advice"
        }
    })
