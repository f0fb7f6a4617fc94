package dev.cairn.output

import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.meaning
import dev.cairn.event.sentence
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.allGatherLong
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.collectively
import dev.cairn.sion.log.LogIdentity
import dev.cairn.sion.store.BlockStore
import java.io.IOException
import java.lang.System.Logger.Level.WARNING
import java.nio.file.Path
import java.util.concurrent.ThreadLocalRandom

/**
 * Cells wait in logs on the disks of the hosts. One rank of each host reads the logs of all of its ranks and writes them, so cells do
 * not travel between ranks.
 *
 * A put for which the disk has no room stays in memory. If it finds none later either, the ranks send all their cells to concentrators.
 */
internal class LogStage(
    private val ranks: Communicator,
    private val store: BlockStore,
    private val path: Path,
    private val file: RecordFile,
    private val directory: LogDirectory,
    private val plan: OutputPlan,
    private val memory: MemoryStage,
) : Stage {
    /** Null until the run begins. */
    private var host: HostRanks? = null

    /** The logs of what is pending, and the one to which the next put is appended. */
    private val logs = mutableListOf<RankLog>()
    private var current: RankLog? = null
    private var logCount = 0L

    /** The logs of the last batch. */
    private val gathered = mutableListOf<RankLog>()

    /** The last puts, which are written to the log together. */
    private val tail = mutableListOf<Put>()
    private var tailSize = 0L

    /** Whether the disk had no room, and the bytes that are in memory since then. */
    override var isFull = false
        private set

    /** Why cells could not be written to a log; null if they always could. */
    private var trouble: IOException? = null
    private var inMemory = 0L

    override val room get() = plan.room

    override suspend fun begin() {
        val group = ranks.hostGroup()
        host = HostRanks(group, group.allGatherLong(ranks.rank.toLong()).map { it.toInt() })
        ranks.collectively("prepare the logs in $directory") { if (group.rank == ROOT) prepare() }
    }

    private fun prepare() =
        try {
            directory.prepare()
        } catch (failure: IOException) {
            throw InvalidDeclaration(
                Details(
                    "the output $path: logs cannot be kept in $directory on ${ranks.host}: ${failure.sentence()} Let " +
                        "stage be a directory that each host has, or can make in one that is there",
                    cause = failure,
                ),
            )
        }

    /** Cells that are put before the run begins stay in memory, since the run may leave them out. */
    override fun keep(put: MemoryPut): PutPlace {
        if (host == null) return put
        if (isFull) return inMemory(put)
        tail += put
        tailSize += put.byteCount
        if (tailSize >= LARGEST_TAIL) writeTail()
        return PutPlace(put.variable, put.record, put.box)
    }

    /** Whether all of it is in the log now. */
    private fun writeTail(): Boolean =
        try {
            while (tail.isNotEmpty()) {
                val next = tail.take(RankLog.countOfNext(tail))
                (current ?: newLog()).append(next)
                tail.subList(0, next.size).clear()
            }
            tailSize = 0
            true
        } catch (full: IOException) {
            if (trouble == null) {
                LOG.log(
                    WARNING,
                    "rank ${ranks.rank} cannot write to its log in $directory, so cells wait in memory: ${full.sentence()}",
                )
            }
            trouble = full
            isFull = true
            false
        }

    private fun inMemory(put: MemoryPut): PutPlace {
        inMemory += put.bytes.remaining()
        if (inMemory <= MOST_IN_MEMORY * plan.memory) return put
        // The ranks flush before, unless they only put, or the file has no room either.
        val reason = checkNotNull(trouble)
        throw reason.meaning(
            path,
            "rank ${ranks.rank} cannot write to its log in $directory, and $inMemory bytes of its cells wait in " +
                "memory. Make room there, or flush more often. The reason: ${reason.sentence()}",
        )
    }

    private fun newLog(): RankLog {
        val number = logCount++
        val identity = LogIdentity(ThreadLocalRandom.current().nextLong(), number, ranks.rank, ranks.size)
        val place = directory.make(ranks.rank, number)
        val log =
            try {
                RankLog(store, place, identity)
            } catch (full: IOException) {
                directory.delete(place)
                throw full
            }
        logs += log
        current = log
        log.note("cells for $path; variables have their numbers in its header, and the first dimension is the record")
        return log
    }

    override suspend fun gather(records: LongRange, pending: PendingPuts, memory: Long): Batch {
        tail += pending.puts
        val isLogged = writeTail()
        current.also { current = null }?.close()
        val areLogged = ranks.allReduce(if (isLogged) 1L else 0L, Math::min) == 1L
        val batch = if (areLogged) inLogs(records, pending) else throughConcentrators(records, pending)
        giveUp()
        return batch
    }

    private suspend fun inLogs(records: LongRange, pending: PendingPuts): Batch {
        val own = checkNotNull(host)
        val places = requireApart(pending)
        val titles = own.group.allGather(LOG_TITLES.encode(logs.map { it.title })).map(LOG_TITLES::decode)
        val opened = file.open(isWriter = own.group.rank == ROOT, records)
        if (opened == null) return LoggedBatch(store, file = null, records, plan)
        val hostLogs = own.members.zip(titles).flatMap { (rank, ofRank) -> ofRank.map { placeOf(rank, it) } }
        if (places == null) return LoggedBatch(store, opened, records, plan, hostLogs)
        val gaps = plan.fills(records, rank = 0, rankCount = 1) + plan.paddings(records)
        val others = places.ofOthers(own.members.toSet(), plan.sparse.toSet()).map { it.extents() }
        return LoggedBatch(store, opened, records, plan, hostLogs, gaps, others)
    }

    /** Collective: what all ranks have put, on rank 0. */
    private suspend fun requireApart(pending: PendingPuts): RankPlaces? {
        val messages = ranks.gather(ROOT, RankPlaces.encode(pending.places))
        return ranks.collectively("compare the cells of all ranks") {
            if (ranks.rank == ROOT) RankPlaces.decode(messages, plan.variables).also { it.requireApart() } else null
        }
    }

    private fun placeOf(rank: Int, title: LogTitle): LogPlace {
        val identity = LogIdentity(title.id, title.number, rank, ranks.size)
        return LogPlace(directory.place(rank, title.number), identity, title.recordCount)
    }

    private suspend fun throughConcentrators(records: LongRange, pending: PendingPuts): Batch =
        LoggedPuts(store, plan.variables).use { logged ->
            val all = ranks.collectively("read the logs in $directory") { readOwn(logged, pending) }
            memory.gather(records, all, memory = 0)
        }

    override fun <T> reading(pending: PendingPuts, use: (List<Put>) -> T): T =
        LoggedPuts(store, plan.variables).use { use(readOwn(it, pending).puts) }

    /** What this rank has put, in its logs, for them, and in memory. */
    private fun readOwn(logged: LoggedPuts, pending: PendingPuts): PendingPuts {
        val all = PendingPuts()
        logs.forEach { logged.addTo(all, placeOf(ranks.rank, it.title)) }
        (tail + pending.puts).forEach(all::add)
        return all
    }

    override fun clear() {
        gathered.forEach { directory.delete(it.directory) }
        gathered.clear()
    }

    override fun drop() {
        host = null
        current.also { current = null }?.close()
        giveUp()
        clear()
    }

    /** The cells that were pending are not any more. */
    private fun giveUp() {
        gathered += logs
        logs.clear()
        tail.clear()
        tailSize = 0
        inMemory = 0
        isFull = false
    }

    /** The ranks of this host: their communicator, and their numbers among all. */
    private class HostRanks(val group: Communicator, val members: List<Int>)
}

/** The most that waits in memory if the disk is full, in times of the memory of the output. */
private const val MOST_IN_MEMORY = 4

private const val LARGEST_TAIL = 1L shl 20
private val LOG: System.Logger = System.getLogger(LogStage::class.java.name)
