package dev.cairn.item

/**
 * What becomes of an item on another number of ranks, in the words in which manifests say it. A manifest tells what the program
 * that saved had declared, for those who look without the program; a restore takes what the program declares now.
 */
internal enum class RankChange(
    private val text: String,
) {
    REFUSE("refuse"),
    DROP("drop"),
    MERGE("merge"),
    DEAL("deal"),
    OWNER("owner"),
    POSITION_FREE("positionFree"),
    ;

    override fun toString(): String = text

    companion object {
        /** The rule in the layout of an item; null if there is none, or one that only a newer version knows. */
        fun of(layout: Map<String, String>): RankChange? = values().find { it.text == layout[LAYOUT_RULE] }
    }
}

/** Under these names the layout of an item in the manifest tells its [RankChange], and which column has unique ids. */
internal const val LAYOUT_RULE = "rule"
internal const val LAYOUT_IDS = "ids"
