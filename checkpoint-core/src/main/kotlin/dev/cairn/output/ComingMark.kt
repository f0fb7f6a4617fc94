package dev.cairn.output

import dev.cairn.item.OutputMark
import dev.cairn.item.markOf
import dev.cairn.item.tailOf
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.Structure
import dev.cairn.ranks.collectively
import dev.cairn.redistribution.DigestFormula
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * The mark of a save whose last records are still on their way into the file. It is stored before they are there, so rank 0 puts the
 * bytes that it digests together: from the file, and from what the ranks have put.
 */
internal class ComingMark(
    private val ranks: Communicator,
    private val store: BlockStore,
    private val path: Path,
    private val plan: OutputPlan,
) {
    /** Collective: the mark of the file with [records], on rank 0. What the ranks have put of them is [pending] on their [stage]. */
    suspend fun of(records: LongRange, stage: Stage, pending: PendingPuts): OutputMark? {
        val tail = tailOf(plan.layout.size(records.last + 1), plan.layout.headerSize())
        val own =
            ranks.collectively("read the last cells that wait for $path") {
                stage.reading(pending) { piecesOf(it, tail) }
            }
        val pieces = ranks.gather(ROOT, PIECES.encode(own))
        return ranks.collectively("digest the end of $path") {
            if (ranks.rank == ROOT) markWith(records, tail, pieces.flatMap(PIECES::decode)) else null
        }
    }

    private fun markWith(records: LongRange, tail: LongRange, pieces: List<Piece>): OutputMark {
        val bytes = ByteBuffer.allocate(tail.size)
        readWritten(bytes, tail.first, minOf(plan.layout.size(records.first), tail.end))
        fillersOf(records, tail).forEach { it.copyInto(bytes, tail.first, tail.end) }
        pieces.forEach { bytes.slice((it.offset - tail.first).toInt(), it.bytes.remaining()).put(it.bytes) }
        return markOf(tail.end, bytes, DigestFormula.NEWEST)
    }

    /** Reads what the file has from [start] on, up to its [end]. */
    private fun readWritten(bytes: ByteBuffer, start: Long, end: Long) {
        if (start >= end) return
        store.open(path, Access.READ).use { it.readFully(start, bytes.slice(0, (end - start).toInt())) }
    }

    /** What lies in the tail where no rank has put cells. */
    private fun fillersOf(records: LongRange, tail: LongRange) =
        (maxOf(records.first, plan.recordsIn(tail.first))..records.last).let {
            plan.fills(it, rank = 0, rankCount = 1) + plan.paddings(it)
        }

    /** Those of the cells of [puts] that lie in the [tail]. */
    private fun piecesOf(puts: List<Put>, tail: LongRange): List<Piece> {
        val bytes = ByteBuffer.allocate(tail.size)
        val requests = puts.map { it.request() }.filter { it.end > tail.first }
        requests.forEach { it.copyInto(bytes, tail.first, tail.end) }
        return buildList {
            for (request in requests) {
                request.forEachExtent(tail.first, tail.end) { offset, length ->
                    add(Piece(offset, bytes.slice((offset - tail.first).toInt(), length)))
                }
            }
        }
    }

    /** Bytes from [offset] of the file on. */
    private class Piece(val offset: Long, val bytes: ByteBuffer)

    private companion object {
        val LongRange.end: Long get() = last + 1
        val LongRange.size: Int get() = Math.toIntExact(end - first)

        val PIECE = Structure(Piece(0, ByteBuffer.allocate(0))) { Piece(u64(it.offset), bytes(it.bytes)) }
        val PIECES = MessageFields("the last cells of an output", emptyList<Piece>()) { list(it, PIECE) }
    }
}
