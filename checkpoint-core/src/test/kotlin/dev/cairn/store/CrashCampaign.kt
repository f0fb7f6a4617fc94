package dev.cairn.store

import dev.cairn.house.Campaign
import dev.cairn.house.Campaign.CRASH_POINTS
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind.RENAME
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.CrashOutcome
import dev.cairn.sion.store.simulated.SimulatedDisk
import java.nio.file.Path
import kotlin.random.Random

/** What a program has told the world before the power failed: what may not be taken back. */
internal class Promises {
    var begun = 0
    var committed = 0

    /** How many good checkpoints there must be, whatever happens. */
    var goodCount = 0

    /** The saves whose manifest was given its name, and those whose manifest was deleted; it is durable or not. */
    val named = mutableSetOf<Int>()
    val deleted = mutableSetOf<Int>()

    /** The newest checkpoint that there is, or 0. */
    val newest get() = (named - deleted).maxOrNull() ?: 0

    /** What is left of them when a crash with this [outcome] has undone some of the changes that were [unsynced]. */
    fun after(unsynced: List<SimulatedDisk.HostOperation>, outcome: CrashOutcome): Promises {
        val lost = unsynced.filter { it in outcome.lost() }
        return copy().also {
            it.named -= renamed(lost, SaveNames.NEW_MANIFEST)
            it.deleted -= renamed(lost, SaveNames.MANIFEST)
        }
    }

    private fun copy() =
        Promises().also {
            it.begun = begun
            it.committed = committed
            it.goodCount = goodCount
            it.named += named
            it.deleted += deleted
        }

    /** From now on no more than these must be there. */
    fun keep(count: Int) {
        goodCount = goodCount.coerceAtMost(count)
    }

    /** Begins, writes and commits a save, and keeps account of it. */
    fun save(owned: OwnedStore, vararg hosts: BlockStore) {
        val save = owned.begin()
        begun = save.number
        save.writeData(*hosts)
        save.commit(manifest(save.number, (save.number - 1).takeIf { it > 0 }))
        committed = save.number
        goodCount++
    }

    /** A door through which manifests are seen to come and go. */
    fun watch(target: BlockStore): BlockStore =
        object : ForwardingStore(target) {
            override fun onOperation(operation: BlockStore.Operation) = Unit

            override fun rename(from: Path, to: Path) {
                super.rename(from, to)
                if (to.name == SaveNames.MANIFEST) named += saveOf(to)
                if (from.name == SaveNames.MANIFEST) deleted += saveOf(from)
            }
        }
}

/** How many states were looked at, by what was found in them, and in which of them a promise was broken. */
internal class CrashHistogram {
    private var crashPoints = 0
    private val found = sortedMapOf<String, Int>()
    val broken = sortedMapOf<String, Int>()
    val states get() = found.values.sum()

    /**
     * Runs [program] in a place that [prepare] has made, once to its end, and with a crash at each of its operations, or at
     * some of them. In all that each crash may leave, discovery must find exactly what is predicted, and the next program
     * must get on.
     */
    fun crashEverywhere(prepare: () -> Scene, program: (Scene) -> Unit) {
        val operations = operationsOf(prepare, program)
        CRASH_POINTS.someOf(operations).forEach { crashAt(it, prepare, program) }
    }

    /** The same at any operations, up to the first one that breaks a promise. */
    fun crashUntilBroken(prepare: () -> Scene, program: (Scene) -> Unit) {
        val operations = operationsOf(prepare, program)
        operations
            .shuffled(Random(Campaign.seed))
            .asSequence()
            .takeWhile {
                broken.isEmpty()
            }.forEach { crashAt(it, prepare, program) }
    }

    /** Their numbers, the first of which is 1, when nothing crashes before the end. */
    private fun operationsOf(prepare: () -> Scene, program: (Scene) -> Unit): List<Long> {
        val scene = prepare()
        val before = scene.disk.operationCount()
        program(scene)
        lookAtAll(scene)
        return (1..scene.disk.operationCount() - before).toList()
    }

    private fun crashAt(operation: Long, prepare: () -> Scene, program: (Scene) -> Unit) {
        val scene = prepare()
        scene.disk.crashAt(scene.disk.operationCount() + operation)
        val run = runCatching { program(scene) }
        check(run.exceptionOrNull() is SimulatedDisk.CrashException) { "operation $operation ended otherwise: $run" }
        crashPoints++
        lookAtAll(scene)
    }

    private fun lookAtAll(scene: Scene) {
        val unsynced = scene.disk.unsyncedChanges()
        for (outcome in outcomes(scene.disk)) {
            val state = CrashState(scene.disk.afterCrash(outcome), scene.promises, unsynced, outcome)
            found.merge(state.label(), 1, Int::plus)
            state.brokenPromise()?.let { broken.merge(it, 1, Int::plus) }
        }
    }

    override fun toString() =
        "$crashPoints crash points, $states states, seed ${Campaign.seed}, found: $found, broken promises: $broken"
}

/** A disk, and what has been promised of it. */
internal class Scene(val disk: SimulatedDisk = SimulatedDisk().withParent(), val promises: Promises = Promises()) {
    /** The door of a host, through which manifests are seen to come and go. */
    fun host(name: String = "node0"): BlockStore = promises.watch(disk.host(name))

    /** The host dies, and all that it has not forced is undone. */
    fun crash(host: String) {
        val undone = disk.unsyncedChanges().filter { it.host() == host }
        promises.named -= renamed(undone, SaveNames.NEW_MANIFEST)
        promises.deleted -= renamed(undone, SaveNames.MANIFEST)
        disk.crashHost(host)
    }
}

/** Every subset of what may be lost while there are few, the telling ones otherwise, and torn writes. */
internal fun outcomes(disk: SimulatedDisk): Collection<CrashOutcome> {
    val unsynced = disk.unsyncedChanges()
    val telling = disk.crashOutcomes()
    return if (unsynced.size > FEW) telling else subsets(unsynced).map(CrashOutcome::losing).toSet() + telling
}

private const val FEW = 6

private fun <T> subsets(all: List<T>): List<Set<T>> =
    all.fold(listOf(emptySet())) { subsets, element -> subsets + subsets.map { it + element } }

/** What one crash has left, and what may be expected of it. */
private class CrashState(
    private val disk: SimulatedDisk,
    private val promises: Promises,
    private val unsynced: List<SimulatedDisk.HostOperation>,
    private val outcome: CrashOutcome,
) {
    private val store = disk.host("node0")

    private val predicted = promises.after(unsynced, outcome).newest

    fun label(): String =
        when {
            predicted == 0 -> "none"
            predicted > promises.committed -> "new, not yet promised"
            promises.begun > promises.committed -> "old"
            else -> "new"
        }

    /** In words, or null when all are kept. */
    fun brokenPromise(): String? {
        val saves = store.checkpoints().survey().saves
        val verdicts = saves.map { store.checkpoints().judge(it, wholeData(store)) }
        val found = found(store)
        return when {
            predicted < promises.committed -> "a commit was taken back"
            verdicts.any { it is Verdict.Rejected } -> "a checkpoint is not whole"
            found != predicted -> "another checkpoint than predicted is found"
            saves.size < promises.goodCount -> "too few checkpoints are left"
            else -> brokenAfterRestart(found)
        }
    }

    /** The next program owns the store, saves, and clears up. */
    private fun brokenAfterRestart(newest: Int): String? {
        store.own("restart").use { owned ->
            val number = owned.save(store)
            owned.retain(Retention.keepLast(), wholeData(store)).total()
            val kept = store.checkpoints().survey()
            return when {
                number <= maxOf(newest, promises.begun) -> "a number is used again"
                found(store) != number -> "the next save is not found"
                kept.saves.size < 2 && newest != 0 -> "the next program deletes too much"
                kept.entries.size != kept.saves.size -> "something is left over"
                else -> null
            }
        }
    }
}

/** The saves whose manifest came or went, because what had the name [before] got another one. */
private fun renamed(changes: List<SimulatedDisk.HostOperation>, before: String): Set<Int> =
    changes
        .filter { it.operation().kind() == RENAME }
        .map { it.operation().path() }
        .filter { it.name == before }
        .map(::saveOf)
        .toSet()

private fun saveOf(manifest: Path): Int = manifest.parent.name.toInt()
