package dev.cairn.item

import dev.cairn.state.PerRankRule

/**
 * The rule for an item on another number of ranks, with its name in manifests. The rule in a manifest is the one that the saving
 * program declared, for readers without the program; a restore uses the rule that the program declares now.
 */
internal enum class RankChange(private val text: String) {
    REFUSE("refuse"),
    DROP("drop"),
    MERGE("merge"),
    DEAL("deal"),
    OWNER("owner"),
    POSITION_FREE("positionFree"),
    RESEED("reseed"),
    ;

    override fun toString(): String = text

    companion object {
        /** The rule in the layout of an item; null if there is none, or one of a newer version. */
        fun of(layout: Map<String, String>): RankChange? = values().find { it.text == layout[LAYOUT_RULE] }
    }
}

/** What a restore does with the values of each rank on another number of them, where a program that merges them is [merging]. */
internal fun PerRankRule<*>.rankChange(merging: RankChange): RankChange =
    when (this) {
        is PerRankRule.Refuse -> RankChange.REFUSE
        is PerRankRule.Drop -> RankChange.DROP
        is PerRankRule.Merge -> merging
    }

/** The names under which the layout of an item in the manifest holds its [RankChange], its column of unique ids, its seed, and its file. */
internal const val LAYOUT_RULE = "rule"
internal const val LAYOUT_IDS = "ids"
internal const val LAYOUT_SEED = "seed"
internal const val LAYOUT_FILE = "file"

/** Before the name of a column that leads to rows: its layout says to which, and by what. */
internal const val LAYOUT_REFERENCE = "to:"

/** The table whose rows hold those of the item in lists. */
internal const val LAYOUT_HOLDER = "holder"

/** Before the name of a kind of rows, the fields that it has. */
internal const val LAYOUT_KIND = "kind:"
