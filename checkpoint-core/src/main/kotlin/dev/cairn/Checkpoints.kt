package dev.cairn

import dev.cairn.comm.Communicator
import dev.cairn.comm.RankFailedException
import dev.cairn.comm.allReduce
import dev.cairn.comm.collectively
import dev.cairn.multifile.ROOT
import dev.cairn.restore.Found
import dev.cairn.restore.Restorer
import dev.cairn.restore.find
import dev.cairn.restore.match
import dev.cairn.restore.requireUndone
import dev.cairn.sion.FileMapping
import dev.cairn.sion.SionException
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.FramePool
import dev.cairn.state.StateItem
import dev.cairn.store.CheckpointStore
import dev.cairn.store.OwnedStore
import dev.cairn.store.Verdict
import java.io.IOException
import java.lang.System.Logger.Level.INFO
import java.lang.System.Logger.Level.WARNING
import java.nio.file.Path

/**
 * The checkpoints of a program: its ranks [save] into them and [restore] from them, all together. Made by
 * [checkpoints]; belongs to the coroutine of its rank. Rank 0 holds the store's lock until [close].
 */
public class Checkpoints internal constructor(
    private val ranks: Communicator,
    private val files: BlockStore,
    private val directory: Path,
    options: CheckpointOptions,
    mapping: FileMapping,
    private val state: StateBuilder,
    private val owned: OwnedStore?,
    private val events: Events,
) : AutoCloseable {
    private val pool = ranks.shareInProcess { FramePool(options.frameCount) }
    private val saving = Saving(ranks, files, directory, options, mapping, state.items, owned, events, pool)
    private val store = CheckpointStore(files, directory)
    private val lostOutputs = options.lostOutputs
    private val heartbeat = owned?.let(::Heartbeat)
    private val errands = owned?.let { Errands(it, files) }
    private val passedOver = mutableSetOf<Int>()

    /** How the last save ended, on all ranks alike; null if there was none. */
    public val lastSave: SaveOutcome? get() = tally.last

    /** Whether [Steps.finish] ended the loop that was restored. */
    internal var isLoopFinished: Boolean = false
        private set

    internal val tally: Tally get() = saving.tally

    /**
     * Collective: brings the newest good checkpoint back, and returns it, or null if there is none. A damaged one is passed
     * over with a warning for the next older one.
     *
     * @throws CheckpointException on all ranks, if there are only damaged ones, or if the newest does not fit what is declared
     */
    public suspend fun restore(): Restored? = withTypedFailures { restoreNewest() }

    private suspend fun restoreNewest(): Restored? {
        val rejected = mutableMapOf<Int, String>()
        val overwritten = mutableSetOf<StateItem>()
        while (true) {
            val found =
                ranks.find(store, files, rejected, ::passOver) ?: return null.also { ranks.beginOutputs(state.items) }
            val matching =
                ranks.collectively("compare with the checkpoint") {
                    match(state.items, found.manifest, state.removed, ranks.size, state.formerly).also {
                        requireUndone(overwritten, it.matches, found.manifest, ranks.size)
                    }
                }
            try {
                Restorer(
                    ranks,
                    files,
                    found.manifest,
                    found.contents,
                    found.data,
                    pool,
                    lostOutputs,
                ).run(matching.matches)
            } catch (failure: RankFailedException) {
                if (!isDamage(failure)) throw failure
                rejected[found.manifest.save] = failure.message.toString()
                overwritten += matching.matches.map { it.item }
                continue
            }
            ranks.beginOutputs(state.items, restored = matching.matches.map { it.item }.toSet())
            return restored(found, matching.notes)
        }
    }

    /**
     * Collective: makes a checkpoint of the state as it is now. Returns when it is committed; if that fails, all ranks throw
     * the same [CheckpointException] or [RankFailedException], and the checkpoints before are untouched.
     *
     * @param step where the program stands; comes back with [restore]
     * @param phase in which of its loops
     */
    public suspend fun save(
        step: Long,
        phase: String = "",
    ): Saved =
        when (val attempt = saving.attempt(LoopPosition(step, phase))) {
            is Attempt.Succeeded -> attempt.outcome
            is Attempt.Unsuccessful -> throw attempt.thrown
        }

    /**
     * Collective: as [save], for programs that go on when the disk is in trouble: returns how the save ended, the same on all
     * ranks. Whatever a later save could not mend still ends in an exception on all ranks: state that is not as it was
     * declared, ranks that are missing, a store that was taken over.
     */
    public suspend fun trySave(
        step: Long,
        phase: String = "",
    ): SaveOutcome = trySave(LoopPosition(step, phase))

    internal suspend fun trySave(position: LoopPosition): SaveOutcome {
        val attempt = saving.attempt(position)
        if (attempt is Attempt.Unsuccessful && attempt.isFatal) throw attempt.thrown
        return attempt.outcome
    }

    /** On the rank that owns the store: does what other programs ask for, between two saves. */
    internal fun answerErrands() = errands?.answer()

    /** Gives the store back, so that other programs may write into it, and logs how the saves ended. */
    override fun close() {
        saving.summarize()
        heartbeat?.close()
        owned?.close()
    }

    private fun passOver(verdict: Verdict.Rejected) {
        if (!passedOver.add(verdict.number)) return
        LOG.log(WARNING, "passed over: ${verdict.path}: ${verdict.reason}")
        events.tell(CheckpointEvent.Rejected(verdict.number, verdict.reason))
    }

    private fun restored(
        found: Found,
        notes: List<String>,
    ): Restored {
        val manifest = found.manifest
        val restored = Restored(manifest.save, manifest.step, manifest.rankCount, manifest.phase)
        saving.goOnFrom(restored, manifest.run)
        isLoopFinished = manifest.isFinished
        if (ranks.rank == ROOT) notes.forEach { LOG.log(INFO, it) }
        if (ranks.rank == ROOT) LOG.log(INFO, "restored $restored on ${ranks.size} ranks from $directory")
        events.tell(restored)
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

private val LOG: System.Logger = System.getLogger(Checkpoints::class.java.name)
