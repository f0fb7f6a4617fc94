package dev.cairn

import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.RankFailedException
import dev.cairn.event.shouldThrowFor
import dev.cairn.grid.Shape
import dev.cairn.java.BlockingCheckpoints
import dev.cairn.java.BlockingCommunicator
import dev.cairn.java.BlockingRanks
import dev.cairn.java.BlockingSimulation
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.SimulationOptions
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.Codecs
import dev.cairn.state.ElementType
import dev.cairn.state.PerRankRule
import dev.cairn.state.ThrowingConsumer
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.runBlocking
import java.nio.file.Path

private const val REMEDY =
    "It is in the middle of that call and would wait for itself: make the call before it or after it."

/** Code of the program that Cairn runs in the middle of a call must not call the communicator; it is refused at once. */
class NestedCallsSpec :
    FunSpec({
        quietly()

        val ways =
            mapOf<String, (ThrowingConsumer<BlockingCommunicator>) -> Unit>(
                "a thread each" to { BlockingRanks.run(2, it) },
                "in turn" to { BlockingRanks.run(RankPlan(2).withSchedule(Schedule.Deterministic(3)), it) },
                "every rank" to { BlockingRanks.everyRank(2, it) },
            )

        for ((way, play) in ways) {
            for ((place, declare) in savingCode()) {
                test("$way: $place is refused") {
                    val disk = SimulatedDisk()
                    play { ranks ->
                        disk.open(ranks) { declare(ranks) }.use { refusalOf { it.save(1) } shouldBe refused(place) }
                    }
                }
            }

            for ((place, declare) in restoringCode()) {
                test("$way: $place is refused") {
                    val disk = SimulatedDisk()
                    play { ranks ->
                        disk.open(ranks) { declare(ranks) }.use {
                            it.save(1)
                            refusalOf { it.restore() } shouldBe refused(place)
                        }
                    }
                }
            }

            test("$way: the blocks of a field are asked for without the communicator") {
                val disk = SimulatedDisk()
                play { ranks ->
                    refusalOf {
                        disk.open(ranks) { field("u", Shape.of(2), ElementType.DOUBLE) { ranks.barrier() } }
                    } shouldBe refused("the function of the field 'u'")
                }
            }

            test("$way: a save within a save is refused") {
                val disk = SimulatedDisk()
                play { ranks ->
                    lateinit var checkpoints: BlockingCheckpoints
                    val save: () -> Long = { checkpoints.save(7).step }
                    checkpoints = disk.open(ranks) { replicated("n", Codecs.LONG, save, {}) }
                    checkpoints.use {
                        refusalOf { it.save(1) } shouldBe refused("the replicated 'n' while Cairn saves it")
                    }
                }
            }

            test("$way: what is declared may follow from what the ranks agree on") {
                val disk = SimulatedDisk()
                play { ranks ->
                    val declare: StateBuilder.() -> Unit = {
                        val total = ranks.allReduce(1L, Long::plus)
                        replicated("n", Codecs.LONG, { total }, {})
                    }
                    disk.open(ranks, declare).use { it.save(1) }
                }
            }

            test("$way: what is done collectively is refused, also if it calls the communicator of a part") {
                play { ranks ->
                    val part = ranks.split(0, ranks.rank)!!
                    refusalOf { ranks.collectively("add up") { part.allReduce(1L, Long::plus) } } shouldBe
                        refused("the work of 'add up'")
                }
            }
        }

        for ((way, play) in ways) {
            test("$way: a run within a call does not wait for the communicator around it") {
                val disk = SimulatedDisk()
                play { ranks ->
                    val get = { 1L.also { BlockingRanks.run(2) { ranks.barrier() } } }
                    disk.open(ranks) { replicated("n", Codecs.LONG, get, {}) }.use {
                        val failure = shouldThrowFor<NotSaved>(Reason.PROGRAM) { it.save(1) }
                        val causes = generateSequence<Throwable>(failure) { it.cause }
                        causes.last().message shouldBe refused("another call of Cairn")
                    }
                }
            }
        }

        test("a simulation for Java whose state calls the communicator ends") {
            val options = SimulationOptions { directory = Path.of("/nested.cairn") }
            ways.values.forEach { play ->
                val disk = SimulatedDisk()
                val failure =
                    shouldThrow<RunFailedException> {
                        play { ranks ->
                            BlockingSimulation.simulate(
                                ranks,
                                "nested",
                                emptyArray(),
                                options,
                                disk.host(ranks.host),
                            ) { sim ->
                                sim.replicated(
                                    "n",
                                    Codecs.LONG,
                                    { sim.ranks.allReduce(1, Long::plus) },
                                    {},
                                )
                                for (step in sim.steps(2)) check(step < 2)
                            }
                        }
                    }
                failure.message shouldContain refused("the replicated 'n' while Cairn saves it")
            }
        }

        for (schedule in listOf(Schedule.Fast(), Schedule.Deterministic(5))) {
            test("$schedule: a coroutine that is blocked inside of the state is refused") {
                val disk = SimulatedDisk()
                ranks(RankPlan(3).withSchedule(schedule)) {
                    val get = { runBlocking { allReduce(1L, Long::plus) } }
                    checkpoints(Path.of("/nested.cairn"), files = disk.host(host)) {
                        replicated("n", Codecs.LONG, get, {})
                    }.use {
                        val failure = shouldThrow<RankFailedException> { it.save(1) }
                        failure.cause?.message shouldBe refused("the replicated 'n' while Cairn saves it")
                    }
                }
            }
        }
    })

private fun refused(place: String) = "the program calls Cairn inside $place. $REMEDY"

private fun refusalOf(call: () -> Unit): String? = shouldThrow<RankFailedException>(call).cause?.message

private fun SimulatedDisk.open(ranks: BlockingCommunicator, declare: StateBuilder.() -> Unit): BlockingCheckpoints =
    BlockingCheckpoints.open(
        ranks,
        Path.of("/nested.cairn"),
        CheckpointOptions.DEFAULT,
        host(ranks.host),
    ) { it.declare() }

/** Where a program calls the communicator when it is saved, and how it declares that. */
private fun savingCode() =
    mapOf<String, StateBuilder.(BlockingCommunicator) -> Unit>(
        "the replicated 'n' while Cairn saves it" to { ranks ->
            replicated("n", Codecs.LONG, { ranks.allReduce(1L, Long::plus) }, {})
        },
        "the perRank 'n' while Cairn saves it" to { ranks ->
            perRank("n", Codecs.LONG, { ranks.allReduce(1L, Long::plus) }, {}, PerRankRule.Drop())
        },
        "the table 'dust' while Cairn saves it" to { ranks ->
            table("dust") { column("id", { LongArray(1).also { ranks.barrier() } }, {}) }
        },
        "the stream 'log' while Cairn saves it" to { ranks -> stream("log", { ranks.barrier() }, {}) },
    )

/** The same of a program that is restored. */
private fun restoringCode() =
    mapOf<String, StateBuilder.(BlockingCommunicator) -> Unit>(
        "the replicated 'n' while Cairn restores it" to { ranks ->
            replicated("n", Codecs.LONG, { 1L }, { ranks.barrier() })
        },
        "the perRank 'n' while Cairn restores it" to { ranks ->
            perRank("n", Codecs.LONG, { 1L }, { ranks.barrier() }, PerRankRule.Drop())
        },
        "the table 'dust' while Cairn restores it" to { ranks ->
            table("dust") { column("id", { LongArray(1) }, { ranks.barrier() }) }
        },
        "the stream 'log' while Cairn restores it" to { ranks -> stream("log", { it.write(1) }, { ranks.barrier() }) },
    )
