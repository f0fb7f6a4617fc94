package dev.cairn.output

import dev.cairn.concentrate.JoinedRequest
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT

/** Cells wait in the memory of the rank that has put them. Concentrators write them. */
internal class MemoryStage(
    private val ranks: Communicator,
    private val file: RecordFile,
    private val plan: OutputPlan,
) : Stage {
    override val room get() = plan.memory

    override fun keep(put: MemoryPut) = put

    override fun <T> reading(pending: PendingPuts, use: (List<Put>) -> T): T = use(pending.puts)

    override suspend fun gather(records: LongRange, pending: PendingPuts, memory: Long): Batch {
        val (from, to) = plan.layout.size(records.first) to plan.layout.size(records.last + 1)
        val fills = if (plan.sparse.isEmpty()) emptyList() else plan.fills(records, ranks.rank, ranks.size)
        val paddings = if (ranks.rank == ROOT) plan.paddings(records) else emptyList()
        val puts = JoinedRequest(pending.puts.map { it.request() } + paddings)
        val requests = if (plan.sparse.isEmpty()) listOf(puts) else listOf(JoinedRequest(fills), puts)
        return file.gather(records, from, to, requests, memory)
    }
}
