package dev.cairn.restore

import dev.cairn.item.CellItem
import dev.cairn.item.RankItem
import dev.cairn.item.RowItem
import dev.cairn.item.SharedItem
import dev.cairn.item.StateItem

/** Matches by the way in which their items are restored: each list has a phase of its own in the [Restorer]. */
internal class MatchesByWay(
    matches: List<Match<*>>,
) {
    val shared = mutableListOf<Match<SharedItem>>()
    val ofRanks = mutableListOf<Match<RankItem>>()
    val cells = mutableListOf<Match<CellItem>>()
    val rows = mutableListOf<Match<RowItem>>()

    init {
        matches.forEach(::add)
    }

    /** The compiler refuses a way that has no phase. */
    private fun add(match: Match<*>) {
        when (val item = match.item) {
            is SharedItem -> shared += match.of(item)
            is RankItem -> ofRanks += match.of(item)
            is CellItem -> cells += match.of(item)
            is RowItem -> rows += match.of(item)
        }
    }

    private fun <I : StateItem> Match<*>.of(item: I) = Match(item, stored, storedKey, conversion)
}
