package dev.cairn.proof.behind

import dev.cairn.checkpoints
import dev.cairn.concentrate.Concentrators
import dev.cairn.concentrate.DedicatedRanks
import dev.cairn.concentrate.Role
import dev.cairn.concentrate.SentPart
import dev.cairn.concentrate.dedicate
import dev.cairn.concentrate.takeRole
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.ExitCode
import dev.cairn.event.RankFailedException
import dev.cairn.event.RanksMissingException
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.event.shouldThrowFor
import dev.cairn.java.BlockingCheckpoints
import dev.cairn.java.BlockingRanks
import dev.cairn.java.BlockingSimulation
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DataFiles
import dev.cairn.options.SimulationOptions
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.Known
import dev.cairn.proof.state.SMALL_OPTIONS
import dev.cairn.proof.state.restoreKnown
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Fault
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunReport.Outcome
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.collectively
import dev.cairn.ranks.ranks
import dev.cairn.simulate
import dev.cairn.sion.Grouping
import dev.cairn.sion.Multifile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.DiskException
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.PerRankRule
import dev.cairn.state.StreamRule
import dev.cairn.store.DIRECTORY
import dev.cairn.store.SaveNames
import dev.cairn.store.name
import dev.cairn.store.withParent
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlinx.coroutines.delay
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Ranks that a program gives up write what the others save. */
class DedicatedSavesSpec :
    FunSpec({
        quietly()

        for (grouping in listOf(Grouping.none(), Grouping.few())) {
            for (known in Known.entries) {
                test("$known of ranks that compute, grouping $grouping, comes back on any number of ranks") {
                    val disk = SimulatedDisk().withParent()
                    val options = CheckpointOptions(SMALL_OPTIONS) { this.grouping = grouping }
                    ranks(7) {
                        dedicate(Concentrators.total(2), disk.host("node0")) { dedicated ->
                            size shouldBe 5
                            val state = known.toSave(this, disk.host("node0"))
                            checkpoints(DIRECTORY, options, disk.host("node0"), dedicated) { state.declare(this) }.use {
                                for (step in 1L..3) {
                                    collectively("go on") { state.advanceTo(step) }
                                    it.saveAsync(step)
                                    it.progress()
                                }
                                it.awaitSaves().shouldBeInstanceOf<Saved>().step shouldBe 3
                            }
                        }
                    }
                    for (count in listOf(1, 3, 5, 8)) {
                        val restored = ranks(count) { restoreKnown(known, disk.host("node0"), options = options) }
                        restored.distinct().single()?.step shouldBe 3
                    }
                }
            }
        }

        for (grouping in listOf(Grouping.none(), Grouping.few())) {
            test("the data are those of ranks that write for themselves, byte for byte, grouping $grouping") {
                suspend fun Communicator.save(files: BlockStore, dedicated: DedicatedRanks?) {
                    val state = Known.DUST.toSave(this, files)
                    state.advanceTo(3)
                    val options =
                        CheckpointOptions(SMALL_OPTIONS) {
                            this.grouping = grouping
                            this.files = DataFiles.count(2)
                        }
                    checkpoints(DIRECTORY, options, files, dedicated) { state.declare(this) }.use { it.saveAsync(3) }
                }
                val direct = SimulatedDisk().withParent().host("node0")
                ranks(4) { save(direct, dedicated = null) }
                val sent = SimulatedDisk().withParent().host("node0")
                ranks(6) { dedicate(Concentrators.ranks(1, 2), sent) { save(sent, it) } }
                dataIn(sent) shouldBe dataIn(direct)
            }
        }

        test("a rank whose bytes another one writes opens no file of the data") {
            for (grouping in listOf(Grouping.none(), Grouping.few())) {
                val disk = SimulatedDisk().withParent()
                val opening = ConcurrentHashMap.newKeySet<Int>()
                ranks(4) {
                    val world = rank
                    val files =
                        object : ForwardingStore(disk.host("node0")) {
                            override fun onOperation(operation: BlockStore.Operation) {
                                val isData = SaveNames.isData(operation.path().name)
                                if (isData && operation.kind() == BlockStore.Operation.Kind.OPEN) opening += world
                            }
                        }
                    dedicate(Concentrators.ranks(3), files) { dedicated ->
                        checkpoints(DIRECTORY, CheckpointOptions { this.grouping = grouping }, files, dedicated) {
                            perRank("cells", { DoubleArray(500) { it.toDouble() } }, {}, PerRankRule.Drop())
                        }.use { it.saveAsync(1) }
                    }
                }
                // Rank 0 writes the index.
                withClue("$grouping") { opening shouldBe setOf(0, 3) }
            }
        }

        test("dedicated ranks write the data, and the ranks that compute do not") {
            val disk = SimulatedDisk().withParent()
            val written = ConcurrentHashMap<Int, AtomicLong>()
            ranks(4) {
                val world = rank
                val files = counting(disk.host("node0")) { written.computeIfAbsent(world) { AtomicLong() } }
                dedicate(Concentrators.ranks(3), files) { dedicated ->
                    checkpoints(DIRECTORY, CheckpointOptions { grouping = Grouping.none() }, files, dedicated) {
                        perRank("cells", { DoubleArray(500_000) { it.toDouble() } }, {}, PerRankRule.Drop())
                    }.use { it.saveAsync(1) }
                }
            }
            written.getValue(3).get() shouldBeGreaterThan 3 * 4_000_000L
            withClue("the index of rank 0") {
                written.values.sumOf { it.get() } - written.getValue(3).get() shouldBeLessThan 10_000L
            }
        }

        test("a dedicated rank with little memory keeps ranks waiting, and loses nothing") {
            val disk = SimulatedDisk().withParent()
            ranks(3) {
                dedicate(Concentrators.ranks(0), disk.host("node0"), memory = 1) { dedicated ->
                    var cells = LongArray(1 shl 20) { it + (rank.toLong() shl 32) }
                    checkpoints(DIRECTORY, files = disk.host("node0"), dedicated = dedicated) {
                        perRank("cells", { cells }, { cells = it }, PerRankRule.Drop())
                    }.use {
                        it.saveAsync(1)
                        cells.fill(-1)
                    }
                }
            }
            ranks(2) {
                var cells = LongArray(0)
                checkpoints(DIRECTORY, files = disk.host("node0")) {
                    perRank("cells", { cells }, { cells = it }, PerRankRule.Drop())
                }.use { it.restore()?.step shouldBe 1 }
                cells shouldBe LongArray(1 shl 20) { it + (rank.toLong() shl 32) }
            }
        }

        test("a stream that is larger than what travels at once is saved whole") {
            val disk = SimulatedDisk().withParent()
            val bytes = ByteArray(12 * SentPart.MESSAGE_SIZE) { (it * 31L shr 7).toByte() }
            ranks(2) {
                dedicate(Concentrators.ranks(1), disk.host("node0")) { dedicated ->
                    checkpoints(DIRECTORY, files = disk.host("node0"), dedicated = dedicated) {
                        stream("log", { it.write(bytes) }, {}, StreamRule.Drop)
                    }.use { it.saveAsync(1).await() }
                }
            }
            var found = ByteArray(0)
            ranks(1) {
                checkpoints(DIRECTORY, files = disk.host("node0")) {
                    stream("log", {}, { found = it.readAllBytes() }, StreamRule.Drop)
                }.use { it.restore()?.step shouldBe 1 }
            }
            found.contentEquals(bytes) shouldBe true
        }

        test("a full disk of the dedicated rank fails the save on all ranks, and the next one succeeds") {
            val disk = SimulatedDisk().withParent()
            var isFull = true
            ranks(3) {
                val store = fullFor(rank == 2, disk.host("node0")) { isFull }
                dedicate(Concentrators.ranks(2), store) { dedicated ->
                    val state = Known.SMALL.toSave(this, store)
                    state.advanceTo(1)
                    checkpoints(DIRECTORY, SMALL_OPTIONS, store, dedicated) { state.declare(this) }.use {
                        val save = it.saveAsync(1)
                        shouldThrow<RankFailedException> { it.awaitSaves() }
                        it.lastSave.shouldBeInstanceOf<SaveOutcome.Failed>().reason shouldContain
                            "the dedicated rank 2 of world/1 could not write: $DIRECTORY/000001/data.sion"
                        shouldThrow<Exception> { save.await() }
                        barrier()
                        isFull = false
                        it.saveAsync(2).await().number shouldBe 2
                    }
                }
            }
        }

        test("a state that cannot be written does not leave the dedicated rank waiting") {
            val disk = SimulatedDisk().withParent()
            ranks(3) {
                dedicate(Concentrators.ranks(0), disk.host("node0")) { dedicated ->
                    checkpoints(DIRECTORY, files = disk.host("node0"), dedicated = dedicated) {
                        stream("log", { check(rank == 0) { "no log" } }, {}, StreamRule.Drop)
                    }.use {
                        shouldThrowFor<NotSaved>(Reason.PROGRAM) { it.saveAsync(1) }.message shouldContain "no log"
                        it.lastSave.shouldBeInstanceOf<SaveOutcome.Failed>()
                    }
                }
            }
        }

        test("a dedicated rank that dies ends its clients with one typed error, and the save before stays") {
            val disk = SimulatedDisk().withParent()
            val plan = RankPlan(4, Schedule.Deterministic(7))
            for (operation in 5L..24L) {
                val dying = plan.withFaults(listOf(Fault.RankDies(0, operation)))
                val report =
                    attemptRanks(dying) {
                        dedicate(Concentrators.ranks(0), disk.host("node0")) { dedicated ->
                            val state = Known.SMALL.toSave(this, disk.host("node0"))
                            checkpoints(DIRECTORY, SMALL_OPTIONS, disk.host("node0"), dedicated) {
                                state.declare(this)
                            }.use {
                                val before = it.restore()?.step ?: 0
                                for (step in before + 1..before + 3) {
                                    state.advanceTo(step)
                                    it.saveAsync(step)
                                }
                            }
                        }
                    }
                val left = report.outcomes.drop(1)
                if (left.any { it !is Outcome.Returned }) {
                    val failures = left.map { (it as Outcome.Threw).failure }
                    withClue("operation $operation: $report") {
                        failures.distinctBy { "$it" }.single().shouldBeInstanceOf<RanksMissingException>()
                    }
                }
            }
            ranks(2) { restoreKnown(Known.SMALL, disk.host("node0"), options = SMALL_OPTIONS) }
        }

        test("a simulation gives up ranks by a setting, its steps do not wait, and its exit code is that of all") {
            val disk = SimulatedDisk().withParent()
            val events = mutableListOf<CheckpointEvent>()
            val sizes = mutableListOf<Int>()
            val options =
                SimulationOptions {
                    checkpoints { listener(events::add) }
                    every = 2
                    dedicated = Concentrators.perHost(1)
                }
            val codes =
                ranks(5) {
                    simulate("count", options = options, files = disk.host("node0")) {
                        synchronized(sizes) { sizes += ranks.size }
                        var n by replicated(0L)
                        for (step in steps(until = 5)) n = step
                    }
                }
            codes.distinct() shouldBe listOf(ExitCode.FINISHED)
            sizes shouldBe List(4) { 4 }
            events.filterIsInstance<SaveOutcome.Copied>().map { it.step } shouldBe listOf(2L, 4L)
            events.filterIsInstance<Saved>().map { it.step } shouldBe listOf(2L, 4L, 5L)
            events.filterIsInstance<CheckpointEvent.Started>().single().rankCount shouldBe 4
        }

        test("dedicated ranks and disks of hosts are refused together, with the settings") {
            val disk = SimulatedDisk().withParent()
            val options = CheckpointOptions { local = Path.of("/scratch") }
            ranks(2) {
                dedicate(Concentrators.ranks(0), disk.host("node0")) { dedicated ->
                    shouldThrow<Exception> {
                        checkpoints(DIRECTORY, options, disk.host("node0"), dedicated) { replicated("n", { 1L }, {}) }
                    }.message shouldContain
                        "saves should go to the disks of the hosts, and dedicated ranks write into the shared store " +
                        "only. Leave out local and wait = local, or dedicate no ranks."
                }
            }
        }

        test("all ranks are refused if none would be left, or if they differ in the setting") {
            ranks(2) {
                shouldThrow<InvalidDeclaration> { dedicate(Concentrators.everyNth(1)) { } }.message shouldContain
                    "every:1 dedicates all of 2 ranks, and none is left to compute. Start more ranks, or dedicate fewer"
                val own =
                    if (rank ==
                        0
                    ) {
                        SimulationOptions()
                    } else {
                        SimulationOptions { dedicated = Concentrators.ranks(1) }
                    }
                shouldThrow<InvalidDeclaration> { simulate("n", options = own) { } }.message shouldContain
                    "dedicated is ranks:1 on rank 1, but none on rank 0. Give all ranks the same settings"
            }
        }

        test("ranks that do not all pass them on, or are not all that compute, are refused before they save") {
            val files = SimulatedDisk().withParent().host("node0")
            ranks(4) {
                dedicate(Concentrators.ranks(3), files) { dedicated ->
                    val own = dedicated.takeIf { rank != 1 }
                    shouldThrow<InvalidDeclaration> {
                        checkpoints(DIRECTORY, files = files, dedicated = own) { replicated("n", { 1 }, {}) }
                    }.message shouldContain
                        "rank 0 passes dedicated ranks on, and rank 1 does not. Pass them on all ranks or on none."
                    val half = checkNotNull(split(rank % 2))
                    shouldThrow<InvalidDeclaration> {
                        val directory = DIRECTORY.resolveSibling("half-${rank % 2}.cairn")
                        half.checkpoints(directory, files = files, dedicated = dedicated) { replicated("n", { 1 }, {}) }
                    }.message shouldContain
                        "dedicated ranks write what all 3 ranks save that compute, but these checkpoints are of"
                }
            }
        }

        test("the rules of all ranks must be the same") {
            ranks(4) {
                val rule = Concentrators.total(if (rank == 1) 2 else 1)
                shouldThrow<InvalidDeclaration> { dedicate(rule) { } }.message shouldContain
                    "rank 1 dedicates total:2, but rank 0 total:1. Let all ranks dedicate the same"
            }
        }

        test("a rank that is asked for something from outside passes it on to its client") {
            val asked = ConcurrentLinkedQueue(listOf(0, 2))
            ranks(2) {
                when (val role = takeRole(Concentrators.ranks(0), FileBlockStore(), memory = null)) {
                    is Role.Dedicated -> {
                        role.rank.serve { asked.poll() ?: 0 }
                    }

                    is Role.Computing -> {
                        var request = 0
                        role.play { dedicated ->
                            while (request == 0) {
                                delay(5.milliseconds)
                                request = dedicated.line.pollRequest()
                            }
                        }
                        request shouldBe 2
                    }
                }
            }
        }

        test("a dedicated rank that has stopped is missed when the limit has passed") {
            val files = SimulatedDisk().withParent().host("node0")
            val report =
                attemptRanks(RankPlan(2, Schedule.Deterministic(1))) {
                    when (val role = takeRole(Concentrators.ranks(1), files, memory = null)) {
                        is Role.Dedicated -> {
                            delay(1.hours)
                        }

                        is Role.Computing -> {
                            role.ranks
                                .checkpoints(
                                    DIRECTORY,
                                    CheckpointOptions { limit = 2.seconds },
                                    files,
                                    role.dedicated,
                                ) {
                                    replicated("n", { 1L }, {})
                                }.use { it.saveAsync(2).await() }
                        }
                    }
                }
            val missed = (report.outcomes[0] as Outcome.Threw).failure
            missed.shouldBeInstanceOf<RanksMissingException>().message shouldContain "rank 1 did not arrive"
        }

        test("a save after dedicate() has returned is refused") {
            val files = SimulatedDisk().withParent().host("node0")
            ranks(3) {
                val kept =
                    dedicate(Concentrators.ranks(2), files) { dedicated ->
                        checkpoints(DIRECTORY, files = files, dedicated = dedicated) { replicated("n", { 1 }, {}) }
                            .also { it.saveAsync(1).await() }
                    }
                kept?.use {
                    shouldThrow<IllegalStateException> { it.saveAsync(2) }.message shouldBe
                        "world/1: the dedicated ranks have left, since dedicate() has returned. Save inside of it"
                    it.save(3).number shouldBe 2
                }
            }
        }

        test("Java programs have the same") {
            val disk = SimulatedDisk().withParent()
            val files = disk.host("node0")
            val codes = mutableListOf<ExitCode>()
            BlockingRanks.run(3) { ranks ->
                ranks.dedicate(Concentrators.ranks(2), files) { computing, dedicated ->
                    var value = 7L
                    BlockingCheckpoints
                        .open(computing, DIRECTORY, CheckpointOptions(), files, dedicated) { state ->
                            state.replicated("value", { value }, { value = it })
                        }.use {
                            it.saveAsync(1)
                            value = 8
                            it.awaitSaves().get().shouldBeInstanceOf<Saved>()
                            it.restore().get().step shouldBe 1
                            value shouldBe 7
                        }
                }
                val options =
                    SimulationOptions {
                        dedicated = Concentrators.ranks(0)
                        every = 1
                    }
                val code =
                    BlockingSimulation.simulate(ranks, "java", options = options, files = files) { simulation ->
                        simulation.size shouldBe 2
                        val n = simulation.replicated(0L).named("n")
                        for (step in simulation.steps(3)) n.value = step
                    }
                synchronized(codes) { codes += code }
            }
            codes shouldContainExactlyInAnyOrder List(3) { ExitCode.FINISHED }
        }

        test("a program that fails ends its dedicated ranks, and all learn why") {
            val report =
                attemptRanks(RankPlan(3)) {
                    dedicate(Concentrators.ranks(1)) { collectively("compute") { check(rank == 0) { "diverged" } } }
                }
            report.outcomes.map { (it as Outcome.Threw).failure.message.orEmpty() }.forEach {
                it shouldContain
                    "diverged"
            }
        }

        test("what is wrong with the state is refused while the program stands at its step") {
            val disk = SimulatedDisk().withParent()
            ranks(3) {
                dedicate(Concentrators.ranks(0), disk.host("node0")) { dedicated ->
                    checkpoints(DIRECTORY, files = disk.host("node0"), dedicated = dedicated) {
                        replicated("n", { rank }, {})
                    }.use { shouldThrow<CheckpointException.InvalidDeclaration> { it.saveAsync(1) } }
                }
            }
        }
    })

/** What each of the 4 ranks has written; the index also says when. */
private fun dataIn(files: BlockStore): List<ByteBuffer> =
    Multifile.open(files, DIRECTORY.resolve("000001/data.sion")).use { view ->
        List(4) { task ->
            ByteBuffer.allocate(Math.toIntExact(view.task(task).size())).also { view.read(task, 0, it) }.flip()
        }
    }

/** Counts the bytes of data that are written. */
private fun counting(store: BlockStore, counter: () -> AtomicLong): BlockStore =
    object : ForwardingStore(store) {
        override fun onOperation(operation: BlockStore.Operation) {
            if (operation.kind() == BlockStore.Operation.Kind.WRITE && "data.sion" in "${operation.path()}") {
                counter().addAndGet(operation.length())
            }
        }
    }

/** A disk that has no room for data while it [isFull], if it [isConcerned]. */
private fun fullFor(isConcerned: Boolean, store: BlockStore, isFull: () -> Boolean): BlockStore =
    object : ForwardingStore(store) {
        override fun onOperation(operation: BlockStore.Operation) {
            val isData = operation.kind() == BlockStore.Operation.Kind.WRITE && "data.sion" in "${operation.path()}"
            if (isConcerned && isFull() && isData) throw DiskException.noRoom(operation.path(), operation.length(), 0)
        }
    }
