package dev.cairn.proof.local

import dev.cairn.Checkpoints
import dev.cairn.checkpoints
import dev.cairn.comm.Communicator
import dev.cairn.comm.collectively
import dev.cairn.comm.plan.RankPlan
import dev.cairn.comm.plan.RunFailedException
import dev.cairn.comm.plan.Schedule
import dev.cairn.contents.FramePool
import dev.cairn.contents.checksum
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.SaveOutcome
import dev.cairn.event.Saved
import dev.cairn.failure.CheckpointException
import dev.cairn.failure.RankFailedException
import dev.cairn.house.Campaign
import dev.cairn.local.Draining
import dev.cairn.local.LocalSaves
import dev.cairn.options.LostLocal
import dev.cairn.options.Wait
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.Known
import dev.cairn.proof.state.SMALL_OPTIONS
import dev.cairn.proof.state.restoreKnown
import dev.cairn.ranks.ranks
import dev.cairn.reading.verify
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.Multifile
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.Operation
import dev.cairn.sion.store.simulated.CrashOutcome
import dev.cairn.store.DIRECTORY
import dev.cairn.store.SaveNames
import dev.cairn.stored.checkpointStore
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicInteger

/** Saves that go to the disks of the hosts first: what reaches the shared store, and what a restart does with what has not. */
class LocalSavesSpec :
    FunSpec({
        quietly()

        for (known in Known.entries) {
            for (wait in listOf(Wait.COPIED, Wait.LOCAL)) {
                test("a save of the state $known is drained and committed, and needs no host any more: wait = $wait") {
                    for (seed in 1L..10) {
                        withClue("seed $seed") {
                            val disks = HostDisks()
                            ranks(plan(4, seed)) { save(known, disks.door(host), 1L..3, wait) }
                            for (count in 1..4) {
                                val reader = disks.shared.host("elsewhere")
                                ranks(count) { restoreKnown(known, reader)?.step }.distinct() shouldBe listOf(3L)
                            }
                            val store = checkpointStore(disks.shared.host("elsewhere"), DIRECTORY)
                            val saves = store.survey().saves
                            saves
                                .map {
                                    disks.shared
                                        .host(
                                            "elsewhere",
                                        ).verify(store.read(it))
                                }.flatten()
                                .shouldBeEmpty()
                            hosts.flatMap { disks.door(it).localFiles() }.shouldBeEmpty()
                        }
                    }
                }
            }
        }

        test("a drained file is, byte for byte, the one that its host had") {
            for (seed in 1L..10) {
                val disks = HostDisks()
                val ofHosts = mutableMapOf<String, ByteBuffer>()
                ranks(plan(4, seed)) {
                    val files = disks.door(host)
                    save(Known.SMALL, files, 1L..1, Wait.LOCAL) { outcome ->
                        if (outcome is SaveOutcome.Sealed) {
                            hosts.forEach {
                                disks.door(it).localFiles().forEach { (name, bytes) ->
                                    ofHosts[name] = bytes
                                }
                            }
                        }
                    }
                }
                ofHosts.size shouldBe hosts.size
                val shared = disks.shared.host("elsewhere")
                val drained = ofHosts.keys.associateWith { shared.bytes(DIRECTORY.resolve("000001").resolve(it)) }
                drained shouldBe ofHosts
            }
        }

        test("listeners learn of each step") {
            val events = mutableListOf<CheckpointEvent>()
            val disks = HostDisks()
            ranks(plan(4, 1)) {
                save(Known.SMALL, disks.door(host), 1L..1, Wait.COPIED, listener = events::add)
                save(Known.SMALL, disks.door(host), 2L..2, Wait.LOCAL, listener = events::add)
            }
            events.map { it::class.simpleName } shouldBe
                listOf("Begun", "Copied", "Sealed", "Saved", "Restored", "Begun", "Sealed", "Saved")
        }

        test(
            "a save that cannot be drained stays on its hosts, and a restart on any ranks that reach them completes it",
        ) {
            for (seed in 1L..10) {
                withClue("seed $seed") {
                    val disks = HostDisks()
                    leaveSealed(disks, seed)
                    val store = checkpointStore(disks.door("node0"), DIRECTORY)
                    store.survey().newestSealed?.number shouldBe 2
                    // Ranks on the three hosts, in another order and number.
                    val plan = RankPlan(5, Schedule.Deterministic(seed), hosts = { hosts[(it + 1) % 3] })
                    ranks(
                        plan,
                    ) { restoreKnown(Known.SMALL, disks.door(host), options = LOCALLY)?.step }.distinct() shouldBe
                        listOf(2L)
                    hosts.flatMap { disks.door(it).localFiles() }.shouldBeEmpty()
                }
            }
        }

        test("a start that does not reach a host is refused on all ranks, and names the host") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            val told =
                ranks(RankPlan(2, hosts = { hosts[it] })) {
                    runCatching { restoreKnown(Known.SMALL, disks.door(host), options = LOCALLY) }.exceptionOrNull()
                }.onEach {
                    it.shouldBeInstanceOf<CheckpointException.LocalSaveLost>()
                }.map { it?.message }
                    .distinct()
                    .single()
            told shouldContain "save 2, step 2, lies on the disks of its hosts, but no rank finds " +
                "data.sion.000002 on node2 below /scratch/saves/cairn-"
            disks.door("node0").localFiles().shouldNotBeEmpty()
            ranks(
                1,
            ) { shouldThrow<CheckpointException.LocalSaveLost> { restoreKnown(Known.SMALL, disks.door("node0")) } }
        }

        test("a save on a lost host is given up if the user says so, and never comes back") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            val kept = disks.ownDisk("node2")
            disks.lose("node2")
            val goOn = LOCALLY.withLostLocal(LostLocal.GO_ON)
            ranks(plan(3, 1)) { restoreKnown(Known.SMALL, disks.door(host), options = goOn)?.step }.distinct() shouldBe
                listOf(1L)
            disks.giveBack("node2", kept)
            ranks(
                plan(3, 1),
            ) { restoreKnown(Known.SMALL, disks.door(host), options = LOCALLY)?.step }.distinct() shouldBe
                listOf(1L)
        }

        test("a damaged byte on a host is not drained") {
            var damagedCount = 0
            for (seed in 1L..Campaign.DAMAGED_BYTES.limit(300)) {
                val disks = HostDisks()
                leaveSealed(disks, seed)
                val door = disks.door(hosts[(seed % 3).toInt()])
                val file = door.localPaths().single { SaveNames.isOriginal("${it.fileName}") }
                val size = door.bytes(file).remaining()
                val at = (seed * 7919) % size
                door.open(file, Access.READ_WRITE).use {
                    val byte = ByteBuffer.allocate(1)
                    it.readFully(at, byte)
                    it.write(at, ByteBuffer.allocate(1).put(0, (byte.get(0) + 1).toByte()))
                }
                withClue("seed $seed: byte $at of $file") {
                    val outcome =
                        runCatching {
                            ranks(
                                plan(3, seed),
                            ) { restoreKnown(Known.SMALL, disks.door(host), options = LOCALLY)?.step }
                        }
                    if (outcome.isFailure) {
                        val failure = (outcome.exceptionOrNull() as RunFailedException).cause
                        failure.shouldBeInstanceOf<CheckpointException.LocalSaveLost>().message shouldContain
                            "but cannot be had from there: "
                        damagedCount++
                    } else {
                        // The byte lies between the data and belongs to nothing.
                        outcome.getOrThrow().distinct() shouldBe listOf(2L)
                        val store = checkpointStore(disks.door("node0"), DIRECTORY)
                        disks.door("node0").verify(store.read(store.survey().saves.first())).shouldBeEmpty()
                    }
                }
            }
            damagedCount shouldBeGreaterThan 5
        }

        test("a program that wakes up and drains, when another one has committed, does no harm") {
            for (frames in 0..1) {
                val disks = HostDisks()
                leaveSealed(disks, seed = 1)
                val ofSleeper = disks.ownDisk("node1").afterCrash(CrashOutcome.losing(emptySet()))
                ranks(
                    plan(3, 1),
                ) { restoreKnown(Known.SMALL, disks.door(host), options = LOCALLY)?.step }.distinct() shouldBe
                    listOf(2L)
                disks.giveBack("node1", ofSleeper)
                val files = disks.door("node1")
                val store = checkpointStore(files, DIRECTORY)
                val candidate = store.read(store.survey().saves.first())
                val source = files.localPaths().single { SaveNames.isOriginal("${it.fileName}") }
                val view =
                    Multifile.openFile(files, source).use {
                        it.files().single().let { file ->
                            file.metaOneSize() to
                                file.metaTwoStart()
                        }
                    }
                val bytes = files.bytes(source)
                val meta = ByteBuffer.allocate(bytes.remaining())
                meta.put(bytes.slice(0, view.first.toInt())).put(
                    bytes.slice(
                        view.second.toInt(),
                        bytes.remaining() - view.second.toInt(),
                    ),
                )
                val checksum = checksum(meta.flip())
                var left = frames
                val sleeper =
                    Draining(files, source, candidate.manifest, checksum, FramePool(1), ForcePolicy.ON_CLOSE) {
                        if (left-- == 0) throw IOException("the program is killed")
                    }
                runCatching { sleeper.copyTo(candidate.path.resolve(source.fileName)) }.isFailure shouldBe true
                files.verify(candidate).shouldBeEmpty()
                left = Int.MAX_VALUE
                sleeper.copyTo(candidate.path.resolve(source.fileName))
                files.verify(candidate).shouldBeEmpty()
                files.list(candidate.path).filter { SaveNames.isPart("${it.fileName}") }.shouldBeEmpty()
            }
        }

        test("a commit refuses files that are not what their hosts had") {
            val disks = HostDisks()
            val deaf = hosts.associateWith { if (it == "node1") Unwritten(disks.door(it)) else disks.door(it) }
            val outcomes =
                ranks(plan(3, 1)) {
                    val state = Known.SMALL.toSave(this, deaf.getValue(host))
                    checkpoints(
                        DIRECTORY,
                        LOCALLY.withWait(Wait.LOCAL),
                        deaf.getValue(host),
                    ) { state.declare(this) }.use {
                        collectively("go on to step 1") { state.advanceTo(1) }
                        it.trySave(1)
                        runCatching { it.awaitSaves() }.isFailure shouldBe true
                        it.lastSave
                    }
                }
            outcomes
                .distinct()
                .single()
                .shouldBeInstanceOf<SaveOutcome.Failed>()
                .reason shouldContain
                "data.sion.000001"
            ranks(
                plan(3, 1),
            ) { restoreKnown(Known.SMALL, disks.door(host), options = LOCALLY)?.step }.distinct() shouldBe
                listOf(1L)
        }

        test("the ranks of a process share the open file of their host") {
            val disks = HostDisks()
            val counted = CountedOpens(disks.door("node0"))
            ranks(RankPlan(8, Schedule.Deterministic(1))) { save(Known.SMALL, counted, 1L..1, Wait.LOCAL) }
            // By the ranks that write, for the index, to be completed, and twice to be drained.
            counted.count.get() shouldBe 5
        }

        test("hosts that share the directory of local saves are refused") {
            val disks = HostDisks()
            val oneDisk = disks.door("node0")
            val all =
                ranks(RankPlan(2, Schedule.Deterministic(1), hosts = { hosts[it] })) {
                    runCatching { restoreKnown(Known.SMALL, oneDisk, options = LOCALLY) }.exceptionOrNull()
                }
            all
                .map {
                    it.shouldBeInstanceOf<CheckpointException.LocalUnusable>().message
                }.distinct()
                .single() shouldContain
                "the hosts of ranks 0, 1 share it"
        }

        test("a damaged seal stops the start, or is given up if the user says so") {
            for (goOn in listOf(false, true)) {
                val disks = HostDisks()
                leaveSealed(disks, 1)
                val files = disks.door("node0")
                files
                    .open(
                        DIRECTORY.resolve("000002").resolve(SaveNames.SEAL),
                        Access.READ_WRITE,
                    ).use { it.resize(100) }
                val options = if (goOn) LOCALLY.withLostLocal(LostLocal.GO_ON) else LOCALLY
                val ends =
                    ranks(
                        plan(3, 1),
                    ) { runCatching { restoreKnown(Known.SMALL, disks.door(host), options = options)?.step } }
                if (goOn) {
                    ends.map { it.getOrThrow() }.distinct() shouldBe listOf(1L)
                } else {
                    ends.forEach { it.exceptionOrNull().shouldBeInstanceOf<CheckpointException.LocalSaveLost>() }
                }
            }
        }

        test("what failed saves leave on a host is deleted by the next save") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            ranks(plan(3, 1)) {
                val files = disks.door(host)
                val state = Known.SMALL.toSave(this, files)
                checkpoints(DIRECTORY, LOCALLY.withWait(Wait.LOCAL), files) { state.declare(this) }.use {
                    it.restore(number = 1)
                    for (step in 2L..5) {
                        collectively("go on to step $step") { state.advanceTo(step) }
                        it.trySave(step)
                    }
                    it.awaitSaves()
                }
            }
            hosts.flatMap { disks.door(it).localFiles() }.shouldBeEmpty()
        }

        test("a save on a host may be deleted by two at once") {
            for (kind in listOf(Operation.Kind.LIST, Operation.Kind.DELETE)) {
                val files = HostDisks().door("node0")
                val other = LocalSaves(files, LOCAL, "one-store").apply { begin(1) }
                files.create(other.file(1, SaveNames.DATA)).close()
                val behindTheOther =
                    object : ForwardingStore(files) {
                        override fun onOperation(operation: Operation) {
                            if (operation.kind() == kind) other.remove(1)
                        }
                    }
                LocalSaves(behindTheOther, LOCAL, "one-store").remove(1)
                files.localPaths().shouldBeEmpty()
            }
        }

        test("save() goes to the shared store at once") {
            val disks = HostDisks()
            ranks(plan(3, 1)) {
                val state = Known.SMALL.toSave(this, disks.door(host))
                checkpoints(DIRECTORY, LOCALLY.withWait(Wait.COPIED), disks.door(host)) { state.declare(this) }.use {
                    state.advanceTo(1)
                    it.save(1)
                }
            }
            hosts.flatMap { disks.door(it).localPaths() }.shouldBeEmpty()
            ranks(1) { restoreKnown(Known.SMALL, disks.shared.host("elsewhere"))?.step } shouldBe listOf(1L)
        }
    })

private val hosts = List(3) { "node$it" }

private val LOCALLY = SMALL_OPTIONS.withLocal(LOCAL)

private fun plan(
    count: Int,
    seed: Long,
) = RankPlan(count, Schedule.Deterministic(seed), hosts = { hosts[it % 3] })

/** Collective: saves [steps], and tells how each save ended or how far it has come. */
private suspend fun Communicator.save(
    known: Known,
    files: BlockStore,
    steps: LongRange,
    wait: Wait,
    listener: (CheckpointEvent) -> Unit = {},
    onOutcome: (SaveOutcome) -> Unit = {},
) {
    val state = known.toSave(this, files)
    val options = LOCALLY.withWait(wait).withListener(listener)
    checkpoints(DIRECTORY, options, files) { state.declare(this) }.use {
        it.restore()
        for (step in steps) {
            collectively("go on to step $step") { state.advanceTo(step) }
            val outcome = it.trySave(step)
            collectively("look at the disks") { if (rank == 0) onOutcome(outcome) }
        }
        it.awaitAll()
    }
}

private suspend fun Checkpoints.awaitAll() {
    awaitSaves().shouldBeInstanceOf<Saved>()
}

/** Save 1 is committed; save 2 is sealed, and cannot be drained. */
private suspend fun leaveSealed(
    disks: HostDisks,
    seed: Long,
) {
    ranks(plan(4, seed)) { save(Known.SMALL, disks.door(host), 1L..1, Wait.LOCAL) }
    val full = hosts.associateWith { NoRoomForData(disks.door(it)) }
    ranks(plan(4, seed)) {
        val files = full.getValue(host)
        val state = Known.SMALL.toSave(this, files)
        checkpoints(DIRECTORY, LOCALLY.withWait(Wait.LOCAL), files) { state.declare(this) }.use {
            it.restore()
            collectively("go on to step 2") { state.advanceTo(2) }
            it.trySave(2).shouldBeInstanceOf<SaveOutcome.Sealed>()
            shouldThrow<RankFailedException> { it.awaitSaves() }
        }
    }
}

/** A shared store in which no data file can be made. */
private class NoRoomForData(
    files: BlockStore,
) : ForwardingStore(files) {
    override fun onOperation(operation: Operation) {
        val path = operation.path()
        if (operation.kind() == Operation.Kind.CREATE && path.startsWith(DIRECTORY) &&
            SaveNames.isPart("${path.fileName}")
        ) {
            throw IOException("$path: no room")
        }
    }
}

/** Counts how often a file on a host's own disk is opened for data. */
private class CountedOpens(
    files: BlockStore,
) : ForwardingStore(files) {
    val count = AtomicInteger()

    override fun onOperation(operation: Operation) {
        val path = operation.path()
        val isOpen = operation.kind() == Operation.Kind.OPEN || operation.kind() == Operation.Kind.CREATE
        if (isOpen && path.startsWith(SCRATCH) && SaveNames.isData("${path.fileName}")) count.incrementAndGet()
    }
}

/** A host whose writes into data files of the shared store are lost. */
private class Unwritten(
    private val files: BlockStore,
) : BlockStore by files {
    override fun create(file: Path): BlockFile {
        val created = files.create(file)
        return if (file.startsWith(DIRECTORY) && SaveNames.isPart("${file.fileName}")) Deaf(created) else created
    }
}

private class Deaf(
    file: BlockFile,
) : BlockFile by file {
    override fun write(
        position: Long,
        source: ByteBuffer,
    ) {
        source.position(source.limit())
    }
}

private fun BlockStore.localPaths(): List<Path> {
    val stores = if (exists(LOCAL)) list(LOCAL) else emptyList()
    return stores.flatMap { list(it) }.flatMap { list(it) }
}

/** The physical files on the own disk of a host, by name. */
private fun BlockStore.localFiles(): List<Pair<String, ByteBuffer>> =
    localPaths().filter { SaveNames.isOriginal("${it.fileName}") }.map { "${it.fileName}" to bytes(it) }

private fun BlockStore.bytes(file: Path): ByteBuffer =
    open(file, Access.READ).use { opened ->
        ByteBuffer.allocate(opened.size().toInt()).also { opened.readFully(0, it) }.flip()
    }
