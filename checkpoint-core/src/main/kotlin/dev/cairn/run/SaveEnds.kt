package dev.cairn.run

import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.CheckpointException.Damaged
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.CommunicatorException
import dev.cairn.event.Events
import dev.cairn.event.RankFailedException
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.ranks.collectively
import dev.cairn.ranks.collectivelyInTime
import dev.cairn.save.Attempt
import dev.cairn.save.CompleteSave
import dev.cairn.save.LoopPosition
import dev.cairn.save.NumberedSave
import dev.cairn.save.Save
import dev.cairn.save.SaveContext
import dev.cairn.save.Seal
import dev.cairn.save.Trouble
import dev.cairn.save.abandonAfter
import dev.cairn.save.troubleOf
import dev.cairn.store.Lineage
import dev.cairn.store.OwnedStore
import dev.cairn.store.SaveNumbers
import java.util.UUID

/** Records the outcomes of saves: counts and publishes them, and on the rank that owns the store, deletes saves that expire. */
internal class SaveEnds(
    private val context: SaveContext,
    private val owned: OwnedStore?,
    events: Events,
    private val restartCheck: RestartCheck?,
) {
    private val ranks = context.ranks
    val statistics = SaveStatistics()
    val cleaning = owned?.let { StoreCleaning(context, it, events) }
    private val report = owned?.let { SaveReport(context, it, events, statistics) }

    /** The save from which a restart would continue now, in words; only the rank that owns the store looks whether it is there. */
    val wayBack: String get() = report?.wayBack() ?: statistics.wayBack

    /** On the rank that owns the store only; its worker reads it, too. */
    @Volatile private var ownLineage = owned?.let { freshLineage() }

    /** The saves that led to the next one, on the rank that owns the store. */
    val lineage: Lineage get() =
        checkNotNull(
            ownLineage,
        ) { "only the rank that owns the store knows where the run stands" }

    /** The next save continues [lineage], which ends with [restored]. */
    fun goOnFrom(restored: Restored, lineage: Lineage) {
        if (owned != null) ownLineage = lineage
        statistics.add(restored)
    }

    /** The program goes on while [save] is written. */
    fun goOn(save: Save): Attempt = save.attempt.also { record(it.outcome) }

    /** From now on a restart continues from [save], so later saves follow it, whether it gets committed or not. */
    fun sealed(save: Save) {
        ownLineage = ownLineage?.after(save.number)
        goOn(save)
    }

    /** The program goes on without a save at [position], for this [reason]. */
    fun skip(position: LoopPosition, reason: String): Attempt {
        val skipped = SaveOutcome.Skipped(null, position.step, position.phase, reason)
        record(skipped)
        val advice =
            "There is no checkpoint to wait for: set when-busy = wait, or check the outcome of a save before " +
                "you await it."
        val thrown = NotSaved(Details("$skipped. $advice", reason = Reason.SKIPPED))
        return Attempt.Unsuccessful(skipped, thrown, isFatal = false)
    }

    /** The sealed [save] is not drained any more, since [newer] is sealed or committed. */
    fun supersede(save: Save, newer: Save) {
        // The failure of a drain was reported already.
        if (save.seal != Seal.KNOWN) return
        val (step, phase) = save.numbered.position
        val outcome = SaveOutcome.Superseded(save.number, step, phase, newer.number)
        save.attempt = Attempt.Unsuccessful(outcome, notDrained(outcome), isFatal = false)
        record(outcome)
    }

    /** Collective: a restore has committed the sealed [save]. The next save deletes those that expire by it. */
    suspend fun committedByRestore(save: Save) {
        val saved = save.committedByRestore()
        save.attempt = Attempt.Committed(saved)
        record(saved, save.complete)
    }

    /** A restore has given up the sealed [save], since its files cannot be had. */
    fun lost(save: Save) {
        statistics.lost(save.number)
        val (step, phase) = save.numbered.position
        val outcome = SaveOutcome.Failed(save.number, step, phase, RESTORE_GAVE_UP)
        save.attempt =
            Attempt.Unsuccessful(outcome, Damaged(Details("$outcome", reason = Reason.LOST_ON_HOSTS)), isFatal = false)
        record(outcome)
    }

    fun waiting(save: Save) {
        report?.waiting(save)
    }

    /** The hosts have no room for [save] by this [failure]; [plan] is its next step, in words. */
    fun lackingRoom(save: NumberedSave, plan: String, failure: CommunicatorException) {
        report?.lackingRoom(save, plan, failure)
    }

    /** Records how [save] ended when the ranks did not meet for its end: only the rank that owns the store knows. */
    fun conclude(save: Save) {
        if (owned == null) return
        val (step, phase) = save.numbered.position
        val saved = save.committedUnmet
        val reason = if (save.numbered.inStore.isSealed) "the program ended. $STAYS" else UNWRITTEN
        record(saved ?: SaveOutcome.Failed(save.number, step, phase, reason), save.complete)
        if (saved != null) report?.committedUnknown(save.numbered)
    }

    /** Collective: ends [save] by [work], and returns the outcome on all ranks. */
    suspend fun end(save: Save, work: suspend () -> Saved): Attempt {
        val attempt =
            try {
                val saved = runCatching { work() }.onFailure { save.close() }.getOrThrow()
                if (save.seal != Seal.KNOWN) ownLineage = ownLineage?.after(save.number)
                Attempt.Committed(saved)
            } catch (failure: Exception) {
                // The commit can no longer be reported to the other ranks.
                if (save.committed != null) throw failure.also { conclude(save) }
                failed(save.numbered, failure, save.seal)
            }
        save.attempt = attempt
        record(attempt.outcome, save.complete)
        if (attempt is Attempt.Committed) retire(attempt.outcome)
        return attempt
    }

    /** Collective: ends [save] by this [failure] before the ranks have begun to write, and returns the outcome on all ranks. */
    suspend fun endBefore(save: NumberedSave, failure: Exception): Attempt =
        failed(save, failure, Seal.NONE).also { record(it.outcome) }

    private suspend fun failed(save: NumberedSave, failure: Exception, seal: Seal): Attempt {
        abandon(save, failure, seal)
        if (failure !is CommunicatorException) throw failure
        return unsuccessful(save.number, save.position, failure, isSealed = seal == Seal.KNOWN)
    }

    /** Deletes the data of [save]. Collective if all ranks have the [failure], since it may take longer than a call. */
    private suspend fun abandon(save: NumberedSave, failure: Exception, seal: Seal) {
        if (failure !is RankFailedException) return delete(save, failure, seal)
        ranks.collectivelyInTime(
            "delete the data of save ${save.number}",
            context.worker,
        ) { delete(save, failure, seal) }
    }

    /** Deletes what this rank keeps of [save] in the store and on its host. Files that may be sealed stay for a restart. */
    private fun delete(save: NumberedSave, failure: Exception, seal: Seal) {
        save.directory?.abandonAfter(failure)
        if (seal == Seal.NONE) context.local?.discard(save.number)
    }

    /** Collective: no save at [position] has begun, because of this [failure], which all ranks have. */
    suspend fun notBegun(position: LoopPosition, failure: CommunicatorException): Attempt =
        unsuccessful(number = null, position, failure, isSealed = false).also { record(it.outcome) }

    private suspend fun unsuccessful(
        number: Int?,
        position: LoopPosition,
        failure: CommunicatorException,
        isSealed: Boolean,
    ): Attempt {
        val (step, phase) = position
        val trouble = ranks.troubleOf(failure)
        if (failure is RankFailedException && trouble != Trouble.PROGRAM) {
            takeoverAt(failure.step)?.let { return unsuccessful(number, position, it, isSealed) }
        }
        val stays = if (trouble == Trouble.DAMAGE) STAYS_DAMAGED else STAYS
        val reason = if (isSealed) "${failure.message?.removeSuffix(".")}. $stays" else failure.message.toString()
        if (trouble == Trouble.NO_ROOM) {
            return Attempt.Unsuccessful(SaveOutcome.Skipped(number, step, phase, reason), failure, isFatal = false)
        }
        val failed = SaveOutcome.Failed(number, step, phase, reason)
        return Attempt.Unsuccessful(failed, failure, isFatal = trouble == Trouble.PROGRAM)
    }

    /** Collective: the failure at a [step] after which another program owns the store, and may have deleted the files of the save. */
    private suspend fun takeoverAt(step: String): RankFailedException? =
        try {
            ranks.collectively(step) { owned?.loss?.let { throw it } }
            null
        } catch (failure: RankFailedException) {
            failure
        }

    /** The last stage of a save, without a meeting. The restart check comes first, since it also reads the save before this one. */
    private suspend fun retire(saved: Saved) {
        restartCheck?.passSave(saved)
        cleaning?.retain(saved, lineage)
    }

    private fun record(outcome: SaveOutcome, complete: CompleteSave? = null) {
        statistics.add(outcome)
        report?.publish(outcome, complete)
    }

    /** No save follows. */
    fun close() {
        restartCheck?.let { if (owned != null) it.warnIfUndone() }
        report?.summary()
    }
}

private const val RESTORE_GAVE_UP =
    "a restore did not find its files on the disks of the hosts, and gave it up by the setting lost-local"
private const val UNWRITTEN = "the program ended while it was being written"
private const val STAYS =
    "The data stay on the disks of their hosts, and a restart completes the save, unless a later one is committed."

private const val STAYS_DAMAGED =
    "The data stay on the disks of their hosts, and a restart completes the save if it finds a whole copy of this " +
        "file, unless a later one is committed."

/** The lineage of a new run. */
private fun freshLineage() = Lineage("${UUID.randomUUID()}", SaveNumbers.NONE)

/** The failure of an await: the save is or was sealed on the disks of its hosts, and is not drained while the program runs. */
internal fun notDrained(outcome: SaveOutcome) =
    NotSaved(
        Details(
            "$outcome. There is no commit to wait for: set drain = every, or check the outcome of a save before " +
                "you await it.",
            reason = Reason.NOT_DRAINED,
        ),
    )
