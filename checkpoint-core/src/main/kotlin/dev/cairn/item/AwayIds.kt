package dev.cairn.item

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.collectively
import dev.cairn.redistribution.Cells

/**
 * The ids of rows of the table [target] on other ranks, to which the field [path] of this rank's rows leads.
 *
 * @param present the rows of that table on this rank
 */
internal class AwayIds(private val path: String, private val target: String, private val present: PresentRows) {
    private val places = LinkedHashMap<Long, Int>()
    private val ids = ArrayList<Long>()
    private val here by lazy { RowIds(present.ids()) }

    /** The place of [id] among them; null if a row of this rank has it. */
    fun placeOf(id: Long): Int? {
        if (here.of(id) >= 0) return null
        return places.getOrPut(id) { ids.size.also { ids += id } }
    }

    fun idAt(place: Int): Long = ids[place]

    /** Collective: refuses an id that no row has on any rank. Those of rows and of references are sent to the same rank. */
    suspend fun check(ranks: Communicator) {
        if (ranks.allReduce(ids.size.toLong(), Math::max) == 0L) return
        val (rows, _) = sent(ranks) { present.ids() }
        val (asked, exchange) = sent(ranks) { ids.toLongArray() }
        ranks.collectively("find the rows to which '$path' leads") {
            rows.sort()
            val missing = asked.indices.find { rows.binarySearch(asked[it]) < 0 } ?: return@collectively
            throw notStorable(
                target,
                "'$path' leads on rank ${exchange.senderOf(missing)} to an object with the id ${asked[missing]}, " +
                    "which no row of '$target' has on any rank. Put a row with that id into the list of its rank, " +
                    "or let the field be null.",
            )
        }
    }

    private suspend fun sent(ranks: Communicator, ids: () -> LongArray): Pair<LongArray, RowExchange> {
        val (own, to) =
            ranks.collectively("look up the rows to which '$path' leads") {
                ids().let { own -> own to IntArray(own.size) { rankFor(own[it], ranks.size) } }
            }
        val exchange = RowExchange.of(ranks, target, to)
        val received = ranks.collectively("look up the rows of '$target'") { LongArray(exchange.incomingCount) }
        exchange.move(Cells.of(own), Cells.of(received))
        return received to exchange
    }
}
