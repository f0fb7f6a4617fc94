package dev.cairn.item

import dev.cairn.event.rankText
import dev.cairn.event.requireDeclared
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.collectively
import dev.cairn.redistribution.Cells
import dev.cairn.state.ElementType

/** The declaration that no two rows of a table, on any ranks, have the same number in [column]. */
internal class UniqueIds(private val table: String, val column: String) {
    fun requireIn(columns: List<Column<*>>) {
        val type = columns.find { it.name == column }?.type
        requireDeclared(type == ElementType.LONG || type == ElementType.INT, table) {
            "table '$table' has no column '$column' of longs or ints, which its ids should be. Its columns are " +
                "${columns.described()}."
        }
    }

    /** Collective: equal ids are sent to the same rank, which finds them. */
    suspend fun check(ranks: Communicator, rows: SavedRows) {
        val ids = rows.longs(rows.columns.indexOfFirst { it.name == column })
        if (ranks.size == 1) {
            return ranks.collectively("compare the ids of '$table'") {
                requireDifferent(ids.apply { sort() }) { listOf(0) }
            }
        }
        val exchange = RowExchange.of(ranks, table, IntArray(ids.size) { rankFor(ids[it], ranks.size) })
        val received = LongArray(exchange.incomingCount)
        exchange.move(Cells.of(ids), Cells.of(received))
        ranks.collectively("compare the ids of '$table'") {
            requireDifferent(received.sortedArray()) { twice ->
                received.indices
                    .filter { received[it] == twice }
                    .map(exchange::senderOf)
                    .distinct()
            }
        }
    }

    private fun requireDifferent(sorted: LongArray, ranksOf: (id: Long) -> List<Int>) {
        var twice = 1
        while (twice < sorted.size && sorted[twice] != sorted[twice - 1]) twice++
        if (twice >= sorted.size) return
        val ranks = rankText(ranksOf(sorted[twice]))
        throw invalid(
            table,
            "the ids in the column '$column' of the table '$table' should be unique, but two rows have " +
                "${sorted[twice]}, on $ranks. Nothing was saved: give each row an id of its own, or do not " +
                "declare them as unique.",
        )
    }
}

/** 2^64 divided by the golden ratio, so that ids with any step between them are spread over the ranks. */
internal const val GOLDEN_STEP = -0x61c8864680b583ebL

/** The rank that compares this [id] with those of others. */
internal fun rankFor(id: Long, rankCount: Int): Int = ((id * GOLDEN_STEP ushr Int.SIZE_BITS) % rankCount).toInt()
