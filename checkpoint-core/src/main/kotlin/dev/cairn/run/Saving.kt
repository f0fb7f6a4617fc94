package dev.cairn.run

import dev.cairn.contents.SnapshotMemory
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
import dev.cairn.save.Meeting
import dev.cairn.save.SaveContext
import dev.cairn.save.SaveUnderWay
import dev.cairn.save.Saver
import dev.cairn.save.WrittenState
import dev.cairn.save.manifest
import dev.cairn.store.HostPlace
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
     * Collective, when no save is under way: makes a checkpoint, or returns the reason why there is none. If [wait] does not say that
     * the program waits until it is committed, the save ends in later meetings.
     */
    suspend fun attempt(
        position: LoopPosition,
        wait: Wait,
    ): Attempt {
        val save = OpenSave(position, wait)
        val agreed =
            try {
                agree(save)
            } catch (failure: Exception) {
                return end(save) { throw failure }
            }
        // A check of the restart needs the state that was saved.
        if (restartCheck != null) return commit(save)
        // Rank 0 decides for all, so that a rank that waits for something else makes the same calls until it is refused.
        return when (agreed.wait) {
            Wait.COPIED -> copy(save)
            Wait.LOCAL -> seal(save)
            Wait.COMMITTED -> commit(save)
        }
    }

    /** Collective: returns when the save is committed. */
    private suspend fun commit(save: OpenSave): Attempt =
        end(save) {
            val number = checkNotNull(save.number)
            val begun = BegunSave(number, save.begin, context.spec(number))
            saver.write(begun, { requireAgreed(save) }, conclusionOf(save))
        }

    /** Collective: returns when the state is copied. */
    private suspend fun copy(save: OpenSave): Attempt {
        try {
            save.work = start(save, memory.get())
        } catch (failure: Exception) {
            memory.clear()
            return endUnstarted(save, failure)
        }
        underWay = save
        return goOn(save, SaveOutcome.Copied(checkNotNull(save.number), save.position.step, save.position.phase))
    }

    /** Collective: returns when the save is sealed on the disks of the hosts. */
    private suspend fun seal(save: OpenSave): Attempt {
        try {
            save.work = start(save, memory = null)
        } catch (failure: Exception) {
            return endUnstarted(save, failure)
        }
        underWay = save
        var attempt: Attempt?
        do {
            attempt = await() ?: save.attempt
        } while (attempt == null)
        return attempt
    }

    private suspend fun start(
        save: OpenSave,
        memory: SnapshotMemory?,
    ): SaveUnderWay {
        val disks = context.local
        val number = checkNotNull(save.number)
        if (disks == null) {
            val begun = BegunSave(number, save.begin, context.spec(number))
            return saver.start(begun, { requireAgreed(save) }, conclusionOf(save), checkNotNull(memory))
        }
        val begun = BegunSave(number, save.begin, context.localSpec(number, disks))
        val begin = {
            requireAgreed(save)
            disks.begin(number, checkNotNull(save.agreed).sealed)
        }
        return saver.startLocally(begun, begin, conclusionOf(save), memory, disks)
    }

    private suspend fun endUnstarted(
        save: OpenSave,
        failure: Exception,
    ): Attempt {
        context.local?.discard(checkNotNull(save.number))
        return end(save) { throw failure }
    }

    /** The program goes on, while [save] has come as far as [outcome] says. */
    private fun goOn(
        save: OpenSave,
        outcome: SaveOutcome.UnderWay,
    ): Attempt {
        statistics.add(outcome)
        report?.tell(outcome)
        return Attempt.UnderWay(outcome).also { save.attempt = it }
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

    /** Collective: the next meeting of the save under way, when the workers of all ranks are ready for it. */
    suspend fun await(): Attempt? {
        val save = underWay ?: return null
        val work = checkNotNull(save.work)
        var waitCount = 0
        ranks.awaitWorkers(work::join, work::isReady) {
            if (++waitCount % WAITS_UNTIL_TOLD == 0) report?.waiting(save)
        }
        return meet()
    }

    /** Collective: the next meeting of the save under way. Returns how it ended, or null if it has not. */
    suspend fun meet(): Attempt? {
        val save = underWay ?: return null
        val work = checkNotNull(save.work)
        val meeting = runCatching { work.meet() }
        // The worker still uses the directory and the memory of the save, so it stays under way.
        meeting.onFailure { if (it is CancellationException) throw it }
        val met = meeting.getOrNull()
        if (met == Meeting.Held) return null
        if (met == Meeting.Sealed) return null.also { learnOfSeal(save) }
        meeting.onFailure { work.close() }
        underWay = null
        memory.clear()
        val failure = meeting.exceptionOrNull()
        if (failure != null && work.committed != null) {
            conclude(save)
            throw failure
        }
        return end(save) { (meeting.getOrThrow() as Meeting.Committed).save }
    }

    private fun learnOfSeal(save: OpenSave) {
        save.isSealed = true
        memory.clear()
        goOn(save, SaveOutcome.Sealed(checkNotNull(save.number), save.position.step, save.position.phase))
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
                val isSealed = save.directory?.isSealed == true
                SaveOutcome.Failed(save.number, step, phase, if (isSealed) "the program ended. $STAYS" else UNWRITTEN)
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
        val reason = if (save.isSealed) "${failure.message?.removeSuffix(".")}. $STAYS" else failure.message.toString()
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
    private suspend fun agree(save: OpenSave): AgreedSave {
        val agreed =
            ranks.agreeOnSave(save) { beginInStore(checkNotNull(owned)).also { save.directory = it } }
        save.agreed = agreed
        events.tell(CheckpointEvent.Begun(agreed.number, save.position.step, save.position.phase))
        return agreed
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

            override fun seal(
                manifest: Manifest,
                places: List<HostPlace>,
            ) = checkNotNull(save.directory).seal(manifest, places)

            override fun commit(manifest: Manifest) {
                checkNotNull(save.directory).commit(manifest)
            }
        }
}

/** A line every ten seconds is enough. */
private const val WAITS_UNTIL_TOLD = 10

private const val UNWRITTEN = "the program ended while it was being written"
private const val STAYS =
    "The data stay on the disks of their hosts, and a restart completes the save, unless a later one is committed."

/** That of a program that begins. */
private fun freshLineage() = Lineage("${UUID.randomUUID()}", SaveNumbers.NONE)

private val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
