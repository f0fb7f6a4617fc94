package dev.cairn.proof.failure

import dev.cairn.Simulation
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.EventLine
import dev.cairn.event.ExitCode
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.event.shouldThrowFor
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DataFiles
import dev.cairn.options.Triggers
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.SMALL_OPTIONS
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.onTransports
import dev.cairn.ranks.ranks
import dev.cairn.run.LoopSurroundings
import dev.cairn.runSimulation
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.DIRECTORY
import dev.cairn.store.OwnerFile
import dev.cairn.store.SaveNames
import dev.cairn.store.name
import dev.cairn.store.owner
import dev.cairn.store.readWhole
import dev.cairn.store.withParent
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.IOException
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap
import kotlin.io.path.deleteExisting
import kotlin.time.Duration.Companion.minutes

/** Programs whose loop Cairn keeps, on disks with errors. They save after every second of ten steps. */
class SaveOutcomeSpec :
    FunSpec({
        quietly()

        test("wherever a save fails once, on whichever host, the run continues and the next saves succeed") {
            for (host in listOf("node0", "node1")) {
                for (phase in FailingPhase.entries) {
                    withClue("$phase on $host") {
                        if (phase.isOfRankZero && host != "node0") continue
                        val run = Run { at, operation -> at == host && phase.isAt(operation) && isFirst() }
                        run.play()
                        run.walked shouldBe (0L..9L).toList()
                        val (first, later) = run.ends.first() to run.ends.drop(1)
                        first.shouldBeInstanceOf<SaveOutcome.Failed>().step shouldBe 2
                        first.reason shouldContain "on $host failed"
                        later.map { it.shouldBeInstanceOf<Saved>().step }.last() shouldBe 10
                        run.lastSaves.distinct().size shouldBe 1
                        run.restoredStep() shouldBe 10
                    }
                }
            }
        }

        test("a run in which every save fails reaches its end, and every rank reports that nothing is saved") {
            val run = Run { _, operation -> FailingPhase.WRITE.isAt(operation) }
            run.play()
            run.walked shouldBe (0L..9L).toList()
            // Every second step, and once more at the last.
            run.ends.filterIsInstance<SaveOutcome.Failed>().map { it.step }.let {
                it.filter { step -> step % 2 == 0L } shouldBe listOf(2L, 4L, 6L, 8L, 10L, 10L)
                it.size shouldBe run.ends.size
            }
            run.lastSaves.size shouldBe RANKS
            run.lastSaves.forEach { it.shouldBeInstanceOf<SaveOutcome.Failed>() }
            run.restoredStep() shouldBe null
        }

        test("the last save is tried twice, and a success of the second attempt counts") {
            val run = Run { _, operation -> hasWalked(9) && FailingPhase.COMMIT.isAt(operation) && isFirst() }
            run.play()
            run.ends.takeLast(2).map { it::class } shouldBe listOf(SaveOutcome.Failed::class, Saved::class)
            run.restoredStep() shouldBe 10
        }

        test("a save that does not fit is skipped before it is written, with the same reason on each rank") {
            val run = Run(freeBytes = 100) { _, _ -> false }
            run.play()
            run.ends.forEach {
                it.shouldBeInstanceOf<SaveOutcome.Skipped>().reason shouldContain "reports 100 bytes free"
            }
            run.lastSaves
                .map { (it as SaveOutcome.Skipped).reason }
                .distinct()
                .size shouldBe 1
            run.walked.size shouldBe 10
        }

        test("a value that differs between ranks is no disk error: the run ends") {
            val run = Run(isSame = false) { _, _ -> false }
            val report = run.attempt()
            report shouldContain "is declared as replicated, so all ranks should have the same value"
            run.walked shouldBe listOf(0L, 1L)
            run.ends.single().shouldBeInstanceOf<SaveOutcome.Failed>()
        }

        test("ranks in other processes, which have only the text of a failure, decide alike") {
            val disk = SimulatedDisk().withParent()
            val trouble =
                object : ForwardingStore(disk.host("node0")) {
                    private var isStruck = false

                    override fun onOperation(operation: BlockStore.Operation) {
                        if (isStruck || !FailingPhase.WRITE.isAt(operation)) return
                        isStruck = true
                        throw IOException("planned trouble with $operation")
                    }
                }
            val ends =
                onTransports(3, 1.minutes) {
                    val files = if (rank == 2) trouble else disk.host("node0")
                    var isWrong = false
                    checkpoints(DIRECTORY, SMALL_OPTIONS, files) {
                        perRank("own", { if (isWrong && rank == 1) error("planned fault") else 1L }, {})
                    }.use {
                        val tried = listOf(it.trySave(1), it.trySave(2))
                        isWrong = true
                        shouldThrowFor<NotSaved>(Reason.PROGRAM) { it.trySave(3) }.failures.single().rank shouldBe 1
                        tried
                    }
                }
            ends.distinct().size shouldBe 1
            ends.first()[0].shouldBeInstanceOf<SaveOutcome.Failed>().reason shouldContain "rank 2 on node0 failed"
            ends.first()[1].shouldBeInstanceOf<Saved>()
        }

        test("a takeover of the store by another program ends the run, and its old saves stay as they were") {
            val run =
                Run {
                    _,
                    operation,
                    ->
                    FailingPhase.COMMIT.isAt(operation) && isFirst().also { if (it) takeOver() }
                }
            run.attempt() shouldContain "it was taken over meanwhile"
            run.ends.map { it::class }.distinct() shouldBe listOf(SaveOutcome.Failed::class)
        }

        test("requests that cannot be read are ignored, and the run continues") {
            val disk = SimulatedDisk().withParent()
            val files =
                object : ForwardingStore(disk.host("node0")) {
                    override fun onOperation(operation: BlockStore.Operation) {
                        val isRequest = operation.path().name.endsWith(".stop")
                        if (isRequest) throw IOException("planned trouble with $operation")
                    }
                }
            runSimulation("x", arrayOf("--dir", "$DIRECTORY"), files) { countTo(20) } shouldBe ExitCode.FINISHED
        }

        test("a listener that throws has no effect on saves") {
            val run = Run { _, _ -> false }
            run.play { throw AssertionError("planned trouble with $it") }
            run.lastSaves.forEach { it.shouldBeInstanceOf<Saved>().step shouldBe 10 }
        }

        test("the file of events holds the events of the listener, one in each line") {
            val run = Run { _, operation -> FailingPhase.FORCE.isAt(operation) && isFirst() }
            run.play()
            run.play()
            val lines = run.fileOfEvents().map { checkNotNull(EventLine.decode(it)) }
            val told = lines.map { it.event }
            told.map { "$it" } shouldBe run.events.map { "$it" }
            told.filterIsInstance<Restored>().single().step shouldBe 10
            val committed = told.filterIsInstance<Saved>().map { it.number }
            told.filterIsInstance<CheckpointEvent.Deleted>().map { it.number } shouldBe committed.dropLast(2)
            lines.distinctBy { it.program }.map { it.event::class } shouldBe
                listOf(CheckpointEvent.Started::class, CheckpointEvent.Started::class)
            run.fileOfEvents()[1] shouldContain
                Regex("""^\{"time":"[-0-9T:.]+Z","program":"[0-9a-f]{8}","event":"begun","number":1,"step":2,""")
        }

        test("a file of events that cannot be written has no effect on saves") {
            val run = Run { _, operation -> operation.path() == EVENTS && operation.kind() == Kind.WRITE }
            run.play()
            run.fileOfEvents().shouldBeEmpty()
            run.ends.forEach { it.shouldBeInstanceOf<Saved>() }
        }

        test("the exit code reports unsaved state, and with sabotage ERROR_DROPPED it does not, which is detected") {
            for (isErrorDropped in listOf(false, true)) {
                val disk = SimulatedDisk().withParent()
                val files = FillingStore(disk.host("node0"), isErrorDropped)
                val arguments = arrayOf("--dir", "$DIRECTORY", "--ranks", "2")
                val code = runSimulation("x", arguments, files) { countTo(3) { files.isFull = it == 2L } }
                val restart = attemptRanks(RankPlan(1)) { restored(disk.host("node0")) shouldBe 3L }
                val isSaved = restart.isClean
                val isKept = (code == ExitCode.FINISHED) == isSaved
                isKept shouldBe !isErrorDropped
                if (!isErrorDropped) code shouldBe ExitCode.UNSAVED
            }
        }

        test("a disk that is really full costs the saves and not the run") {
            withSmallDisk(tempdir().toPath()) { disk ->
                val filler = disk.resolve("filler")
                val arguments = arrayOf("--dir", "${disk.resolve("full.cairn")}", "--every", "2", "--ranks", "2")
                val full = runSimulation("full", arguments) { countTo(6) { if (it == 3L) fill(filler) } }
                full shouldBe ExitCode.UNSAVED
                filler.deleteExisting()
                val steps = mutableListOf<Long>()
                runSimulation("full", arguments) { countTo(6) { steps += it } } shouldBe ExitCode.FINISHED
                steps.distinct() shouldBe (2L..5L).toList()
            }
        }

        test("a program that is started on a full disk ends with the code of one that could not save") {
            withSmallDisk(tempdir().toPath()) { disk ->
                val filler = disk.resolve("filler")
                val arguments = arrayOf("--dir", "${disk.resolve("full.cairn")}", "--every", "2", "--ranks", "2")
                repeat(2) {
                    fill(filler)
                    runSimulation("full", arguments) { countTo(6) {} } shouldBe ExitCode.UNSAVED
                    filler.deleteExisting()
                    runSimulation("full", arguments) { countTo(6) {} } shouldBe ExitCode.FINISHED
                }
            }
        }
    })

private const val RANKS = 4
private val EVENTS = DIRECTORY.resolveSibling("events.jsonl")

/** The phase of a save in which an operation fails. */
private enum class FailingPhase(val isOfRankZero: Boolean) {
    BEGIN(true),
    WRITE(false),
    FORCE(false),
    COMMIT(true),
    ;

    fun isAt(operation: BlockStore.Operation): Boolean {
        val isData = operation.path().name.startsWith(SaveNames.DATA)
        return when (this) {
            BEGIN -> operation.kind() == Kind.MAKE_DIRECTORY && SaveNames.numberOf(operation.path().name) != null
            WRITE -> isData && operation.kind() == Kind.WRITE
            FORCE -> isData && operation.kind() == Kind.FORCE
            COMMIT -> operation.kind() == Kind.RENAME && operation.path().name == SaveNames.NEW_MANIFEST
        }
    }
}

/** Runs [until] steps; rank 0 calls [inStep] in each. */
private suspend fun Simulation.countTo(until: Long, isSame: Boolean = true, inStep: (Long) -> Unit = {}) {
    var sum by replicated(0L)
    val cells by doubles(rows = 100, columns = 20) { _, _ -> 0.0 }
    for (step in steps(until)) {
        if (rank == 0) inStep(step)
        sum += if (isSame) step else rank.toLong()
        cells.update { i, j -> cells[i, j] + step }
    }
}

private suspend fun Communicator.restored(files: BlockStore): Long? =
    Simulation(this, DIRECTORY, Triggers(), CheckpointOptions(), files, LoopSurroundings.NONE).use {
        var first: Long? = null
        it.listen { event -> if (event is Restored) first = event.step }
        it.countTo(0)
        first
    }

/** One program on four ranks and two hosts, whose operations fail if [fails] returns true for them. */
private class Run(
    private val freeBytes: Long = Long.MAX_VALUE,
    private val isSame: Boolean = true,
    private val fails: Run.(host: String, BlockStore.Operation) -> Boolean,
) {
    private val disk = SimulatedDisk().withParent()
    private val stores = ConcurrentHashMap<String, BlockStore>()
    private var isStruck = false
    val walked = mutableListOf<Long>()
    val events = mutableListOf<CheckpointEvent>()
    val lastSaves = mutableListOf<SaveOutcome?>()
    val ends get() = events.filterIsInstance<SaveOutcome>()

    fun isFirst(): Boolean = !isStruck.also { isStruck = true }

    fun hasWalked(step: Long): Boolean = step in walked

    suspend fun play(listener: (CheckpointEvent) -> Unit = { events += it }) {
        lastSaves.clear()
        ranks(PLAN) { walk(listener) }
    }

    /** The report of a run that fails. */
    suspend fun attempt(): String = attemptRanks(PLAN) { walk { events += it } }.toString()

    private suspend fun Communicator.walk(listener: (CheckpointEvent) -> Unit) {
        val options =
            CheckpointOptions {
                files = DataFiles.count(2)
                blockSize = 64
                events = EVENTS
            }
        Simulation(this, DIRECTORY, Triggers(everySteps = 2), options, storeOf(host), LoopSurroundings.NONE).use {
            it.listen(listener)
            it.countTo(10, isSame) { step -> walked += step }
            lastSaves += it.lastSave
        }
    }

    suspend fun restoredStep(): Long? = ranks(1) { restored(disk.host("node0")) }.single()

    fun fileOfEvents(): List<String> =
        disk
            .host("node0")
            .readWhole(EVENTS, 1 shl 20)!!
            .decodeToString()
            .lines()
            .filter { it.isNotEmpty() }

    fun takeOver() = OwnerFile(disk.host("node0"), DIRECTORY).place(owner("successor")).close()

    private fun storeOf(host: String): BlockStore =
        stores.computeIfAbsent(host) {
            val limited = LimitedSpace(disk.host(host))
            object : ForwardingStore(limited) {
                override fun onOperation(operation: BlockStore.Operation) {
                    if (fails(host, operation)) throw IOException("planned trouble with $operation")
                }
            }
        }

    private inner class LimitedSpace(target: BlockStore) : BlockStore by target {
        override fun freeSpace(path: Path): Long = freeBytes
    }

    private companion object {
        val PLAN = RankPlan(RANKS, Schedule.Deterministic(7), hosts = { "node${it / 2}" })
    }
}

/** A disk on which no data can be written while it [isFull]; with [isErrorDropped], the writes seem to succeed. */
private class FillingStore(target: BlockStore, isErrorDropped: Boolean) : BlockStore by target {
    @Volatile var isFull = false

    private val failing =
        object : ForwardingStore(target) {
            override fun onOperation(operation: BlockStore.Operation) {
                if (isFull && FailingPhase.WRITE.isAt(operation)) throw IOException("planned: no space left")
            }
        }

    private val data = if (isErrorDropped) ErrorDroppingStore(failing) else failing

    override fun open(file: Path, access: Access) = data.open(file, access)
}
