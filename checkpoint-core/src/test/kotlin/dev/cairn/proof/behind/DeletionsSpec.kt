package dev.cairn.proof.behind

import dev.cairn.Checkpoints
import dev.cairn.Simulation
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointEvent.ProgramEnd
import dev.cairn.event.CheckpointException.InUse
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.event.shouldThrowFor
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DataFiles
import dev.cairn.options.DrainRule
import dev.cairn.options.Triggers
import dev.cairn.options.Wait
import dev.cairn.proof.local.HostDisks
import dev.cairn.proof.local.LOCAL
import dev.cairn.proof.log.loggedBy
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Fault
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.ranks
import dev.cairn.run.LoopSurroundings
import dev.cairn.run.Requests
import dev.cairn.run.RunRequest
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.DIRECTORY
import dev.cairn.store.OwnerFile
import dev.cairn.store.SaveNames
import dev.cairn.store.checkpoints
import dev.cairn.store.name
import dev.cairn.store.owner
import dev.cairn.store.withParent
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import java.io.IOException
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import java.util.logging.Level

/** Older saves are deleted while the program goes on: when it waits for that all the same, and what an end or a takeover leaves. */
class DeletionsSpec :
    FunSpec({
        quietly(Level.WARNING)

        test("a committed save returns while the deletion of an older one is held up, and so does the next one") {
            val disk = SimulatedDisk().withParent()
            val gate = HeldFile(dataOf(1), Kind.DELETE)
            ranks(2) {
                Meter().open(this, gate.inFrontOf(disk.host("node0"))).use {
                    for (step in 1L..4) it.save(step).number shouldBe step.toInt()
                    disk.host("node0").exists(dataOf(1)) shouldBe true
                    barrier()
                    gate.open()
                }
            }
            namesIn(disk) shouldContainExactly listOf("000003", "000004")
        }

        test("a save that would make a third deletion pending waits until the first one has ended") {
            val disk = SimulatedDisk().withParent()
            val gate = HeldFile(dataOf(1), Kind.DELETE)
            ranks(1) {
                Meter().open(this, gate.inFrontOf(disk.host("node0"))).use {
                    for (step in 1L..4) it.save(step)
                    it.during({ save(5) }) { fifth ->
                        fifth.isCompleted shouldBe false
                        namesIn(disk) shouldContainExactly listOf("000001", "000002", "000003", "000004")
                        gate.open()
                        fifth.await().number shouldBe 5
                        disk.host("node0").exists(directoryOf(1)) shouldBe false
                    }
                }
            }
            namesIn(disk) shouldContainExactly listOf("000004", "000005")
        }

        test("a close that fails, since a deletion threw what no disk does, gives the store back all the same") {
            val disk = SimulatedDisk().withParent()
            val broken =
                object : ForwardingStore(disk.host("node0")) {
                    override fun onOperation(operation: BlockStore.Operation) {
                        check(
                            operation.kind() != Kind.DELETE || operation.path() != dataOf(1),
                        ) { "a fault of the program" }
                    }
                }
            ranks(1) {
                val checkpoints = Meter().open(this, broken)
                for (step in 1L..3) checkpoints.save(step)
                shouldThrow<IllegalStateException> { checkpoints.close() }
                Meter().open(this, disk.host("node0")).use { it.restore()?.number shouldBe 3 }
            }
        }

        test("a save for which there is no room waits for the deletions, and is made then") {
            val disk = SimulatedDisk().withParent()
            val gate = HeldFile(dataOf(1), Kind.DELETE)
            val isFull = { disk.host("node0").exists(dataOf(1)) && disk.host("node0").exists(dataOf(3)) }
            ranks(1) {
                Meter().open(this, FullWhile(gate.inFrontOf(disk.host("node0")), isFull)).use {
                    for (step in 1L..3) it.save(step)
                    it.during({ save(4) }) { fourth ->
                        fourth.isCompleted shouldBe false
                        disk.host("node0").exists(dataOf(4)) shouldBe false
                        gate.open()
                        fourth.await().number shouldBe 4
                    }
                }
            }
        }

        test(
            "in any order of ranks and worker the store holds at most two saves more than it keeps, and sometimes as many",
        ) {
            val most =
                (1L..60).map { seed ->
                    val disk = SimulatedDisk().withParent()
                    val census = Census(disk.host("node0"))
                    val wait = if (seed % 2 == 0L) Wait.COMMITTED else Wait.COPIED
                    ranks(RankPlan(2, Schedule.Deterministic(seed))) {
                        Meter().open(this, census, CheckpointOptions { this.wait = wait }).use {
                            for (step in 1L..8) it.trySave(step)
                        }
                    }
                    withClue("seed $seed") { namesIn(disk) shouldContainExactly listOf("000007", "000008") }
                    census.most
                }
            most.max() shouldBe 4
        }

        test("saves that are drained from the disks of the hosts take no more room in the shared store") {
            for (seed in 1L..20) {
                val census = Census(HostDisks().door("node0"))
                val options =
                    CheckpointOptions {
                        wait = Wait.LOCAL
                        local = LOCAL
                        drain = DrainRule.every()
                    }
                ranks(RankPlan(2, Schedule.Deterministic(seed))) {
                    Meter().open(this, census, options).use { for (step in 1L..8) it.trySave(step) }
                }
                withClue("seed $seed") { census.most shouldBeInRange 3..4 }
            }
        }

        test("an owner that was displaced deletes nothing more") {
            val disk = SimulatedDisk().withParent()
            val gate = HeldFile(directoryOf(3).resolve(SaveNames.MANIFEST), Kind.OPEN)
            ranks(1) {
                val checkpoints = Meter().open(this, gate.inFrontOf(disk.host("node0")))
                for (step in 1L..3) checkpoints.save(step)
                takeOver(disk)
                gate.open()
                loggedBy { checkpoints.close() }.filter { "taken over" in it }.shouldNotBeEmpty()
            }
            saves(disk) shouldContainExactly listOf(3, 2, 1)
        }

        test("one that was displaced in the middle of a deletion leaves the rest to its successor") {
            val disk = SimulatedDisk().withParent()
            val gate = HeldFile(dataOf(1), Kind.DELETE)
            ranks(9) {
                val nineFiles =
                    CheckpointOptions {
                        files = DataFiles.count(9)
                        blockSize = 64
                    }
                val checkpoints = Meter().open(this, gate.inFrontOf(disk.host("node0")), nineFiles)
                for (step in 1L..3) checkpoints.save(step)
                if (rank == 0) {
                    gate.awaitVisit()
                    takeOver(disk)
                    gate.open()
                }
                barrier()
                shouldThrowFor<InUse>(Reason.TAKEN_OVER) { checkpoints.save(4) }
                checkpoints.close()
            }
            withClue("eight files at once are deleted") { filesIn(disk, 1) shouldContain "data.sion.000008" }
            disk.host("node0").delete(DIRECTORY.resolve(SaveNames.OWNER))
            ranks(2) {
                Meter().open(this, disk.host("node0"), TWO_FILES).use {
                    it.restore()?.number shouldBe 3
                    it.save(5).number shouldBe 4
                }
            }
            namesIn(disk) shouldContainExactly listOf("000003", "000004")
        }

        test("when the job ends, no further file is deleted, and the next program deletes the rest before it saves") {
            val halfDeleted =
                (1L..40).count { seed ->
                    val disk = SimulatedDisk().withParent()
                    ranks(RankPlan(2, Schedule.Deterministic(seed))) {
                        val checkpoints = Meter().open(this, disk.host("node0"), TWO_FILES)
                        for (step in 1L..3) checkpoints.save(step)
                        barrier()
                        val before = filesIn(disk, 1)
                        checkpoints.close(ProgramEnd.CLOSED, step = null, isJobEnding = true)
                        if (rank == 0) filesIn(disk, 1) shouldContainExactly before
                    }
                    val left = filesIn(disk, 1)
                    ranks(2) {
                        Meter().open(this, disk.host("node0"), TWO_FILES).use {
                            it.restore()?.number shouldBe 3
                            it.save(4)
                        }
                    }
                    namesIn(disk) shouldContainExactly listOf("000003", "000004")
                    left.isNotEmpty() && SaveNames.MANIFEST !in left
                }
            (halfDeleted > 0) shouldBe true
        }

        test("a simulation that is asked to stop leaves deletions to the next one, and one that ends does not") {
            for (request in listOf(RunRequest.STOP, RunRequest.NONE)) {
                val left =
                    (1L..20).map { seed ->
                        val disk = SimulatedDisk().withParent()
                        ranks(RankPlan(2, Schedule.Deterministic(seed))) { stepWithSaves(disk, request) }
                        namesIn(disk).size
                    }
                (left.max() > 2) shouldBe (request == RunRequest.STOP)
            }
        }

        test("a file that cannot be deleted is told, fails no save, and is deleted after a later save") {
            val disk = SimulatedDisk().withParent()
            var refusalCount = 0
            val busy =
                object : ForwardingStore(disk.host("node0")) {
                    override fun onOperation(operation: BlockStore.Operation) {
                        val isHeld = operation.kind() == Kind.DELETE && operation.path() == dataOf(1)
                        if (isHeld && refusalCount++ < 2) throw IOException("busy")
                    }
                }
            val events = mutableListOf<CheckpointEvent>()
            val told =
                loggedBy {
                    ranks(RankPlan(2, Schedule.Deterministic(1))) {
                        Meter().open(this, busy, CheckpointOptions { listener(events::add) }).use {
                            for (step in 1L..6) it.trySave(step).shouldBeInstanceOf<Saved>()
                        }
                    }
                }
            val place = "$DIRECTORY/000001"
            val reason = "WARNING: $place: could not be deleted, tried again next time: $place/data.sion: busy."
            told.filter { "could not be deleted" in it } shouldContainExactly listOf(reason, reason)
            events.filterIsInstance<CheckpointEvent.Deleted>().map { it.number }.sorted() shouldBe (1..4).toList()
            namesIn(disk) shouldContainExactly listOf("000005", "000006")
        }

        for (isTaken in listOf(false, true)) {
            val whose = if (isTaken) "a store that was taken over" else "a store"
            test("a directory that is gone from $whose when older saves are deleted is told in one true sentence") {
                val disk = SimulatedDisk().withParent()
                val gone =
                    object : ForwardingStore(disk.host("node0")) {
                        private var isOver = false

                        override fun onOperation(operation: BlockStore.Operation) {
                            // After the commit of save 3, the store is listed for the deletion of save 1.
                            val isList = operation.kind() == Kind.LIST && operation.path() == DIRECTORY
                            if (!isList || isOver || SaveNames.MANIFEST !in filesIn(disk, 3)) return
                            isOver = true
                            if (isTaken) takeOver(disk)
                            throw NoSuchFileException("${directoryOf(3)}")
                        }
                    }
                val told =
                    loggedBy {
                        ranks(RankPlan(1, Schedule.Deterministic(1))) {
                            Meter().open(this, gone).use { for (step in 1L..3) it.save(step) }
                        }
                    }
                // The deletion after save 2 may still be under way, and says the same.
                val warning = told.filter { it.startsWith("WARNING") }.distinct().single()
                warning shouldStartWith
                    if (isTaken) {
                        "WARNING: $DIRECTORY/owner.json: the store should belong to "
                    } else {
                        "WARNING: $DIRECTORY: older checkpoints could not be deleted, tried again after the next " +
                            "save: $DIRECTORY/000003: there is no such file or directory"
                    }
                warning.lines().size shouldBe 1
            }
        }

        test("a process that has died deletes nothing more") {
            val deaths =
                (1L..40).count { operation ->
                    val watch = DeathWatch(SimulatedDisk().withParent().host("node0"))
                    val plan =
                        RankPlan(2, Schedule.Deterministic(operation), hosts = { "node$it" })
                            .withFaults(listOf(Fault.HostDies("node0", operation)))
                            .withOnHostDeath { watch.isDead = true }
                    attemptRanks(plan) {
                        Meter().open(this, watch).use { for (step in 1L..5) it.save(step) }
                    }
                    watch.deletedLate shouldBe 0
                    watch.isDead
                }
            (deaths > 10) shouldBe true
        }
    })

private val TWO_FILES =
    CheckpointOptions {
        files = DataFiles.count(2)
        blockSize = 64
    }

private fun directoryOf(save: Int): Path = DIRECTORY.resolve(SaveNames.directory(save))

private fun namesIn(disk: SimulatedDisk): List<String> =
    disk
        .host("node0")
        .list(DIRECTORY)
        .map { it.name }
        .filter { SaveNames.numberOf(it) != null }

private fun filesIn(disk: SimulatedDisk, save: Int): List<String> =
    disk.host("node0").run {
        if (exists(directoryOf(save))) list(directoryOf(save)).map { it.name } else emptyList()
    }

private fun saves(disk: SimulatedDisk): List<Int> =
    disk
        .host("node0")
        .checkpoints()
        .survey()
        .saves
        .map { it.number }

private fun takeOver(disk: SimulatedDisk) = OwnerFile(disk.host("node0"), DIRECTORY).place(owner("successor")).close()

/** Calls [block] while [call] goes on, as far as it came before it had to wait. */
private suspend fun <T> Checkpoints.during(call: suspend Checkpoints.() -> T, block: suspend (Deferred<T>) -> Unit) =
    coroutineScope { block(async(start = UNDISPATCHED) { call() }) }

/** A program of 8 steps that saves after each of them; from its third one on somebody asks for something. */
private suspend fun Communicator.stepWithSaves(disk: SimulatedDisk, request: RunRequest) {
    var last = 0L
    val requests = Requests { if (last < 3) RunRequest.NONE else request }
    val surroundings = LoopSurroundings(requests, job = null, shown = null)
    Simulation(this, DIRECTORY, Triggers(everySteps = 1), TWO_FILES, disk.host("node0"), surroundings)
        .use { it.walk { step -> last = step } }
}

private suspend fun Simulation.walk(inStep: (Long) -> Unit) {
    var sum by replicated(0L)
    for (step in steps(until = 8)) {
        inStep(step)
        sum += step
    }
    awaitSaves()
}

/** Counts the saves that have data in the store whenever one of them gets a file. */
private class Census(private val target: BlockStore) : ForwardingStore(target) {
    var most = 0
        private set

    override fun onOperation(operation: BlockStore.Operation) {
        val path = operation.path()
        if (operation.kind() != Kind.CREATE || !path.startsWith(DIRECTORY) || !isData(path)) return
        val saves = target.list(DIRECTORY).filter { SaveNames.numberOf(it.name) != null }
        most = maxOf(most, saves.count { it == path.parent || target.list(it).any(::isData) })
    }

    private fun isData(file: Path) = SaveNames.isData(file.name) || SaveNames.isPart(file.name)
}

/** Counts what of expired saves is deleted when the process [isDead]. */
private class DeathWatch(target: BlockStore) : ForwardingStore(target) {
    private val expired = mutableSetOf<Path>()
    var isDead = false
    var deletedLate = 0
        private set

    override fun onOperation(operation: BlockStore.Operation) {
        val path = operation.path()
        val isWithdrawal = operation.kind() == Kind.RENAME && path.name == SaveNames.MANIFEST
        if (isWithdrawal) expired.add(path.parent)
        val isDeletion = operation.kind() == Kind.DELETE && (path in expired || path.parent in expired)
        if (isDead && (isWithdrawal || isDeletion)) deletedLate++
    }
}
