package dev.cairn.run

import dev.cairn.comm.Communicator
import dev.cairn.comm.allReduce
import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.Events
import dev.cairn.event.Restored
import dev.cairn.event.SaveOutcome
import dev.cairn.event.Saved
import dev.cairn.failure.CheckpointException
import dev.cairn.failure.CheckpointExceptionKinds
import dev.cairn.failure.CommunicatorException
import dev.cairn.failure.RankFailedException
import dev.cairn.multifile.task.NoRoomException
import dev.cairn.options.Settings
import dev.cairn.reading.readContents
import dev.cairn.restore.rehearse
import dev.cairn.save.BegunSave
import dev.cairn.save.CommittedSave
import dev.cairn.save.Conclusion
import dev.cairn.save.SaveContext
import dev.cairn.save.Saver
import dev.cairn.save.WrittenState
import dev.cairn.save.manifest
import dev.cairn.store.Cleanup
import dev.cairn.store.Lineage
import dev.cairn.store.Manifest
import dev.cairn.store.OwnedStore
import dev.cairn.store.SaveDirectory
import dev.cairn.store.SaveNumbers
import java.io.IOException
import java.io.UncheckedIOException
import java.lang.System.Logger.Level.INFO
import java.lang.System.Logger.Level.WARNING
import java.util.UUID
import kotlin.time.TimeMark
import kotlin.time.TimeSource

/**
 * The saves of a program, each of which ends as a [SaveOutcome], the same on all ranks, and is counted. Every rank has one.
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

    /** Only the rank that owns the store needs it. */
    private var lineage = owned?.let { freshLineage() }
    val statistics = SaveStatistics()

    /** The next save comes after [restored], which stands in [lineage]. */
    fun goOnFrom(
        restored: Restored,
        lineage: Lineage,
    ) {
        if (owned != null) this.lineage = lineage
        statistics.add(restored)
    }

    /** Collective: makes a checkpoint, or returns the reason why there is none. */
    suspend fun attempt(position: LoopPosition): Attempt {
        val (step, phase) = position
        var number: Int? = null
        val attempt =
            try {
                Attempt.Succeeded(save(position) { number = it })
            } catch (failure: CommunicatorException) {
                val trouble = ranks.troubleOf(failure)
                val reason = failure.message.toString()
                if (trouble == Trouble.NO_ROOM) {
                    Attempt.Unsuccessful(SaveOutcome.Skipped(number, step, phase, reason), failure, isFatal = false)
                } else {
                    val failed = SaveOutcome.Failed(number, step, phase, reason)
                    Attempt.Unsuccessful(failed, failure, isFatal = trouble == Trouble.PROGRAM)
                }
            }
        statistics.add(attempt.outcome)
        if (owned != null) report(attempt.outcome)
        if (attempt is Attempt.Succeeded) {
            // Nothing is deleted before: the check reads the save before this one, too.
            restartCheck?.passSave(attempt.outcome)
            owned?.let(::retain)
        }
        return attempt
    }

    /** On rank 0: how all saves together ended, in one line; nothing if there were none. */
    fun summarize() {
        if (owned == null) return
        restartCheck?.warnIfUndone()
        if (statistics.last == null) return
        LOG.log(if (statistics.hasTrouble) WARNING else INFO, "$directory: $statistics")
    }

    private suspend fun save(
        position: LoopPosition,
        onBegun: (Int) -> Unit,
    ): Saved {
        val (step, phase) = position
        val begin = TimeSource.Monotonic.markNow()
        var underWay: SaveDirectory? = null
        val agreed =
            ranks.agreeOnSave(position) {
                val begun = begin(checkNotNull(owned))
                underWay = begun
                begun.number
            }
        val number = agreed.number
        onBegun(number)
        events.tell(CheckpointEvent.Begun(number, step, phase))
        val written = write(agreed, position, begin, underWay)
        val (slowest, slowestTime) = written.slowest
        return Saved(number, step, phase, written.byteCount, written.time, slowest, slowestTime)
    }

    /**
     * What the last program kept, or what could not be deleted then, may take the room that this save needs. A save that was
     * committed leaves nothing of the kind.
     */
    private fun begin(owned: OwnedStore): SaveDirectory {
        val lineage = lineageOfOwner()
        if (statistics.last == null && lineage.parent == null && !options.configuration[Settings.FRESH]) {
            earlierRunIn(owned.store)?.let { LOG.log(WARNING, it) }
        }
        if (statistics.last !is Saved) {
            cleanUp { owned.free(options.retention(), { context.files.readContents(it) }, lineage) }.forEach {
                LOG.log(
                    INFO,
                    "$directory: save $it is deleted before this save: keep-last and keep-every do not keep it",
                )
            }
        }
        return owned.begin(lineage.parent)
    }

    private suspend fun write(
        agreed: AgreedSave,
        position: LoopPosition,
        begin: TimeMark,
        underWay: SaveDirectory?,
    ): CommittedSave {
        val number = agreed.number
        val conclusion =
            object : Conclusion {
                override fun describe(written: WrittenState) = manifestOf(number, position, written)

                override fun commit(manifest: Manifest) {
                    checkNotNull(underWay).commit(manifest)
                }
            }
        try {
            val save = BegunSave(number, begin, context.spec(number))
            val written = saver.write(save, { agreed.require(ranks.rank, position) }, conclusion)
            lineage = lineage?.after(number)
            return written
        } catch (failure: Exception) {
            if (underWay != null && underWay.isUnderWay) underWay.abandonAfter(failure)
            throw failure
        }
    }

    private fun SaveDirectory.abandonAfter(failure: Exception) {
        try {
            abandon(failure.message ?: failure.toString())
        } catch (another: Exception) {
            failure.addSuppressed(another)
        }
    }

    private fun manifestOf(
        number: Int,
        position: LoopPosition,
        written: WrittenState,
    ) = context
        .manifest(lineageOfOwner(), number, position.step, position.phase, written)
        .copy(isFinished = position.isFinished, phasesBefore = position.phasesBefore)

    private fun lineageOfOwner() =
        checkNotNull(lineage) { "only the rank that owns the store knows where the run stands" }

    private fun report(outcome: SaveOutcome) {
        events.tell(outcome)
        if (outcome is Saved) {
            LOG.log(INFO, "$outcome, in $directory; ${rehearse(context.items, ranks.size)}")
        } else {
            LOG.log(WARNING, "$directory: ${statistics.wayBack}, because $outcome")
        }
    }

    private fun retain(owned: OwnedStore) {
        cleanUp { owned.retain(options.retention(), { context.files.readContents(it) }, lineageOfOwner()) }
    }

    /** It can be late, but it cannot make a checkpoint undone. Returns the saves that are gone. */
    private fun cleanUp(clean: () -> Cleanup): List<Int> {
        try {
            val cleanup = clean()
            cleanup.removed.forEach { events.tell(CheckpointEvent.Deleted(it)) }
            cleanup.left.forEach { LOG.log(WARNING, it.reason) }
            return cleanup.removed
        } catch (failure: IOException) {
            LOG.log(WARNING, "$directory: older checkpoints could not be removed, tried again next time", failure)
        } catch (taken: CheckpointException.StoreTakenOver) {
            // Only this rank knows it: the next save detects it, and reports it to all.
            LOG.log(WARNING, taken.message)
        }
        return emptyList()
    }
}

/** The result of one call to save: its outcome, and the exception for a caller that expects a checkpoint. */
internal sealed interface Attempt {
    val outcome: SaveOutcome

    class Succeeded(
        override val outcome: Saved,
    ) : Attempt

    /** If it [isFatal], later attempts would come to nothing as well, or would save what is not the program's state. */
    class Unsuccessful(
        override val outcome: SaveOutcome,
        private val failure: CommunicatorException,
        val isFatal: Boolean,
    ) : Attempt {
        val thrown: RuntimeException
            get() = if (failure is RankFailedException) CheckpointExceptionKinds.of(failure) else failure
    }
}

/** Why a save came to nothing; one outweighs those before it. */
private enum class Trouble {
    NO_ROOM,
    DISK,
    PROGRAM,
}

/** Collective: only the rank that failed knows why for sure, and all must decide the same. */
private suspend fun Communicator.troubleOf(failure: CommunicatorException): Trouble {
    // Ranks that are missing, or do something else, would not come to decide.
    if (failure !is RankFailedException) return Trouble.PROGRAM
    val own =
        when (failure.failures.find { it.rank == rank }?.cause) {
            null, is NoRoomException -> Trouble.NO_ROOM
            is IOException, is UncheckedIOException -> Trouble.DISK
            else -> Trouble.PROGRAM
        }
    return Trouble.entries[allReduce(own.ordinal.toLong(), Math::max).toInt()]
}

/** That of a program that begins. */
private fun freshLineage() = Lineage("${UUID.randomUUID()}", SaveNumbers.NONE)

private val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
