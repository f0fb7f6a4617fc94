package dev.cairn.java

import dev.cairn.checkpoints
import dev.cairn.concentrate.Concentrators
import dev.cairn.concentrate.DedicatedRanks
import dev.cairn.event.ExitCode
import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.needs
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.SimulationOptions
import dev.cairn.options.Wait
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.SMALL_OPTIONS
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.Launch
import dev.cairn.ranks.MemoryNetwork
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.RunEvent
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.ranks
import dev.cairn.ranks.takePart
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.Codecs
import dev.cairn.state.ThrowingConsumer
import dev.cairn.store.PARENT
import dev.cairn.store.withParent
import dev.cairn.testing.RestartTrial
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import java.nio.file.Path
import java.util.concurrent.ConcurrentSkipListMap
import kotlin.concurrent.thread
import kotlin.random.Random
import kotlin.time.Duration.Companion.milliseconds

/** All functions of a blocking program run on the thread of its rank, also while workers write what it has saved. */
class ThreadsOfFunctionsSpec :
    FunSpec({
        quietly()
        val random = Random(Campaign.seed)

        for (way in Way.entries) {
            val chosen = Campaign.PROGRAMS.someOf(Saving.entries, random)
            for (saving in Saving.entries) {
                val ifChosen = needs { Need.CAMPAIGN.given(saving in chosen) }

                test("$way, $saving: a loop of the program's own").config(enabledOrReasonIf = ifChosen) {
                    val watch = Watch()
                    val disk = SimulatedDisk().withParent()
                    for ((until, count) in RUNS) {
                        way.play(saving.rankCount(count)) { ranks ->
                            val files = disk.host("node0")
                            saving.among(ranks, files) { computing, dedicated ->
                                WatchedProgram(watch, computing.rank, computing.size)
                                    .runOwnLoop(computing, files, saving.options(), until, dedicated)
                            }
                        }
                    }
                    watch.requireAll()
                }

                test("$way, $saving: a simulation").config(enabledOrReasonIf = ifChosen) {
                    val watch = Watch()
                    val disk = SimulatedDisk().withParent()
                    for ((until, count) in RUNS) {
                        way.play(saving.rankCount(count)) { ranks ->
                            BlockingSimulation.simulate(
                                ranks,
                                "watched",
                                emptyArray(),
                                saving.inSimulation(PARENT),
                                disk.host("node0"),
                            ) { watch.simulate(it, until) }
                        }
                    }
                    watch.requireAll()
                }
            }

            test("$way: the check of a restart within a run") {
                val watch = Watch()
                val disk = SimulatedDisk().withParent()
                way.play(3) { ranks ->
                    WatchedProgram(watch, ranks.rank, ranks.size)
                        .runOwnLoop(
                            ranks,
                            disk.host("node0"),
                            CheckpointOptions(SMALL_OPTIONS) { checkRestart = true },
                            until = 2,
                        )
                }
                watch.strays.shouldBeEmpty()
                listOf("set n", "decode own", "set sum", "set ids", "set grains") - watch.seen shouldBe emptyList()
            }

            test("$way: another thread than that of the rank is refused") {
                if (way == Way.CONNECTED) return@test
                val caller = Thread.currentThread().name
                way.play(1) { ranks ->
                    val own = Thread.currentThread().name
                    // The debugger of coroutines adds its own words.
                    own.substringBefore(" @") shouldBe if (way.isOnCaller) caller.substringBefore(" @") else "rank 0"
                    var refusal: String? = null
                    thread(name = "helper") {
                        refusal = shouldThrow<IllegalStateException> { ranks.barrier() }.message
                    }.join()
                    refusal shouldBe
                        "the thread 'helper' calls the communicator of rank 0, which belongs to the thread '$own': " +
                        "call it on that thread only."
                }
            }
        }

        for (saving in Saving.entries) {
            test("$saving: a simulation as a command") {
                val watch = Watch()
                val directory = tempdir().toPath()
                for ((until, count) in RUNS) {
                    val options =
                        SimulationOptions(saving.inSimulation(directory)) {
                            rankCount =
                                saving.rankCount(count)
                        }
                    BlockingSimulation.run("watched", emptyArray(), options) {
                        watch.simulate(it, until, directory.resolve("out.nc"))
                    } shouldBe ExitCode.FINISHED
                }
                watch.requireAll()
            }
        }

        for (seed in listOf(null, 17L)) {
            for (wait in Wait.entries) {
                test("seed $seed, $wait: the trial of a simulation") {
                    val watch = Watch()
                    val program = ThrowingConsumer<BlockingSimulation> { watch.simulate(it, until = 4, output = null) }
                    trial(seed).withWait(wait).run(program)
                    watch.requireAll(WatchedProgram.STATE)
                }
            }

            test("seed $seed: the trial of a loop of the program's own") {
                val watch = Watch()
                trial(seed).run { ranks, attempt ->
                    WatchedProgram(watch, ranks.rank, ranks.size).runOwnLoop(
                        ranks,
                        attempt.files,
                        SMALL_OPTIONS,
                        until = 4,
                        directory = attempt.directory,
                        isOver = attempt::isOver,
                    )
                }
                watch.requireAll()
            }
        }

        test("a seed gives blocking ranks the order that it gives to coroutines, workers included") {
            for (seed in 1L..20) {
                val blocking = traceOf(seed) { plan, disk -> BlockingRanks.run(plan) { it.call { saveTwice(disk) } } }
                val suspending = traceOf(seed) { plan, disk -> ranks(plan) { saveTwice(disk) } }
                withClue("seed $seed") { blocking shouldBe suspending }
            }
        }

        test("a generator in a thread local survives a kill") {
            val directory = tempdir().toPath()
            val unbroken = drawsOf(directory.resolve("unbroken.cairn"))
            shouldThrow<RunFailedException> { drawsOf(directory.resolve("broken.cairn"), killAt = 8) }
            drawsOf(directory.resolve("broken.cairn")) shouldBe unbroken
        }
    })

/** The last step and the number of ranks of each run: the second one restarts on as many ranks, and the third one on others. */
private val RUNS = listOf(3L to 3, 6L to 3, 9L to 2)

private fun trial(seed: Long?) = RestartTrial(3, 2, seed = seed, restartOn = listOf(2, 3))

/** The ways in which blocking ranks run. */
private enum class Way {
    RUN {
        override fun play(count: Int, body: ThrowingConsumer<BlockingCommunicator>) = BlockingRanks.run(count, body)
    },
    IN_TURN {
        override fun play(count: Int, body: ThrowingConsumer<BlockingCommunicator>) =
            BlockingRanks.run(RankPlan(count, Schedule.Deterministic(5)), body)
    },
    EVERY_RANK {
        override fun play(count: Int, body: ThrowingConsumer<BlockingCommunicator>) =
            BlockingRanks.everyRank(count, body)
    },

    /** As a launcher starts them, but for the processes. */
    LAUNCHED {
        override fun play(count: Int, body: ThrowingConsumer<BlockingCommunicator>) =
            onNetwork(count) { network, rank ->
                Launch("mpirun", rank, count).takePart({ body.accept(blocking()) }) { network.transport(rank) }
            }
    },

    /** Of a program that has started MPI by itself. */
    CONNECTED {
        override fun play(count: Int, body: ThrowingConsumer<BlockingCommunicator>) =
            onNetwork(count) { network, rank -> body.accept(BlockingCommunicator.connect(network.transport(rank))) }
    }, ;

    /** Whether a single rank runs on the thread that calls. */
    val isOnCaller: Boolean get() = this == RUN || this == EVERY_RANK

    abstract fun play(count: Int, body: ThrowingConsumer<BlockingCommunicator>)

    protected fun onNetwork(count: Int, play: suspend (MemoryNetwork, rank: Int) -> Unit) {
        val network = MemoryNetwork(count)
        runBlocking(Dispatchers.IO) { List(count) { async { play(network, it) } }.awaitAll() }
    }
}

/** The ways in which a save leaves the program. */
private enum class Saving(val wait: Wait? = null) {
    COMMITTED(Wait.COMMITTED),
    COPIED(Wait.COPIED),
    LOCAL(Wait.LOCAL),
    DEDICATED,
    ;

    fun rankCount(computing: Int) = if (this == DEDICATED) computing + 1 else computing

    fun options(directory: Path = PARENT): CheckpointOptions {
        val options = SMALL_OPTIONS.toBuilder()
        if (wait != null) options.wait(wait)
        if (wait == Wait.LOCAL) options.local(directory.resolve("local"))
        return options.build()
    }

    fun inSimulation(directory: Path): SimulationOptions {
        val options =
            SimulationOptions
                .builder()
                .checkpoints(options(directory))
                .directory(directory.resolve("watched.cairn"))
                .every(1)
        if (this == DEDICATED) options.dedicated(Concentrators.total(1))
        return options.build()
    }

    /** Runs [body] on the ranks that compute. */
    fun among(ranks: BlockingCommunicator, files: BlockStore, body: (BlockingCommunicator, DedicatedRanks?) -> Unit) {
        if (this == DEDICATED) {
            ranks.dedicate(Concentrators.total(1), files) { computing, dedicated ->
                body(computing, dedicated)
            }
        } else {
            body(ranks, null)
        }
    }
}

private suspend fun traceOf(seed: Long, play: suspend (RankPlan, BlockStore) -> Unit): List<RunEvent> {
    val events = mutableListOf<RunEvent>()
    val plan = RankPlan(3, Schedule.Deterministic(seed), observer = { events += it })
    play(plan, SimulatedDisk().withParent().host("node0"))
    return events
}

private suspend fun Communicator.saveTwice(files: BlockStore) {
    checkpoints(PARENT.resolve("twice.cairn"), SMALL_OPTIONS, files) {
        replicated("n", { 1L }, {})
        perRank("own", { rank.toLong() }, {})
    }.use {
        it.saveAsync(1)
        delay(rank.milliseconds)
        it.saveAsync(2)
        it.awaitSaves()
        it.restore()
    }
}

/** What the generators of two ranks have come to after ten steps, unless rank 1 fails at step [killAt]. */
private fun drawsOf(store: Path, killAt: Long = Long.MAX_VALUE): Map<Int, Long> {
    val generator = ThreadLocal.withInitial { longArrayOf(42) }
    val last = ConcurrentSkipListMap<Int, Long>()
    val options =
        SimulationOptions {
            directory = store
            rankCount = 2
            every = 3
        }
    BlockingSimulation.run("draws", emptyArray(), options) { sim ->
        val own = generator.get()
        sim.perRank("generator", Codecs.LONG, { generator.get()[0] }, { seed -> generator.get()[0] = seed })
        own[0] += sim.rank.toLong()
        for (step in sim.steps(10)) {
            check(sim.rank == 0 || step < killAt) { "killed" }
            own[0] = own[0] * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407
        }
        last[sim.rank] = own[0]
    }
    return last
}
