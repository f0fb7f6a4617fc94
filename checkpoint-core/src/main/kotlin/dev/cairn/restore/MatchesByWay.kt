package dev.cairn.restore

import dev.cairn.item.CellItem
import dev.cairn.item.RankItem
import dev.cairn.item.RowItem
import dev.cairn.item.SharedItem
import dev.cairn.item.StateItem

/** Matches by the way in which their items are restored, for the phases of the [Restorer]; each list is in the order of the turns. */
internal class MatchesByWay(matches: List<Match<*>>) {
    /** Those that are stored as bytes, shared ones and those of ranks. */
    val bytes = mutableListOf<Match<*>>()
    val ofRanks = mutableListOf<Match<RankItem>>()
    val cells = mutableListOf<Match<CellItem>>()
    val rows = mutableListOf<Match<RowItem>>()

    init {
        matches.sortedBy { it.item.kind.form.turn }.forEach(::add)
    }

    /** The compiler refuses a way that has no phase. */
    private fun add(match: Match<*>) {
        when (val item = match.item) {
            is SharedItem -> bytes += match
            is RankItem -> addOfRanks(match.of(item))
            is CellItem -> cells += match.of(item)
            is RowItem -> rows += match.of(item)
        }
    }

    private fun addOfRanks(match: Match<RankItem>) {
        bytes += match
        ofRanks += match
    }
}

/** This match, whose item is known to be this [item]. */
internal fun <I : StateItem> Match<*>.of(item: I): Match<I> = Match(item, stored, storedKey, conversion)
