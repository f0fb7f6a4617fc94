package dev.cairn.run

import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.Events
import dev.cairn.event.Restored
import dev.cairn.event.SaveOutcome
import dev.cairn.event.Saved
import dev.cairn.failure.CheckpointException
import dev.cairn.failure.CommunicatorException
import dev.cairn.options.Settings
import dev.cairn.options.Wait
import dev.cairn.save.BegunSave
import dev.cairn.save.CommittedSave
import dev.cairn.save.Conclusion
import dev.cairn.save.SaveContext
import dev.cairn.save.Saver
import dev.cairn.save.WrittenState
import dev.cairn.save.manifest
import dev.cairn.store.Lineage
import dev.cairn.store.Manifest
import dev.cairn.store.OwnedStore
import dev.cairn.store.SaveDirectory
import dev.cairn.store.SaveNumbers
import kotlinx.coroutines.CancellationException
import java.lang.System.Logger.Level.WARNING
import java.util.UUID

/**
 * The saves of a program, one after the other, each of which ends as a [SaveOutcome], the same on all ranks, and is counted.
 * Every rank has one.
 */
internal class Saving(
    private val context: SaveContext,
    private val owned: OwnedStore?,
    private val events: Events,
    private val restartCheck: RestartCheck?,
) {
    private val ranks = context.ranks
    private val options = context.options
    private val directory = context.directory
    private val saver = Saver(context)
    private val cleaning = owned?.let { StoreCleaning(context, it, events) }
    private val memory = SnapshotRoom(context)
    val statistics = SaveStatistics()

    /** Only the rank that owns the store needs these. */
    private var lineage = owned?.let { freshLineage() }
    private val report = owned?.let { SaveReport(context, events, statistics) }

    /** The save whose data are written while the program goes on; null if there is none. The same on all ranks. */
    var underWay: OpenSave? = null
        private set

    /** Whether this rank would not wait for its worker in [meet]. */
    val isReady: Boolean get() = underWay?.work?.isReady != false

    /** Whether no worker uses the store. */
    val isStoreIdle: Boolean get() = underWay == null && cleaning?.isUnderWay != true

    /** The next save comes after [restored], which stands in [lineage]. */
    fun goOnFrom(
        restored: Restored,
        lineage: Lineage,
    ) {
        if (owned != null) this.lineage = lineage
        statistics.add(restored)
    }

    /**
     * Collective, when no save is under way: makes a checkpoint, or returns the reason why there is none. If [wait] says that the
     * program only waits for the copy, the save ends in later meetings.
     */
    suspend fun attempt(
        position: LoopPosition,
        wait: Wait,
    ): Attempt {
        val save = OpenSave(position, wait)
        val begun =
            try {
                begin(save)
            } catch (failure: Exception) {
                return end(save) { throw failure }
            }
        // Rank 0 decides for all, so that a rank that waits for something else makes the same calls until it is refused.
        val isBehind = save.agreed?.wait == Wait.COPIED
        // A check of the restart needs the state that was saved.
        if (isBehind && restartCheck == null) return start(save, begun)
        return end(save) { saver.write(begun, { requireAgreed(save) }, conclusionOf(save)) }
    }

    /** Collective: returns when the state is copied. */
    private suspend fun start(
        save: OpenSave,
        begun: BegunSave,
    ): Attempt {
        try {
            save.work = saver.start(begun, { requireAgreed(save) }, conclusionOf(save), memory.get(), context.worker)
        } catch (failure: Exception) {
            memory.clear()
            return end(save) { throw failure }
        }
        underWay = save
        val (step, phase) = save.position
        val copied = SaveOutcome.Copied(checkNotNull(save.number), step, phase)
        statistics.add(copied)
        report?.tell(copied)
        return Attempt.Copied(copied)
    }

    /** Goes on without a save at [position], since another one is under way. */
    fun skip(position: LoopPosition): Attempt {
        val other = checkNotNull(underWay)
        val reason = "save ${other.number}, step ${other.position.step}, is still being written, and when-busy is skip"
        val skipped = SaveOutcome.Skipped(null, position.step, position.phase, reason)
        statistics.add(skipped)
        report?.tell(skipped)
        return Attempt.Unsuccessful(skipped, CheckpointException.SaveSkipped("$skipped"), isFatal = false)
    }

    /** Collective: the next meeting of the save under way. Returns how it ended, or null if it has not. */
    suspend fun meet(): Attempt? {
        val save = underWay ?: return null
        val work = checkNotNull(save.work)
        val committed = runCatching { work.meet { report?.waiting(save) } }
        // The worker still uses the directory and the memory of the save, so it stays under way.
        committed.onFailure { if (it is CancellationException) throw it }
        if (committed.isSuccess && committed.getOrThrow() == null) return null
        committed.onFailure { work.close() }
        underWay = null
        memory.clear()
        val failure = committed.exceptionOrNull()
        if (failure != null && work.committed != null) {
            conclude(save)
            throw failure
        }
        return end(save) { checkNotNull(committed.getOrThrow()) }
    }

    /** Returns when no save is being deleted. */
    suspend fun joinCleaning() {
        cleaning?.join()
    }

    /** On each rank by itself: ends the save under way without a meeting, since the program ends. */
    fun giveUp() {
        val save = underWay ?: return
        underWay = null
        save.work?.giveUp()
        conclude(save)
    }

    /** How [save] has ended where the ranks did not meet for that: only the rank that owns the store knows. */
    private fun conclude(save: OpenSave) {
        if (owned == null) return
        val (step, phase) = save.position
        val committed = save.work?.committed
        val outcome =
            if (committed == null) {
                SaveOutcome.Failed(save.number, step, phase, "the program ended while it was being written")
            } else {
                savedOf(save, committed)
            }
        statistics.add(outcome)
        report?.tell(outcome)
        if (committed != null) report?.unheard(save)
    }

    /** Gives back what the saves have used. No save follows. */
    fun close() {
        giveUp()
        context.worker.giveUp()
        memory.close()
        restartCheck?.let { if (owned != null) it.warnIfUndone() }
        report?.summary()
    }

    /** Collective: how [save] ends by [work], which all are told. */
    private suspend fun end(
        save: OpenSave,
        work: suspend () -> CommittedSave,
    ): Attempt {
        var notCopied = 0L
        val attempt =
            try {
                val written = work()
                lineage = lineage?.after(checkNotNull(save.number))
                notCopied = written.notCopied
                Attempt.Committed(savedOf(save, written))
            } catch (failure: CommunicatorException) {
                save.abandonAfter(failure)
                unsuccessful(save, failure)
            } catch (failure: Exception) {
                save.abandonAfter(failure)
                throw failure
            }
        save.attempt = attempt
        statistics.add(attempt.outcome)
        report?.tell(attempt.outcome, notCopied)
        if (attempt is Attempt.Committed) afterwards(attempt.outcome, isBehind = save.work != null)
        return attempt
    }

    private suspend fun unsuccessful(
        save: OpenSave,
        failure: CommunicatorException,
    ): Attempt {
        val (step, phase) = save.position
        val reason = failure.message.toString()
        val trouble = ranks.troubleOf(failure)
        if (trouble == Trouble.NO_ROOM) {
            return Attempt.Unsuccessful(SaveOutcome.Skipped(save.number, step, phase, reason), failure, isFatal = false)
        }
        val failed = SaveOutcome.Failed(save.number, step, phase, reason)
        return Attempt.Unsuccessful(failed, failure, isFatal = trouble == Trouble.PROGRAM)
    }

    /** Nothing is deleted before the check of a restart, which reads the save before this one, too. */
    private suspend fun afterwards(
        saved: Saved,
        isBehind: Boolean,
    ) {
        restartCheck?.passSave(saved)
        if (isBehind) cleaning?.retainBehind(lineageOfOwner()) else cleaning?.retain(lineageOfOwner())
    }

    /** Collective: rank 0 gives [save] a number and a directory. */
    private suspend fun begin(save: OpenSave): BegunSave {
        val agreed =
            ranks.agreeOnSave(save) {
                beginInStore(checkNotNull(owned)).also { save.directory = it }.number
            }
        save.agreed = agreed
        events.tell(CheckpointEvent.Begun(agreed.number, save.position.step, save.position.phase))
        return BegunSave(agreed.number, save.begin, context.spec(agreed.number))
    }

    private fun requireAgreed(save: OpenSave) = checkNotNull(save.agreed).require(ranks.rank, save)

    /**
     * What the last program kept, or what could not be deleted then, may take the room that this save needs. A save that was
     * committed leaves nothing of the kind.
     */
    private fun beginInStore(owned: OwnedStore): SaveDirectory {
        val lineage = lineageOfOwner()
        if (statistics.last == null && lineage.parent == null && !options.configuration[Settings.FRESH]) {
            earlierRunIn(owned.store)?.let { LOG.log(WARNING, it) }
        }
        if (statistics.last !is Saved) cleaning?.free(lineage)
        return owned.begin(lineage.parent)
    }

    private fun lineageOfOwner() =
        checkNotNull(lineage) { "only the rank that owns the store knows where the run stands" }

    private fun savedOf(
        save: OpenSave,
        written: CommittedSave,
    ): Saved {
        val (step, phase) = save.position
        val (slowest, slowestTime) = written.slowest
        val number = checkNotNull(save.number)
        return Saved(number, step, phase, written.byteCount, written.time, slowest, slowestTime, written.waited)
    }

    private fun conclusionOf(save: OpenSave) =
        object : Conclusion {
            override fun describe(written: WrittenState): Manifest {
                val (step, phase) = save.position
                return context
                    .manifest(lineageOfOwner(), checkNotNull(save.number), step, phase, written)
                    .copy(isFinished = save.position.isFinished, phasesBefore = save.position.phasesBefore)
            }

            override fun commit(manifest: Manifest) {
                checkNotNull(save.directory).commit(manifest)
            }
        }
}

/** That of a program that begins. */
private fun freshLineage() = Lineage("${UUID.randomUUID()}", SaveNumbers.NONE)

private val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
