package dev.cairn.netcdf

import dev.cairn.comm.Communicator
import dev.cairn.comm.ROOT
import dev.cairn.comm.allReduce
import dev.cairn.comm.broadcast
import dev.cairn.comm.bytesOf
import dev.cairn.comm.collectively
import dev.cairn.comm.longsOf
import dev.cairn.concentrate.JoinedRequest
import dev.cairn.failure.CommunicatorException
import dev.cairn.item.OutputOwner
import dev.cairn.sion.store.BlockStore
import java.lang.System.Logger.Level.WARNING
import java.nio.file.Path

/**
 * One rank's part of an output: what it has put and what of that is in the file. Cells wait in memory until the ranks *gather* them on
 * concentrators, which write them, at once or while the program goes on. New records come into the file behind the others, and count
 * when all of their bytes are durable.
 */
internal class StagedOutput(
    private val ranks: Communicator,
    store: BlockStore,
    private val path: Path,
    val plan: OutputPlan,
) {
    private val writing = ranks.during("write the output $path")
    private val file = RecordFile(writing, store, path, plan.concentrators)
    private val pending = PendingPuts()
    private var isBegun = false
    private var isRestored = false
    private var owner: OutputOwner = OutputOwner.NoStore

    /** The records that are on their way into the file; null if there are none. */
    var batch: Batch? = null
        private set

    /** The number of the next record that is appended. */
    private var appended = 0L

    /** How many records are in the file, as all ranks know; the same on all of them. */
    var written = 0L
        private set

    /** How many there are with those that are on their way. */
    val gathered: Long get() = batch?.let { it.records.last + 1 } ?: written

    val isRoot: Boolean get() = ranks.rank == ROOT

    fun ownedBy(owner: OutputOwner) {
        this.owner = owner
    }

    /** The run continues with a file of [records]. What was put before it knew that is in the file already. */
    fun continueFrom(records: Long) {
        pending.clear()
        batch = null
        appended = records
        written = records
        isRestored = true
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
        isBegun = true
        isRestored = false
    }

    /** Collective: puts the next record of all sources. Ranks exchange messages only if it flushes. */
    suspend fun append() {
        plan.sources.flatMap { it.puts(appended) }.forEach(pending::add)
        appended++
        if (isBegun && use >= 1) tryFlush()
    }

    fun put(put: Put) {
        require(put.record >= gathered) {
            "record ${put.record} of ${put.variable.name} is in $path already, and is not changed any more. Put " +
                "cells before the save or the flush that writes their record"
        }
        require(plan.sources.isEmpty() || put.record < appended) {
            "record ${put.record} of $path was not appended yet, there are $appended. Append it first"
        }
        pending.add(put)
    }

    /** How many times the memory of all ranks is used; the same on all of them, since it depends on what is declared. */
    private val use: Double
        get() = (appended - gathered).toDouble() * plan.recordBytes / (plan.memory.toDouble() * ranks.size)

    /** The records stay in memory if the disk has no room, and a later append tries again. */
    private suspend fun tryFlush() =
        try {
            flush()
        } catch (failure: CommunicatorException) {
            if (use >= MOST_USE) throw failure
            warn(failure)
        }

    private fun warn(failure: CommunicatorException) {
        if (isRoot) LOG.log(WARNING, "$path: ${failure.message} The records wait in memory, and are written later")
    }

    /** Collective: returns when all that was put is in the file, and durable. */
    suspend fun flush() {
        gather(memory = 0)
        settle()
    }

    /** Collective: the concentrators take all new records. They hold some in memory, which [Batch.write] writes before they [count]. */
    suspend fun gather(memory: Long = plan.memory) {
        check(isBegun) {
            "$path: the program does not know yet whether it continues the output. Flush after the first step has " +
                "begun, or after restore() where the program has a loop of its own"
        }
        settle()
        val end = agreeOnRecords()
        if (end == written) return
        writing.collectively("write the output $path") {
            if (isRoot) {
                owner.requireHeld()
                file.requireOwn(plan.layout, written)
            }
        }
        batch = gather(written until end, memory)
        pending.clear()
    }

    /** On rank 0, on any thread: all ranks have written their parts of [batch]. */
    fun count(batch: Batch) {
        owner.requireHeld()
        file.raiseRecordCount(batch.records)
    }

    /** Collective: returns when no batch is under way. What a rank could not write before, it tries again. */
    private suspend fun settle() {
        val last = batch ?: return
        writing.collectively("write the records of $path") { last.write() }
        writing.collectively("raise the number of records of $path") { if (isRoot) count(last) }
        written = last.records.last + 1
        batch = null
    }

    /** Collective: how many records there are now. */
    private suspend fun agreeOnRecords(): Long {
        val (most, least, put) = ranks.allReduce(longArrayOf(appended, -appended, pending.recordCount), Math::max)
        if (most != -least) {
            ranks.collectively("compare the records of $path") {
                throw IllegalStateException(
                    "rank ${ranks.rank} has appended $appended records, but others between ${-least} and $most. Let " +
                        "all ranks append in the same steps",
                )
            }
        }
        return maxOf(most, put)
    }

    private suspend fun gather(
        records: LongRange,
        memory: Long,
    ): Batch {
        val (from, to) = plan.layout.size(records.first) to plan.layout.size(records.last + 1)
        requireWhole(records)
        val fills = if (plan.sparse.isEmpty()) emptyList() else plan.fills(records, ranks.rank, ranks.size)
        val paddings = if (isRoot) plan.paddings(records) else emptyList()
        val requests = listOf(fills, pending.requests() + paddings).map(::JoinedRequest)
        return file.gather(records, from, to, if (plan.sparse.isEmpty()) requests.drop(1) else requests, memory)
    }

    /** Collective: together with the refusal of cells that two ranks write, this finds every cell that no rank has put. */
    private suspend fun requireWhole(records: LongRange) {
        val variables = plan.sources.map { it.variable }
        if (variables.isEmpty()) return
        val counts = ranks.allReduce(LongArray(variables.size) { pending.cellCount(variables[it]) }, Long::plus)
        for ((variable, count) in variables.zip(counts.asIterable())) {
            val expected = (records.last - records.first + 1) * variable.shape.cellCount()
            if (count != expected) {
                ranks.collectively("compare the cells of all ranks") {
                    throw IllegalStateException(
                        "records ${records.first} to ${records.last} of variable '${variable.name}' in $path have " +
                            "$expected cells, but all ranks have put $count. Let each cell have one owner",
                    )
                }
            }
        }
    }

    private companion object {
        /** A disk without room ends the program when so much waits. */
        const val MOST_USE = 4
        val LOG: System.Logger = System.getLogger(StagedOutput::class.java.name)
    }
}
