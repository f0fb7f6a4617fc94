package dev.cairn

import dev.cairn.comm.Communicator
import dev.cairn.comm.RankFailedException
import dev.cairn.comm.allReduce
import dev.cairn.comm.broadcastLong
import dev.cairn.comm.collectively
import dev.cairn.config.toProvenance
import dev.cairn.multifile.ROOT
import dev.cairn.restore.Found
import dev.cairn.restore.Restorer
import dev.cairn.restore.find
import dev.cairn.restore.match
import dev.cairn.restore.readContents
import dev.cairn.restore.rehearse
import dev.cairn.restore.requireUndone
import dev.cairn.save.Saver
import dev.cairn.save.WrittenState
import dev.cairn.save.manifest
import dev.cairn.sion.FileMapping
import dev.cairn.sion.SionException
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.FramePool
import dev.cairn.state.StateItem
import dev.cairn.store.CheckpointStore
import dev.cairn.store.OwnedStore
import dev.cairn.store.SaveDirectory
import dev.cairn.store.SaveNames
import java.io.IOException
import java.lang.System.Logger.Level.INFO
import java.lang.System.Logger.Level.WARNING
import java.nio.file.Path
import java.util.UUID
import kotlin.time.TimeSource

/**
 * The checkpoints of a program: its ranks [save] into them and [restore] from them, all together. Made by
 * [checkpoints]; belongs to the coroutine of its rank. Rank 0 holds the store's lock until [close].
 */
public class Checkpoints internal constructor(
    private val ranks: Communicator,
    private val files: BlockStore,
    private val directory: Path,
    private val options: CheckpointOptions,
    private val mapping: FileMapping,
    private val state: StateBuilder,
    private val owned: OwnedStore?,
) : AutoCloseable {
    private val pool = ranks.shareInProcess { FramePool(options.frameCount) }
    private val saver = Saver(ranks, files, state.items, pool, options.chunkSize)
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
            val matching =
                ranks.collectively("compare with the checkpoint") {
                    match(state.items, found.manifest, state.removed, ranks.size).also {
                        requireUndone(overwritten, it.matches, found.manifest, ranks.size)
                    }
                }
            try {
                Restorer(ranks, files, found.manifest, found.contents, found.data, pool).run(matching.matches)
                return restored(found, matching.notes)
            } catch (failure: RankFailedException) {
                if (!isDamage(failure)) throw failure
                rejected[found.manifest.save] = failure.message.toString()
                overwritten += matching.matches.map { it.item }
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
            val written = saver.write(number, options.spec(SaveNames.data(directory, number), mapping))
            ranks.collectively("commit") { written?.let { underWay?.commit(manifestOf(number, step, phase, it)) } }
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
    ) = manifest(
        lineage.run,
        lineage.parent,
        number,
        step,
        phase,
        ranks,
        written,
        options.configuration.toProvenance(),
    )

    /** What comes after the commit: it can be late, but it cannot make the checkpoint undone. */
    private fun finish(
        saved: Saved,
        owned: OwnedStore,
    ) {
        LOG.log(INFO, "$saved in $directory; ${rehearse(state.items, ranks.size)}")
        try {
            owned.retain(options.retention()) { files.readContents(it) }.left.forEach { LOG.log(WARNING, it.reason) }
        } catch (failure: IOException) {
            LOG.log(WARNING, "$directory: older checkpoints could not be removed, tried again next time", failure)
        } catch (taken: CheckpointException.StoreTakenOver) {
            // Only this rank knows: the next save finds out, and tells all.
            LOG.log(WARNING, taken.message)
        }
    }

    private fun restored(
        found: Found,
        notes: List<String>,
    ): Restored {
        val manifest = found.manifest
        lineage = Lineage(manifest.run, manifest.save)
        val restored = Restored(manifest.save, manifest.step, manifest.rankCount, manifest.phase)
        if (ranks.rank == ROOT) notes.forEach { LOG.log(INFO, it) }
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

/** In which run's history the next save stands. */
private class Lineage(
    val run: String,
    val parent: Int?,
) {
    fun after(number: Int) = Lineage(run, number)

    companion object {
        fun fresh() = Lineage("${UUID.randomUUID()}", parent = null)
    }
}

private val LOG: System.Logger = System.getLogger(Checkpoints::class.java.name)
