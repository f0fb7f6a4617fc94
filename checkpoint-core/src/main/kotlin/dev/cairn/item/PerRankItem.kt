package dev.cairn.item

import dev.cairn.state.PerRankRule

/** A value of each rank's own, with the program's rule for another number of ranks. */
internal class PerRankItem<T>(
    override val name: String,
    override val key: Int,
    override val formerNames: List<String>,
    slot: Slot<T>,
    private val rule: PerRankRule<T>,
) : RankValueItem<T>(PerRankKind, slot) {
    override val terms get() = listOf(rule.javaClass.simpleName)

    override val rankChange
        get() =
            when (rule) {
                is PerRankRule.Refuse -> RankChange.REFUSE
                is PerRankRule.Drop -> RankChange.DROP
                is PerRankRule.Merge -> RankChange.MERGE
            }

    override fun merge(values: List<T>): T {
        check(rule is PerRankRule.Merge) { "'$name' has no rule to merge by: please report this" }
        return rule.merge.apply(values)
    }
}

/** Values of each rank's own. On another number of ranks they are dealt and merged, or dropped, or the restart is refused. */
internal object PerRankKind : RankValueKind("perRank", moved = "dealt in order, and merged") {
    override val missingRule =
        MissingRule("private to each rank", "Declare it with PerRankRule.Merge or PerRankRule.Drop")
}
