package dev.cairn.output

import dev.cairn.event.CommunicatorException
import dev.cairn.event.isOfDisks
import dev.cairn.item.OutputMark
import dev.cairn.item.OutputOwner
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.broadcast
import dev.cairn.ranks.bytesOf
import dev.cairn.ranks.collectively
import dev.cairn.ranks.longsOf
import dev.cairn.sion.store.BlockStore
import java.lang.System.Logger.Level.WARNING
import java.nio.file.Path

/**
 * One rank's part of an output: what it has put and what of that is in the file. Cells wait on a [Stage] until the ranks *gather* them
 * for those that write them, at once or while the program goes on. New records come into the file behind the others, and count when all
 * of their bytes are durable.
 */
internal class StagedOutput(
    private val ranks: Communicator,
    store: BlockStore,
    private val path: Path,
    val plan: OutputPlan,
    private val agreement: RecordAgreement = RecordAgreement(ranks, path),
) {
    private val writing = ranks.during("write the output $path")
    private val file = RecordFile(writing, store, path, plan)
    private val stage = stageOn(store)
    private val pending = PendingPuts()
    private val whole = WholeRecords(ranks, path, plan, pending)
    private val marking = ComingMark(writing, store, path, plan)
    private var isBegun = false
    private var isRestored = false
    private var hasEnded = false

    /** Whether the blocks of all ranks have been compared, as they are once, at the first append. */
    private var isCompared = false

    /** The records that are on their way into the file; null if there are none. */
    var batch: Batch? = null
        private set

    /** Whether records may be in the file, in part, that do not count, and ranks may still write them; the same on all ranks. */
    var isUnsettled = false
        private set

    /** On rank 0: the mark of the file with the [batch] of the save that is being made; null if there is none. */
    var comingMark: OutputMark? = null
        private set

    /** What the save that is being made holds; nothing if it waits until all is in the file. */
    var held = WaitingCells.NONE
        private set

    /** What the restored save held, which comes back before the file is cut; nothing after [takeBack]. */
    var restored = WaitingCells.NONE

    /** How many records there are with those that the restored save held, as far as this rank knows. */
    private var heldRecords = 0L

    /** How often the memory of a rank would hold the records that wait, when it was last asked whether all logs have room. */
    private var memoryTimes = 0L

    /** The number of the next record that is appended. */
    private var appended = 0L

    /** How many records are in the file, as all ranks know; the same on all of them. */
    var written = 0L
        private set

    /** How many there are with those that are on their way. */
    val gathered: Long get() = batch?.let { it.records.last + 1 } ?: written

    val isRoot: Boolean get() = ranks.rank == ROOT

    private fun stageOn(store: BlockStore): Stage {
        val memory = MemoryStage(ranks, file, plan)
        val directory = plan.stage ?: return memory
        return LogStage(writing, store, path, file, LogDirectory(store, directory, ranks.host, path), plan, memory)
    }

    fun ownedBy(owner: OutputOwner) {
        file.owner = owner
    }

    /** The run continues with a file of [records]. What was put before it knew that is in the file already. */
    fun continueFrom(records: Long) {
        pending.clear()
        stage.drop()
        heldRecords = 0
        batch?.close()
        batch = null
        appended = records
        written = records
        isRestored = true
    }

    /** What the restored save held waits again. This rank has none of it if it has no share in the save. */
    fun takeBack() {
        heldRecords = restored.recordCount
        restored.puts.forEach { pending.add(stage.keep(it.among(plan.variables))) }
        restored = WaitingCells.NONE
    }

    /** On rank 0: the file has no records, whatever a checkpoint says. */
    fun beginsAnew() {
        if (written > 0) continueFrom(0)
    }

    /** Collective: the run begins, or begins again. Only rank 0 knows whether the file had to begin anew although it was restored. */
    suspend fun runBegins() {
        if (isBegun && !isRestored) continueFrom(0)
        val ofRoot = longsOf(ranks.broadcast(ROOT) { bytesOf(written) })[0]
        if (ofRoot != written) continueFrom(ofRoot)
        appended = maxOf(appended, ranks.allReduce(heldRecords, Math::max))
        stage.begin()
        isBegun = true
        isRestored = false
    }

    /** The program is at its end; what was not flushed before is not written any more. */
    fun runEnds() {
        hasEnded = true
        stage.drop()
        batch?.close()
        // The ranks end without a meeting, and the workers of others may be at it for a while.
        if (isRoot && isUnsettled && ranks.size > 1) file.owner.leaveShared()
        val end = maxOf(appended, pending.recordCount)
        if (isRoot && isBegun && gathered < end) {
            val which = "records $gathered to ${end - 1}, which were put after the last save or flush"
            LOG.log(
                WARNING,
                "$path: $which, are not in the file. Call flush() before the end; a program that is started again " +
                    "goes on from its last save, and puts them again",
            )
        }
    }

    /**
     * Collective: puts the next record of all sources, and returns its number. Ranks exchange messages only at the first one, and to flush,
     * which comes before, so that more can be put into the new record.
     */
    suspend fun append(): Long {
        requireRunning()
        if (isBegun && (use >= 1 || isStageFull())) tryFlush()
        val record = appended
        plan.sources.flatMap { it.puts(record) }.forEach { pending.begin(stage.keep(it)) }
        appended++
        if (isBegun && !isCompared) whole.requireTiled(record).also { isCompared = true }
        return record
    }

    private fun requireRunning() =
        check(!hasEnded) {
            "$path: the output has ended, since its simulation has, or its checkpoints are closed. Append, put and " +
                "flush before"
        }

    fun put(put: MemoryPut) {
        requireRunning()
        require(put.record >= gathered) {
            "record ${put.record} of ${put.variable.name} is in $path already, and is not changed any more. Put " +
                "cells before the save or the flush that writes their record"
        }
        require(plan.sources.isEmpty() || put.record < appended) {
            "record ${put.record} of $path was not appended yet, there are $appended. Append it first"
        }
        require(put.record - gathered < MOST_AHEAD) {
            "record ${put.record} of $path would follow ${put.record - gathered} records without puts. " +
                "Count records from 0, one after the other"
        }
        pending.add(stage.keep(put))
    }

    /** How many times the room of all ranks is used; the same on all of them, since it depends on what is declared. */
    private val use: Double
        get() = (appended - gathered).toDouble() * plan.recordBytes / (stage.room.toDouble() * ranks.size)

    /** Collective whenever what was appended has grown by the memory of a rank: whether the disk of a host has no room for its logs. */
    private suspend fun isStageFull(): Boolean {
        if (plan.stage == null) return false
        val times = (appended - gathered) * plan.recordBytes / plan.memory
        if (times == memoryTimes) return false
        memoryTimes = times
        return ranks.allReduce(if (stage.isFull) 1L else 0L, Math::max) == 1L
    }

    /** The records stay where they are if a disk fails, or has no room, and a later append tries again. */
    private suspend fun tryFlush() {
        try {
            flush()
        } catch (failure: CommunicatorException) {
            if (use >= MOST_USE || !failure.isOfDisks) throw failure
            if (isRoot) LOG.log(WARNING, "$path: ${failure.message} The records wait, and are written later")
        }
    }

    /** Collective: returns when all that was put is in the file, and durable. */
    suspend fun flush() {
        newRecords()?.let { take(it, memory = 0) }
        settle()
    }

    /**
     * Collective: those that write the file take all new records, which [Batch.write] writes before they [count]. The save that follows
     * marks the file as it is then.
     */
    suspend fun gather() {
        val records = newRecords() ?: return
        comingMark = marking.of(records, stage, pending)
        take(records, plan.memory)
    }

    /** Collective: the records that are not in the file, which has all others now; null if there are none. */
    private suspend fun newRecords(): LongRange? {
        requireRunning()
        requireBegun()
        settle()
        held = WaitingCells.NONE
        val end = agreement.count(appended, pending.recordCount, written)
        if (end == written) return null
        return (written until end).also { whole.requireCounts(it) }
    }

    /** @param memory how many bytes of the [records] a rank may hold in memory */
    private suspend fun take(records: LongRange, memory: Long) {
        isUnsettled = true
        batch = stage.gather(records, pending, memory)
        pending.clear()
    }

    /** Collective: the save that follows holds what waits, if that is not too much; otherwise as [gather]. */
    suspend fun hold() {
        requireRunning()
        requireBegun()
        val most = ranks.allReduce(pending.byteCount, Math::max)
        if (most > MOST_HELD) return gather()
        settle()
        val end = agreement.count(appended, pending.recordCount, written)
        if (end > written) whole.requireCounts(written until end)
        held =
            writing.collectively("read what waits for $path") {
                stage.reading(pending) { puts -> WaitingCells(end, puts.map(::WaitingPut)) }
            }
    }

    /** On rank 0, on any thread: all ranks have written their parts of [batch]. */
    fun count(batch: Batch) {
        file.raiseRecordCount(batch.records)
    }

    private fun requireBegun() =
        check(isBegun) {
            "$path: it is not known yet whether the program continues this output. Call restore() before the first " +
                "save or flush, or enter the first step where Cairn has the loop"
        }

    /** Collective: returns when no batch is under way. What a rank could not write before, it tries again. */
    private suspend fun settle() {
        comingMark = null
        val last = batch ?: return
        writing.collectively("write the records of $path") { last.write() }
        writing.collectively("raise the number of records of $path") { if (isRoot) count(last) }
        written = last.records.last + 1
        batch = null
        isUnsettled = false
        stage.clear()
    }
}

/** On a disk without room, the program ends when this many times its room waits. */
private const val MOST_USE = 4

/** The most records without puts before a put: a wrong number would fill the disk. */
private const val MOST_AHEAD = 1L shl 20

/** A save on local disks that would hold more of a rank waits until it is in the file. */
private const val MOST_HELD = 64L shl 20
private val LOG: System.Logger = System.getLogger(StagedOutput::class.java.name)
