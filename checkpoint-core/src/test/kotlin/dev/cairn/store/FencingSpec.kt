package dev.cairn.store

import dev.cairn.event.CheckpointException.InUse
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.fixture.content
import dev.cairn.sion.store.fixture.write
import dev.cairn.sion.store.simulated.DiskSettings
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import java.io.IOException
import java.nio.file.Path

/** An owner stops before any of its operations, another one takes its store over, and then the old one wakes up. */
class FencingSpec :
    FunSpec({
        val meetings by lazy { meetEverywhere { it }.toList() }

        test("whenever it wakes up, nothing that was promised is lost, and nothing is found that is not whole") {
            val histogram = meetings.groupingBy { it.toString() }.eachCount().toSortedMap()
            println("FencingSpec: ${meetings.size} meetings: $histogram")
            meetings.size shouldBeGreaterThanOrEqual 500
            meetings.filter { it.isLie() }.shouldBeEmpty()
        }

        test("it commits nothing, unless it had stopped between the last look at the owner and the rename") {
            meetings.filter { it.hasCommittedLate }.map { it.stoppedBefore }.toSet() shouldBe
                setOf("SIZE owner.json", "READ owner.json", "CLOSE owner.json", "RENAME manifest.json.new")
        }

        test("it deletes nothing more, but for the files or the name that it had just looked at the owner for") {
            meetings.filter { it.deletedLate > DATA_FILES }.shouldBeEmpty()
            meetings.filter { it.deletedLate == DATA_FILES }.shouldNotBeEmpty()
        }

        test("one that does not read the lock again deletes on, and it is seen") {
            meetEverywhere(::CachedOwnerStore).any { it.deletedLate > DATA_FILES } shouldBe true
        }

        test("its successor is never hindered") {
            meetings.filter { it.successor.isFailure }.shouldBeEmpty()
        }

        test("one that does not read the lock again commits, and it is seen") {
            meetEverywhere(
                ::CachedOwnerStore,
            ).any { it.hasCommittedLate && it.stoppedBefore == "WRITE data.sion" } shouldBe
                true
        }
    })

/**
 * The old owner stops before every one of its operations, and the successor has come this far or further when it wakes up.
 * The lock of the old one reaches to the successor's host, or does not.
 */
private fun meetEverywhere(sabotage: (BlockStore) -> BlockStore): Sequence<Meeting> =
    DiskSettings.LockReach.entries.asSequence().flatMap { reach ->
        (1..STAGES).asSequence().flatMap { stages ->
            generateSequence(1) { it + 1 }.map { Meeting(reach, it, stages, sabotage) }.takeWhile { it.hasStopped }
        }
    }

/** Those of a save, which are deleted in one step. */
private const val DATA_FILES = 2

/** The successor owns, begins, writes, commits, deletes. */
private const val STAGES = 5

private class Meeting(
    reach: DiskSettings.LockReach,
    stop: Int,
    private val stages: Int,
    sabotage: (BlockStore) -> BlockStore,
) {
    private val scene = Scene(SimulatedDisk(DiskSettings.DEFAULT.withLockReach(reach)).withParent())
    private val life = SuccessorLife(scene.disk.host("node1"))
    private val old: Result<Unit>
    private var firstStages: Result<Unit> = Result.success(Unit)
    private var committedBefore = emptySet<Int>()

    /** Kind and name of the operation before which the old owner stopped. */
    var stoppedBefore = ""
        private set

    /** How many files and manifests the old owner has deleted after the other one had taken over. */
    var deletedLate = 0
        private set
    val successor: Result<Unit>

    init {
        val store = StoppingStore(countingDeletions(scene.host()))
        old = runCatching { live(sabotage(store)) { store.stopIn(stop, ::takeOver) } }
        successor = firstStages.mapCatching { life.liveOn(STAGES) }
    }

    val hasStopped get() = stoppedBefore.isNotEmpty()

    /** Whether the old owner has made a checkpoint after the other one had taken over. */
    val hasCommittedLate get() = scene.promises.named != committedBefore

    private fun countingDeletions(target: BlockStore): BlockStore =
        object : ForwardingStore(target) {
            override fun onOperation(operation: BlockStore.Operation) {
                if (hasStopped && operation.isDeletion()) deletedLate++
            }
        }

    private fun BlockStore.Operation.isDeletion(): Boolean =
        when (kind()) {
            BlockStore.Operation.Kind.DELETE -> path().name !in setOf(SaveNames.OWNER, SaveNames.SEAL)
            BlockStore.Operation.Kind.RENAME -> path().name == SaveNames.MANIFEST
            else -> false
        }

    private fun live(store: BlockStore, onceOwned: () -> Unit) {
        val owned = store.own("a")
        onceOwned()
        repeat(3) {
            owned.heartbeat()
            scene.promises.save(owned, store)
            owned.retain(Retention.keepLast(2), wholeData(store)).total()
        }
    }

    private fun takeOver(operation: BlockStore.Operation) {
        stoppedBefore = "${operation.kind()} ${operation.path().name}"
        committedBefore = scene.promises.named.toSet()
        firstStages = runCatching { life.liveOn(stages) }
    }

    fun isLie(): Boolean {
        val store = scene.disk.host("node2")
        val saves = store.checkpoints().survey().saves
        val areWhole = saves.all { store.checkpoints().judge(it, wholeData(store)) is Verdict.Accepted }
        val newest = maxOf(scene.promises.named.maxOrNull() ?: 0, life.committed)
        return !areWhole || found(store) != newest || saves.size <
            scene.promises.named.size
                .coerceAtMost(2)
    }

    override fun toString(): String =
        "successor at stage $stages: the old one ${endOf(old)}, the successor ${endOf(successor)}" +
            if (hasCommittedLate) ", the old one committed late" else ""

    private fun endOf(life: Result<Unit>): String =
        when (val failure = life.exceptionOrNull()) {
            null -> "continued"
            is InUse -> "was fenced".also { check(failure.reason == Reason.TAKEN_OVER) { failure } }
            is IOException -> "failed (${failure.javaClass.simpleName})"
            else -> throw failure
        }
}

/** The stages of a successor. */
private class SuccessorLife(private val store: BlockStore) {
    private lateinit var owned: OwnedStore
    private lateinit var save: SaveDirectory
    private var stage = 0
    var committed = 0
        private set

    fun liveOn(stages: Int) {
        while (stage < stages) live(++stage)
    }

    private fun live(stage: Int) {
        when (stage) {
            1 -> owned = store.own("b", "node1", Takeover.Asked)
            2 -> save = owned.begin()
            3 -> save.writeData(store)
            4 -> committed = save.commit(manifest(save.number)).manifest.save
            5 -> owned.retain(Retention.keepLast(2), wholeData(store)).total()
        }
    }
}

/** Runs a function before one of its operations, which waits for it. */
private class StoppingStore(target: BlockStore) : ForwardingStore(target) {
    private var operationsLeft = Int.MAX_VALUE
    private var meanwhile: (BlockStore.Operation) -> Unit = {}

    /** Runs [meanwhile] before operation number [stop] from now on. */
    fun stopIn(stop: Int, meanwhile: (BlockStore.Operation) -> Unit) {
        operationsLeft = stop
        this.meanwhile = meanwhile
    }

    override fun onOperation(operation: BlockStore.Operation) {
        if (--operationsLeft == 0) meanwhile(operation)
    }
}

/** Sabotage: reads the note of the owner once, and returns that from then on. */
private class CachedOwnerStore(private val target: BlockStore) : BlockStore by target {
    private val memory = SimulatedDisk().host("memory")
    private val remembered = Path.of("/owner.json")

    override fun open(file: Path, access: Access): BlockFile {
        if (file.name != "owner.json" || access != Access.READ) return target.open(file, access)
        if (!memory.exists(remembered)) remember(target.open(file, access).use { it.content() })
        return memory.open(remembered, access)
    }

    private fun remember(text: ByteArray) = memory.create(remembered).use { it.write(0, text) }
}
