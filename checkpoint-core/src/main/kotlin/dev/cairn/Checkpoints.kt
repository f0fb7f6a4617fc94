package dev.cairn

import dev.cairn.comm.CallsDifferException
import dev.cairn.comm.Communicator
import dev.cairn.comm.RankFailedException
import dev.cairn.comm.allReduce
import dev.cairn.comm.broadcastLong
import dev.cairn.comm.collectively
import dev.cairn.comm.gatherText
import dev.cairn.comm.rankText
import dev.cairn.grid.Tiling
import dev.cairn.multifile.ROOT
import dev.cairn.restore.Found
import dev.cairn.restore.Restorer
import dev.cairn.restore.find
import dev.cairn.restore.match
import dev.cairn.restore.readContents
import dev.cairn.restore.requireUndone
import dev.cairn.save.Saver
import dev.cairn.save.WrittenState
import dev.cairn.save.manifest
import dev.cairn.sion.SionException
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.state.FieldItem
import dev.cairn.state.StateItem
import dev.cairn.state.TableOfContents
import dev.cairn.store.CheckpointStore
import dev.cairn.store.OwnedStore
import dev.cairn.store.Owner
import dev.cairn.store.Retention
import dev.cairn.store.SaveDirectory
import dev.cairn.store.SaveNames
import dev.cairn.store.Takeover
import java.io.IOException
import java.lang.System.Logger.Level.INFO
import java.lang.System.Logger.Level.WARNING
import java.net.InetAddress
import java.net.UnknownHostException
import java.nio.file.Path
import java.time.Clock
import java.util.UUID
import kotlin.time.Duration
import kotlin.time.TimeSource
import kotlin.time.toJavaDuration

/**
 * Collective: declares the state of all ranks and opens the directory of their checkpoints, which is made if there is
 * none. The caller closes the result, on every rank.
 *
 * @param directory where the checkpoints are; the same on all ranks
 * @param files the file system that all ranks share
 * @param declare names the items of this rank; see [StateBuilder]
 */
@JvmSynthetic
public suspend fun Communicator.checkpoints(
    directory: Path,
    options: CheckpointOptions = CheckpointOptions(),
    files: BlockStore = FileBlockStore(),
    declare: StateBuilder.() -> Unit,
): Checkpoints {
    val state = collectively("declare the state") { StateBuilder().apply(declare) }
    return openCheckpoints(this, directory, options, files, state)
}

/** Collective. */
internal suspend fun openCheckpoints(
    program: Communicator,
    directory: Path,
    options: CheckpointOptions,
    files: BlockStore,
    state: StateBuilder,
): Checkpoints {
    // A communicator of our own: no message of the program is ever taken for one of ours.
    val ranks = checkNotNull(program.split(0)).during("checkpoints in $directory")
    ranks.requireSameDeclarations(state)
    ranks.requireTiled(state)
    val owned =
        ranks.collectively("own the store") {
            if (ranks.rank == ROOT) CheckpointStore(files, directory).own(options) else null
        }
    owned?.takeover?.let { LOG.log(INFO, it) }
    return Checkpoints(ranks, files, directory, options, state, owned)
}

private val LOG: System.Logger = System.getLogger(Checkpoints::class.java.name)

private fun CheckpointStore.own(options: CheckpointOptions): OwnedStore {
    val clock = Clock.systemUTC()
    val takeover = if (options.takeOver) Takeover.Asked else Takeover.IfDead()
    return own(Owner.here(machineName(), clock.instant()), clock, takeover)
}

/** The real one, since a process is alive or dead there, on whatever host its ranks pretend to be. */
private fun machineName(): String =
    try {
        InetAddress.getLocalHost().hostName
    } catch (nameless: UnknownHostException) {
        // Better to be taken for a stranger here than for a process of another machine that has no name either.
        "nameless-${UUID.randomUUID()}"
    }

private suspend fun Communicator.requireSameDeclarations(state: StateBuilder) {
    val own =
        state.items.joinToString("\n") {
            "${it.schema.kind} '${it.name}' of ${it.schema.elementType} ${it.schema.shape}"
        }
    val all = gatherText(ROOT, own)
    collectively("compare the declarations") {
        val others = all.indices.filter { all[it] != all[ROOT] }
        if (others.isNotEmpty()) {
            throw CallsDifferException(
                "${rankText(
                    others,
                )} and rank $ROOT do not declare the same state. Rank $ROOT declares: ${all[ROOT]}; " +
                    "rank ${others.first()} declares: ${all[others.first()]}. Declare the same items in the same order.",
            )
        }
    }
}

private suspend fun Communicator.requireTiled(state: StateBuilder) {
    val fields = state.items.filterIsInstance<FieldItem>()
    val entries = fields.map { TableOfContents.Entry(it.key, 0, it.boxes, emptyList()) }
    val all = gather(ROOT, TableOfContents(0, rank, size, entries).encode())
    collectively("compare the blocks") {
        val tables = all.map(TableOfContents::decode)
        if (rank == ROOT) fields.forEach { requireTiled(it, tables) }
    }
}

private fun requireTiled(
    field: FieldItem,
    tables: List<TableOfContents>,
) {
    val flaw = Tiling.flaw(field.name, field.shape, tables.map { it.entry(field.key)?.boxes.orEmpty() })
    if (flaw.isPresent) throw CheckpointException.FieldNotTiled(flaw.get())
}

/**
 * The checkpoints of a program: its ranks [save] into them and [restore] from them, all together. Made by
 * [checkpoints]; belongs to the coroutine of its rank. Rank 0 holds the store's lock until [close].
 */
public class Checkpoints internal constructor(
    private val ranks: Communicator,
    private val files: BlockStore,
    private val directory: Path,
    private val options: CheckpointOptions,
    private val state: StateBuilder,
    private val owned: OwnedStore?,
) : AutoCloseable {
    private val saver = Saver(ranks, files, state.items)
    private val store = CheckpointStore(files, directory)
    private val heartbeat = owned?.let(::Heartbeat)
    private var lineage = Lineage.fresh()

    /**
     * Collective: brings the newest good checkpoint back, and returns it, or null if there is none. A damaged one is passed
     * over with a warning for the next older one.
     *
     * @throws RankFailedException on all ranks, if there are only damaged ones, or if the newest does not fit what is
     *     declared; its cause is a [CheckpointException]
     */
    public suspend fun restore(): Restored? {
        val rejected = mutableMapOf<Int, String>()
        val overwritten = mutableSetOf<StateItem>()
        while (true) {
            val found = ranks.find(store, files, rejected) ?: return null
            val matches =
                ranks.collectively("compare with the checkpoint") {
                    match(state.items, found.manifest, state.removed, ranks.size).also {
                        requireUndone(overwritten, it, found.manifest, ranks.size)
                    }
                }
            try {
                Restorer(ranks, files, found.manifest, found.contents, found.data).run(matches)
                return restored(found)
            } catch (failure: RankFailedException) {
                if (!isDamage(failure)) throw failure
                rejected[found.manifest.save] = failure.message.toString()
                overwritten += matches.map { it.item }
            }
        }
    }

    /**
     * Collective: makes a checkpoint of the state as it is now. Returns when it is committed; if that fails, all ranks throw
     * the same [RankFailedException], and the checkpoints before are untouched.
     *
     * @param step where the program stands; comes back with [restore]
     * @param phase in which of its loops
     */
    public suspend fun save(
        step: Long,
        phase: String = "",
    ): Saved {
        val begin = TimeSource.Monotonic.markNow()
        val underWay = ranks.collectively("begin a save") { owned?.begin() }
        val number = ranks.broadcastLong(ROOT, underWay?.number?.toLong() ?: 0).toInt()
        val byteCount = ranks.broadcastLong(ROOT, write(number, step, phase, underWay))
        val saved = Saved(number, step, byteCount, begin.elapsedNow())
        if (owned != null) finish(saved, owned)
        return saved
    }

    /** Gives the store back, so that other programs may write into it. */
    override fun close() {
        heartbeat?.close()
        owned?.close()
    }

    private suspend fun write(
        number: Int,
        step: Long,
        phase: String,
        underWay: SaveDirectory?,
    ): Long {
        try {
            val written =
                saver.write(
                    number,
                    options.spec(directory.resolve(SaveNames.directory(number)).resolve(SaveNames.DATA), ranks.size),
                )
            ranks.collectively("commit") {
                if (written !=
                    null
                ) {
                    underWay?.commit(manifestOf(number, step, phase, written))
                }
            }
            lineage = lineage.after(number)
            return written?.items?.sumOf { it.byteCount } ?: 0
        } catch (failure: Exception) {
            if (underWay != null && underWay.isUnderWay) underWay.abandonAfter(failure)
            throw failure
        }
    }

    private fun SaveDirectory.abandonAfter(failure: Exception) {
        try {
            abandon(failure.toString())
        } catch (another: Exception) {
            failure.addSuppressed(another)
        }
    }

    private fun manifestOf(
        number: Int,
        step: Long,
        phase: String,
        written: WrittenState,
    ) = manifest(lineage.run, lineage.parent, number, step, phase, ranks, written, options.fileCount(ranks.size))

    /** What comes after the commit: it can be late, but it cannot make the checkpoint undone. */
    private fun finish(
        saved: Saved,
        owned: OwnedStore,
    ) {
        LOG.log(INFO, "$saved in $directory")
        try {
            val kept =
                Retention.keepLast(options.keepLast).let {
                    if (options.keepEvery ==
                        null
                    ) {
                        it
                    } else {
                        it.andEvery(options.keepEvery)
                    }
                }
            owned.retain(kept) { files.readContents(it) }.left.forEach { LOG.log(WARNING, it.reason) }
        } catch (failure: IOException) {
            LOG.log(WARNING, "$directory: older checkpoints could not be removed, tried again next time", failure)
        } catch (taken: CheckpointException.StoreTakenOver) {
            // Only this rank knows: the next save finds out, and tells all.
            LOG.log(WARNING, taken.message)
        }
    }

    private fun restored(found: Found): Restored {
        lineage = Lineage(found.manifest.run, found.manifest.save)
        val restored =
            Restored(found.manifest.save, found.manifest.step, found.manifest.rankCount, found.manifest.phase)
        if (ranks.rank == ROOT) LOG.log(INFO, "restored $restored on ${ranks.size} ranks from $directory")
        return restored
    }

    /** Collective: only the rank that failed knows why for sure, and all must decide the same. */
    private suspend fun isDamage(failure: RankFailedException): Boolean {
        val own = failure.failures.find { it.rank == ranks.rank }?.cause
        val isOther =
            own != null && own !is IOException && own !is SionException && own !is CheckpointException.DamagedFrame
        return ranks.allReduce(if (isOther) 1L else 0L, Math::max) == 0L
    }
}

/** A checkpoint that was restored: its number, the step and phase at which it was made, and on how many ranks. */
public data class Restored(
    @get:JvmName("number") val number: Int,
    @get:JvmName("step") val step: Long,
    @get:JvmName("rankCount") val rankCount: Int,
    @get:JvmName("phase") val phase: String = "",
) {
    override fun toString(): String = "save $number, step $step of $rankCount ranks"
}

/** A checkpoint that was committed: its number and step, the bytes of state in it, and how long it took. */
public data class Saved(
    @get:JvmName("number") val number: Int,
    @get:JvmName("step") val step: Long,
    @get:JvmName("byteCount") val byteCount: Long,
    @get:JvmSynthetic val time: Duration,
) {
    /** For Java. */
    public fun time(): java.time.Duration = time.toJavaDuration()

    override fun toString(): String = "save $number, step $step: $byteCount bytes in $time"
}

/** In which run's history the next save stands. */
private class Lineage(
    val run: String,
    val parent: Int?,
) {
    fun after(number: Int) = Lineage(run, number)

    companion object {
        fun fresh() =
            Lineage(
                java.util.UUID
                    .randomUUID()
                    .toString(),
                null,
            )
    }
}
