package dev.cairn.options

import dev.cairn.StateBuilder
import dev.cairn.checkpoint.checkpointStore
import dev.cairn.checkpoints
import dev.cairn.cli.HeatCheckpoints
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.ExitCode
import dev.cairn.event.RanksMissingException
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.manifestOf
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunReport.Outcome
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.ranks
import dev.cairn.runSimulation
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.GlobalView
import dev.cairn.sion.Grouping
import dev.cairn.sion.Multifile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.CrashOutcome
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.ElementType
import dev.cairn.store.Owner
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.delay
import java.nio.file.Path
import java.time.Clock
import java.time.temporal.ChronoUnit.SECONDS
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CyclicBarrier
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.seconds

private val STORE = Path.of("s.cairn")
private const val CELLS = 200

/** What a cell of the field holds: a pattern that is found nowhere else in the files. */
private fun cell(index: Int) = 0x5ca1_ab1e_0000_0000L + index

/** Each option changes the bytes or the behaviour that it says. */
class OptionsSpec :
    FunSpec({
        quietly()
        val temporary = tempdir().toPath()

        test("files: equal shares of consecutive ranks in each file, and the index in the first") {
            val disk = SimulatedDisk()
            disk.saveCells(CheckpointOptions { files = DataFiles.count(2) }, RankPlan(4))
            disk.view { view -> view.fileNumbers() } shouldBe listOf(0, 0, 1, 1, 0)
            disk.dataFiles() shouldBe listOf("data.sion", "data.sion.000001")
        }

        test("files: one for each host, written from that host alone, and all of it survives a power loss") {
            val disk = SimulatedDisk()
            val writers = ConcurrentLinkedQueue<String>()
            val plan = RankPlan(5, hosts = { "node${it % 3}" })
            disk.saveCells(
                CheckpointOptions { files = DataFiles.perHost() },
                plan,
            ) { host -> Writers(disk.host(host), host, writers) }

            disk.view { view -> view.fileNumbers() } shouldBe listOf(0, 1, 2, 0, 1, 0)
            // Rank 0 makes all of them; the data are the work of each host.
            writers.filter { !it.startsWith("node0") }.toSet() shouldBe
                setOf("node1 data.sion.000001", "node2 data.sion.000002")
            manifestOf(disk.host("node0"), STORE, 1).hints.fileCount shouldBe 3
            val survivor = disk.afterCrash(CrashOutcome.losing(disk.unsyncedChanges().toSet()))
            HeatCheckpoints(survivor.host("node0")).cairn("verify", "$STORE").text shouldBe
                "save 1: good; ranks 5, items 1, bytes ${CELLS * Long.SIZE_BYTES}\n"
            survivor.requireCellsOn(3)
        }

        test("files: one for each group that a function makes") {
            val disk = SimulatedDisk()
            disk.saveCells(CheckpointOptions { files = DataFiles.byGroup { (it + 1) / 3 } }, RankPlan(6))
            disk.view { view -> view.fileNumbers() } shouldBe listOf(0, 0, 1, 1, 1, 2, 0)
            disk.requireCellsOn(4)
        }

        for (size in listOf(512, 4096)) {
            test("block-size: every rank's chunk begins at the next multiple of $size bytes behind its neighbour's") {
                val disk = SimulatedDisk()
                disk.saveCells(CheckpointOptions { blockSize = size }, RankPlan(4))
                // The item is the first record of each rank, behind a key and a length.
                val starts = (0 until 4).map { disk.positionOf(cell(it * CELLS / 4)) - 2 * Long.SIZE_BYTES }
                starts.map { it % size } shouldBe List(4) { 0L }
                val chunk = disk.view { view -> (view.task(0).size() + size - 1) / size * size }
                starts.zipWithNext { one, next -> next - one }.toSet() shouldBe setOf(chunk)
            }
        }

        test("chunk-size: a rank takes as many chunks as it needs, where otherwise it takes one of the exact size") {
            val exact = SimulatedDisk().apply { saveCells(CheckpointOptions { blockSize = 64 }, RankPlan(2)) }
            val fixed =
                SimulatedDisk().apply {
                    saveCells(
                        CheckpointOptions {
                            blockSize = 64
                            chunkSize = 256
                        },
                        RankPlan(2),
                    )
                }

            val size = exact.view { view -> view.task(0).size() }
            exact.view { view -> view.task(0).blockCount() } shouldBe 1
            fixed.view { view -> view.task(0).size() } shouldBe size
            fixed.view { view -> view.task(0).blockCount() } shouldBe (size + 255) / 256
            fixed.requireCellsOn(3)
        }

        test("grouping: ranks share blocks if they are many and small, or always, or never, and one writes for all") {
            suspend fun save(grouping: Grouping?, rankCount: Int): Pair<Int, Long> {
                val disk = SimulatedDisk()
                val writes = ConcurrentLinkedQueue<String>()
                val options =
                    CheckpointOptions {
                        files = DataFiles.one()
                        blockSize = 4096
                        grouping?.let { this.grouping = it }
                    }
                disk.saveCells(options, RankPlan(rankCount)) { Writers(disk.host(it), it, writes) }
                disk.requireCellsOn(3)
                return writes.size to disk.view { view -> (0 until rankCount).sumOf { view.task(it).chunkSize() } }
            }
            // The tables of contents of 20 ranks take less than 200 bytes each, and so do their cells.
            val (alone, spread) = save(Grouping.none(), 20)
            spread shouldBe 20 * 4096
            val (together, packed) = save(null, 20)
            packed shouldBeLessThan 3 * 4096
            alone - together shouldBeGreaterThan 20
            // The index is a task, too.
            save(null, 14).second shouldBe 14 * 4096
            save(Grouping.few(), 14).second shouldBeLessThan 3 * 4096
            save(Grouping.ofAbout(5), 20).second shouldBeLessThan 5 * 4096
        }

        test("durability: data are forced, or not at all") {
            suspend fun forcedFiles(policy: ForcePolicy): Int {
                val count = AtomicInteger()
                val disk = SimulatedDisk()
                disk.saveCells(CheckpointOptions { durability = policy }, RankPlan(2)) { Forces(disk.host(it), count) }
                return count.get()
            }
            forcedFiles(ForcePolicy.NEVER) shouldBe 0
            forcedFiles(ForcePolicy.ON_CLOSE) shouldBeGreaterThan 0
        }

        for ((options, left) in listOf(
            CheckpointOptions() to listOf(6, 7),
            CheckpointOptions { keepLast = 4 } to listOf(4, 5, 6, 7),
            CheckpointOptions { keepOnlyNewest() } to listOf(7),
            CheckpointOptions { keepEvery = 3 } to listOf(3, 6, 7),
        )) {
            test("retention: of seven saves $left stay") {
                val disk = SimulatedDisk()
                disk.saveCells(options, RankPlan(2), saves = 7)
                checkpointStore(disk.host("host0"), STORE)
                    .survey()
                    .saves
                    .map { it.number }
                    .sorted() shouldBe left
            }
        }

        test("keep-last: one alone is only kept if it is asked for by its name") {
            shouldThrow<IllegalArgumentException> { CheckpointOptions { keepLast = 1 } }.message shouldBe
                "at least 2 checkpoints are kept, not 1; keepOnlyNewest() keeps one"
            val newest = CheckpointOptions { keepOnlyNewest() }
            CheckpointOptions(newest) { keepLast = keepLast } shouldBe newest
        }

        test("take-over: a store of another host, which may be alive, is taken only if that is said") {
            val disk = SimulatedDisk()
            disk.saveCells(CheckpointOptions(), RankPlan(1))
            val clock = Clock.systemUTC()
            val elsewhere = Owner("another", "elsewhere", pid = 1, since = clock.instant().truncatedTo(SECONDS))
            checkpointStore(disk.host("elsewhere"), STORE).own(elsewhere, clock)

            val refused = shouldThrow<Exception> { disk.saveCells(CheckpointOptions(), RankPlan(1)) }
            refused.message shouldContain "the setting take-over = true"
            disk.saveCells(CheckpointOptions { takeOver = true }, RankPlan(1))
        }

        for (frames in listOf(2, 6)) {
            test("memory: of six ranks that write at once, $frames have a buffer in $frames MiB") {
                most(frames) shouldBe frames
            }
        }

        test("limit-seconds: a rank that never comes is named when the limit has passed, by the run's own clock") {
            val disk = SimulatedDisk()
            val report =
                attemptRanks(RankPlan(3, Schedule.Deterministic(4))) {
                    checkpoints(STORE, CheckpointOptions { limit = 7.seconds }, disk.host(host)) {}.use {
                        if (rank == 2) delay(10.hours) else it.save(1)
                    }
                }
            val rollCall =
                (report.outcomes[0] as Outcome.Threw)
                    .failure
                    .shouldBeInstanceOf<RanksMissingException>()
                    .rollCall
            rollCall.reason shouldBe "the limit of 7s has passed"
            rollCall.absentees.map { it.rank } shouldBe listOf(2)
        }

        test("ranks with different settings are named, with the values and where they come from") {
            val disk = SimulatedDisk()
            val failures =
                ranks(3) {
                    val others = SettingsSources(mapOf("CAIRN_KEEP_LAST" to "5"), disk.host(host))
                    val options = if (rank == 1) CheckpointOptions().configured(others) else CheckpointOptions()
                    shouldThrow<InvalidDeclaration> { checkpoints(STORE, options, disk.host(host)) {} }
                }
            failures
                .first()
                .message shouldBe
                "keep-last is 5 on rank 1 (environment CAIRN_KEEP_LAST), but 2 on rank 0 (default). " +
                "Give all ranks the same settings: the same file, and the same environment."
        }

        test("every checkpoint holds the settings of its save, and their sources") {
            val disk = SimulatedDisk()
            val sources = SettingsSources(mapOf("CAIRN_KEEP_LAST" to "5"), disk.host("host0"))
            disk.saveCells(CheckpointOptions { blockSize = 8192 }.configured(sources), RankPlan(2))
            val told = recordedSettings(manifestOf(disk.host("host0"), STORE, 1).provenance)
            told.map { "${it.name} ${it.value}, ${it.origin}" } shouldBe
                listOf(
                    "every never, default",
                    "every-seconds never, default",
                    "mtbf 31536000, default",
                    "overhead none, default",
                    "fresh false, default",
                    "from newest, default",
                    "progress false, default",
                    "signals caught, default",
                    "go-on false, default",
                    "hold-at never, default",
                    "hold-heap none, default",
                    "files auto, default",
                    "block-size 8KiB, program",
                    "chunk-size exact, default",
                    "grouping where-small, default",
                    "concentrate none, default",
                    "durability power-loss, default",
                    "verify-snapshot false, default",
                    "check-restart false, default",
                    "keep-last 5, environment CAIRN_KEEP_LAST",
                    "keep-every never, default",
                    "take-over false, default",
                    "memory 32MiB, default",
                    "limit-seconds auto, default",
                    "lost-outputs refuse, default",
                    "events none, default",
                    "keep-events 1MiB, default",
                    "wait auto, default",
                    "when-busy wait, default",
                    "snapshot-memory auto, default",
                    "local none, default",
                    "lost-local refuse, default",
                    "local-copies 0, default",
                    "failure-groups hosts, default",
                    "local-keep 2, default",
                    "local-limit none, default",
                    "on-full wait, default",
                    "drain newest, default",
                    "drain-rate unlimited, default",
                    "stage declared, default",
                    "stage-room declared, default",
                    "ends-at auto, default",
                    "time-limit none, default",
                )
        }

        /** The saves of a program of ten steps. */
        suspend fun stepsOf(
            name: String,
            program: SimulationOptions,
            vararg arguments: String,
        ): List<Pair<Long, Int>> {
            val directory = temporary.resolve(name)
            val words = arrayOf("--dir", "$directory", "--keep-last", "99", *arguments)
            val code =
                runSimulation(name, words, program) {
                    var sum by replicated(0L)
                    for (step in steps(until = 10)) sum += step
                }
            code shouldBe ExitCode.FINISHED
            val files = FileBlockStore()
            return checkpointStore(files, directory).survey().saves.sortedBy { it.number }.map { save ->
                manifestOf(files, directory, save.number).let { it.step to it.rankCount }
            }
        }

        test("every, ranks and dir set the steps between saves, the ranks and the directory") {
            stepsOf("every", SimulationOptions.DEFAULT, "--every", "4", "--ranks", "3") shouldBe
                listOf(4L to 3, 8L to 3, 10L to 3)
            stepsOf(
                "program",
                SimulationOptions {
                    every = 5
                    rankCount = 2
                },
            ) shouldBe listOf(5L to 2, 10L to 2)
            stepsOf("never", SimulationOptions { every = 5 }, "--every", "never") shouldBe listOf(10L to 1)
        }

        test("every-seconds: a program saves whenever the time has passed, and at its end in any case") {
            stepsOf("soon", SimulationOptions.DEFAULT, "--every-seconds", "0.000001").size shouldBeGreaterThan 1
            stepsOf("late", SimulationOptions { everyTime = 1.hours }) shouldBe listOf(10L to 1)
        }

        test("fresh: a program begins anew, and otherwise has nothing left to do") {
            stepsOf("fresh", SimulationOptions.DEFAULT, "--every", "5").size shouldBe 2
            stepsOf("fresh", SimulationOptions.DEFAULT, "--every", "5").size shouldBe 2
            stepsOf("fresh", SimulationOptions.DEFAULT, "--every", "5", "--fresh").size shouldBe 4
        }
    })

/** How many of six ranks have been writing a stream at the same time, when they may use [frames] MiB. */
private suspend fun most(frames: Int): Int {
    val threads = Executors.newFixedThreadPool(6)
    val inside = AtomicInteger()
    val most = AtomicInteger()
    val full = CyclicBarrier(frames)
    try {
        ranks(RankPlan(6, Schedule.Fast(threads.asCoroutineDispatcher()))) {
            val options = CheckpointOptions { memory = frames.toLong() shl 20 }
            checkpoints(STORE, options, shareInProcess { SimulatedDisk() }.host(host)) {
                stream("log", { out ->
                    most.accumulateAndGet(inside.incrementAndGet(), ::maxOf)
                    full.await(1, TimeUnit.MINUTES)
                    out.write(rank)
                    inside.decrementAndGet()
                }, {})
            }.use { it.save(1) }
        }
    } finally {
        threads.shutdown()
    }
    return most.get()
}

/** This rank's share of [CELLS] numbers. */
private class Cells(ranks: Communicator) {
    private val shape = Shape.of(CELLS.toLong())
    private val box = Decomposition.rows(shape, ranks.size).boxes(ranks.rank).single()
    val first = box.start(0).toInt()
    val values = LongArray(box.cellCount().toInt())

    fun declare(state: StateBuilder) = state.field("n", shape, ElementType.LONG) { block(box, values) }
}

/** Saves [CELLS] numbers that are dealt to the ranks. */
private suspend fun SimulatedDisk.saveCells(
    options: CheckpointOptions,
    plan: RankPlan,
    saves: Int = 1,
    store: (host: String) -> BlockStore = ::host,
) {
    ranks(plan) {
        val cells = Cells(this)
        checkpoints(STORE, options, shareInProcess { store(host) }) { cells.declare(this) }.use { checkpoints ->
            cells.values.indices.forEach { cells.values[it] = cell(cells.first + it) }
            for (step in 1L..saves) checkpoints.save(step)
        }
    }
}

private suspend fun SimulatedDisk.requireCellsOn(rankCount: Int) {
    ranks(rankCount) {
        val cells = Cells(this)
        checkpoints(STORE, files = host(host)) { cells.declare(this) }.use { it.restore() }
        cells.values.toList() shouldBe cells.values.indices.map { cell(cells.first + it) }
    }
}

private fun <T> SimulatedDisk.view(look: (GlobalView) -> T): T =
    Multifile.open(host("node0"), STORE.resolve("000001/data.sion")).use(look)

private fun GlobalView.fileNumbers() = (0 until taskCount()).map { place(it).fileNumber }

private fun SimulatedDisk.dataFiles() =
    host("node0").list(STORE.resolve("000001")).map { "${it.fileName}" }.filter { it.startsWith("data") }

/** Where in the data of the first save [value] lies. */
private fun SimulatedDisk.positionOf(value: Long): Long {
    val bytes = HeatCheckpoints(host("node0")).read(STORE.resolve("000001/data.sion"))
    val bits = java.lang.Long.reverseBytes(value)
    return (0..bytes.limit() - Long.SIZE_BYTES).first { bytes.getLong(it) == bits }.toLong()
}

/** Notes who writes to which file of data. */
private class Writers(files: BlockStore, private val host: String, private val found: ConcurrentLinkedQueue<String>) :
    ForwardingStore(files) {
    override fun onOperation(operation: BlockStore.Operation) {
        val name = "${operation.path().fileName}"
        if (operation.kind() == BlockStore.Operation.Kind.WRITE && name.startsWith("data")) found += "$host $name"
    }
}

/** Counts how often data are made durable. */
private class Forces(files: BlockStore, private val count: AtomicInteger) : ForwardingStore(files) {
    override fun onOperation(operation: BlockStore.Operation) {
        val isData = "${operation.path().fileName}".startsWith("data")
        if (operation.kind() == BlockStore.Operation.Kind.FORCE && isData) count.incrementAndGet()
    }
}
