package dev.cairn.item

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.MessageTags
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.collectively
import dev.cairn.redistribution.Cells
import dev.cairn.redistribution.Runs
import java.nio.ByteBuffer

/**
 * Sends the rows of all ranks to the ranks that own them, one column after another, in rounds, so that memory stays bounded. A
 * rank's new rows are in the order of their senders, and those of one sender in the order that they had there.
 *
 * Every rank has one, made by [of]; all its functions but [senderOf] are collective.
 */
internal class RowExchange private constructor(
    private val ranks: Communicator,
    private val table: String,
    /** The numbers of this rank's rows, by their owners. */
    private val order: IntArray,
    private val outgoing: List<RankRows>,
    private val incoming: List<RankRows>,
) {
    /** The rows that this rank sends to [rank] or receives from it: their places in [order], or among the new rows. */
    private class RankRows(val rank: Int, val from: Int, val count: Int) {
        val until get() = from + count

        /** The part of it that one round of [atOnce] rows moves. */
        fun part(round: Int, atOnce: Int): RankRows {
            val done = minOf(count.toLong(), round.toLong() * atOnce).toInt()
            return RankRows(rank, from + done, minOf(atOnce, count - done))
        }
    }

    /** The number of rows that this rank receives. */
    val incomingCount: Int = incoming.lastOrNull()?.until ?: 0

    /** The sender of the new row number [row]. */
    fun senderOf(row: Int): Int = incoming.first { row < it.until }.rank

    /** Collective: moves one column, from this rank's rows to its new ones. */
    suspend fun move(source: Cells, target: Cells) {
        val atOnce = maxOf(ROUND_BYTES / ranks.size, LEAST_BYTES) / source.elementSize()
        val roundCount = ranks.allReduce(outgoing.maxOfOrNull { rounds(it.count, atOnce) } ?: 0L, Math::max)
        for (round in 0 until roundCount.toInt()) {
            val messages = ranks.collectively("send rows of '$table'") { pack(source, round, atOnce) }
            for ((rank, message) in messages) ranks.send(rank, MessageTags.ROWS, message)
            for (rows in incoming.map { it.part(round, atOnce) }.filter { it.count > 0 }) {
                val message = ranks.receive(rows.rank, MessageTags.ROWS)
                target.copyFrom(message, Runs.row(rows.from.toLong(), 0, rows.count))
            }
        }
    }

    private fun pack(source: Cells, round: Int, atOnce: Int): List<Pair<Int, ByteBuffer>> =
        outgoing.map { it.part(round, atOnce) }.filter { it.count > 0 }.map { rows ->
            val message = ByteBuffer.allocate(rows.count * source.elementSize())
            source.gather(order, rows.from, rows.until, message)
            rows.rank to message
        }

    companion object {
        /** The most bytes that a rank receives in one round from all others together. */
        private const val ROUND_BYTES = 4 shl 20

        /** With smaller messages, their overhead would exceed their content. */
        private const val LEAST_BYTES = 4 shl 10

        /** For each rank that receives rows, its number and the count of these rows. */
        private val ROW_COUNTS = MessageFields("the numbers of rows for other ranks", LongArray(0)) { longs(it) }

        private const val MOST_ROWS = Int.MAX_VALUE - 8

        private fun rounds(count: Int, atOnce: Int) = (count.toLong() + atOnce - 1) / atOnce

        /** Collective: [owners] has the owner of each row of this rank. */
        suspend fun of(ranks: Communicator, table: String, owners: IntArray): RowExchange {
            val counts = IntArray(ranks.size).also { counts -> owners.forEach { counts[it]++ } }
            val outgoing = rowsOf(counts)
            val all =
                ranks.allGather(
                    ROW_COUNTS.encode(outgoing.flatMap { listOf(it.rank.toLong(), it.count.toLong()) }.toLongArray()),
                )
            val incoming =
                ranks.collectively("count the rows of '$table'") {
                    val counts = IntArray(all.size) { countFor(ranks.rank, ROW_COUNTS.decode(all[it])) }
                    requireRoom(ranks.rank, table, counts.sumOf { it.toLong() })
                    rowsOf(counts)
                }
            return RowExchange(ranks, table, order(owners, outgoing, ranks.size), outgoing, incoming)
        }

        /** Places the rows of the ranks one after another. */
        private fun rowsOf(counts: IntArray): List<RankRows> {
            var next = 0
            return counts.indices.filter { counts[it] > 0 }.map { rank ->
                RankRows(rank, next, counts[rank]).also { next += counts[rank] }
            }
        }

        private fun requireRoom(rank: Int, table: String, rowCount: Long) =
            require(rowCount <= MOST_ROWS) {
                "rank $rank is to own $rowCount rows of '$table', but an array holds at most $MOST_ROWS. Use more " +
                    "ranks, or an owner function that spreads the rows."
            }

        private fun countFor(rank: Int, pairs: LongArray): Int =
            (pairs.indices step 2).firstOrNull { pairs[it] == rank.toLong() }?.let { pairs[it + 1].toInt() } ?: 0

        private fun order(owners: IntArray, outgoing: List<RankRows>, rankCount: Int): IntArray {
            val next = IntArray(rankCount).also { next -> outgoing.forEach { next[it.rank] = it.from } }
            return IntArray(owners.size).also { order ->
                owners.forEachIndexed { row, owner -> order[next[owner]++] = row }
            }
        }
    }
}
