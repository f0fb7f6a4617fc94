package dev.cairn.run

import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.CommunicatorException
import dev.cairn.event.Events
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.save.CommittedSave
import dev.cairn.save.SaveContext
import dev.cairn.store.Lineage
import dev.cairn.store.OwnedStore
import dev.cairn.store.SaveNumbers
import java.util.UUID

/** How saves end, or how far they have come: tells and counts it, and on the rank that owns the store, deletes what it makes expire. */
internal class SaveEnds(
    private val context: SaveContext,
    private val owned: OwnedStore?,
    events: Events,
    private val restartCheck: RestartCheck?,
) {
    private val ranks = context.ranks
    val statistics = SaveStatistics()
    val cleaning = owned?.let { StoreCleaning(context, it, events) }
    private val report = owned?.let { SaveReport(context, events, statistics) }

    /** Only the rank that owns the store needs it; its worker reads it, too. */
    @Volatile private var ownLineage = owned?.let { freshLineage() }

    /** The saves that led to the next one, on the rank that owns the store. */
    val lineage: Lineage get() =
        checkNotNull(
            ownLineage,
        ) { "only the rank that owns the store knows where the run stands" }

    /** The next save comes after [restored], which stands in [lineage]. */
    fun goOnFrom(
        restored: Restored,
        lineage: Lineage,
    ) {
        if (owned != null) ownLineage = lineage
        statistics.add(restored)
    }

    /** The program goes on, while [save] has come as far as [outcome] says. */
    fun goOn(
        save: OpenSave,
        outcome: SaveOutcome.UnderWay,
    ): Attempt {
        tell(outcome)
        return Attempt.UnderWay(outcome, save).also { save.attempt = it }
    }

    /** From here on a restart continues from [save], so later saves come after it, whether it is committed or not. */
    fun sealed(save: OpenSave) {
        save.isSealed = true
        ownLineage = ownLineage?.after(save.number)
        goOn(save, SaveOutcome.Sealed(save.number, save.position.step, save.position.phase))
    }

    /** The program goes on without a save at [position], for this [reason]. */
    fun skip(
        position: LoopPosition,
        reason: String,
    ): Attempt {
        val skipped = SaveOutcome.Skipped(null, position.step, position.phase, reason)
        tell(skipped)
        val advice =
            "There is no checkpoint to wait for: set when-busy = wait, or look at the outcome of a save before you await it."
        val thrown = NotSaved(Details("$skipped. $advice", reason = Reason.SKIPPED))
        return Attempt.Unsuccessful(skipped, thrown, isFatal = false)
    }

    /** The sealed [save] is not drained any more, since [newer] is sealed or committed. */
    fun supersede(
        save: OpenSave,
        newer: OpenSave,
    ) {
        // Of one whose drain has failed, people and programs know that already.
        if (save.attempt !is Attempt.UnderWay) return
        val (step, phase) = save.position
        val outcome = SaveOutcome.Superseded(save.number, step, phase, newer.number)
        save.attempt = Attempt.Unsuccessful(outcome, notDrained(outcome), isFatal = false)
        tell(outcome)
    }

    fun waiting(save: OpenSave) {
        report?.waiting(save)
    }

    /** The hosts have no room for [save] by this [failure]; the [plan] says what it does. */
    fun lackingRoom(
        save: OpenSave,
        plan: String,
        failure: CommunicatorException,
    ) {
        report?.lackingRoom(save, plan, failure)
    }

    /** How [save] has ended where the ranks did not meet for that: only the rank that owns the store knows. */
    fun conclude(save: OpenSave) {
        if (owned == null) return
        val (step, phase) = save.position
        val committed = save.work.committed
        val outcome =
            if (committed == null) {
                val isSealed = save.directory?.isSealed == true
                SaveOutcome.Failed(save.number, step, phase, if (isSealed) "the program ended. $STAYS" else UNWRITTEN)
            } else {
                savedOf(save, committed)
            }
        tell(outcome, committed)
        if (committed != null) report?.unheard(save)
    }

    /** Collective: how [save] ends by [work], which all are told. */
    suspend fun end(
        save: OpenSave,
        work: suspend () -> CommittedSave,
    ): Attempt {
        var committed: CommittedSave? = null
        val attempt =
            try {
                val written = work()
                if (!save.isSealed) ownLineage = ownLineage?.after(save.number)
                committed = written
                Attempt.Committed(savedOf(save, written))
            } catch (failure: Exception) {
                // The ranks cannot learn of the commit any more.
                if (save.isCommittedHere) throw failure.also { conclude(save) }
                save.directory?.abandonAfter(failure)
                if (failure !is CommunicatorException) throw failure
                unsuccessful(save.number, save.position, failure, save.isSealed)
            }
        save.attempt = attempt
        tell(attempt.outcome, committed)
        if (attempt is Attempt.Committed) afterwards(attempt.outcome)
        return attempt
    }

    /** Collective: no save at [position] has begun, by this [failure], which all ranks have. */
    suspend fun notBegun(
        position: LoopPosition,
        failure: CommunicatorException,
    ): Attempt = unsuccessful(number = null, position, failure, isSealed = false).also { tell(it.outcome) }

    private suspend fun unsuccessful(
        number: Int?,
        position: LoopPosition,
        failure: CommunicatorException,
        isSealed: Boolean,
    ): Attempt {
        val (step, phase) = position
        val trouble = ranks.troubleOf(failure)
        val stays = if (trouble == Trouble.DAMAGE) STAYS_DAMAGED else STAYS
        val reason = if (isSealed) "${failure.message?.removeSuffix(".")}. $stays" else failure.message.toString()
        if (trouble == Trouble.NO_ROOM) {
            return Attempt.Unsuccessful(SaveOutcome.Skipped(number, step, phase, reason), failure, isFatal = false)
        }
        val failed = SaveOutcome.Failed(number, step, phase, reason)
        return Attempt.Unsuccessful(failed, failure, isFatal = trouble == Trouble.PROGRAM)
    }

    /** Nothing is deleted before the check of a restart, which reads the save before this one, too. */
    private suspend fun afterwards(saved: Saved) {
        restartCheck?.passSave(saved)
        cleaning?.retain(saved, lineage)
    }

    private fun savedOf(
        save: OpenSave,
        written: CommittedSave,
    ): Saved {
        val (step, phase) = save.position
        val (slowest, slowestTime) = written.slowest
        val number = save.number
        return Saved(number, step, phase, written.byteCount, written.time, slowest, slowestTime, written.waited)
    }

    private fun tell(
        outcome: SaveOutcome,
        committed: CommittedSave? = null,
    ) {
        statistics.add(outcome)
        report?.tell(outcome, committed)
    }

    /** No save follows. */
    fun close() {
        restartCheck?.let { if (owned != null) it.warnIfUndone() }
        report?.summary()
    }
}

private const val UNWRITTEN = "the program ended while it was being written"
private const val STAYS =
    "The data stay on the disks of their hosts, and a restart completes the save, unless a later one is committed."

private const val STAYS_DAMAGED =
    "The data stay on the disks of their hosts, and a restart completes the save if it finds a whole copy of this " +
        "file, unless a later one is committed."

/** That of a program that begins. */
private fun freshLineage() = Lineage("${UUID.randomUUID()}", SaveNumbers.NONE)

/** A save that the program awaits is sealed on the disks of its hosts, or was, and is not drained while the program runs. */
internal fun notDrained(outcome: SaveOutcome) =
    NotSaved(
        Details(
            "$outcome. There is no commit to wait for: set drain = every, or look at the outcome of a save before " +
                "you await it.",
            reason = Reason.NOT_DRAINED,
        ),
    )
