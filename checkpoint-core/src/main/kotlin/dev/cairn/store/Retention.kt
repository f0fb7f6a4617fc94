package dev.cairn.store

/**
 * Which checkpoints stay: the newest [last] good ones, every [every]-th save, and those that are pinned. Pure: it only says
 * so.
 *
 * A save that is not good counts for nothing; it goes when it is older than [last] good ones, like any other. Of every
 * [every] numbers in a row the first save stays, so one that failed is replaced by the next.
 */
internal class Retention private constructor(
    private val last: Int,
    private val every: Int?,
) {
    /** The saves in [reliable] were found good just now; those [outdated] may go, oldest first. */
    data class Plan(
        val reliable: List<Entry.Save>,
        val outdated: List<Entry.Save>,
    )

    /** Looks into as many saves as it must, newest first. With fewer than [last] good ones, nothing may go. */
    fun plan(
        saves: List<Entry.Save>,
        isGood: (Entry.Save) -> Boolean,
    ): Plan {
        val reliable = mutableListOf<Entry.Save>()
        val older =
            saves.sortedByDescending { it.number }.dropWhile { save ->
                (reliable.size < last).also { if (it && isGood(save)) reliable += save }
            }
        val milestones = milestonesOf(saves)
        return Plan(reliable, older.filterNot { it.isPinned || it.number in milestones }.reversed())
    }

    /** This, and every [every]-th save. */
    fun andEvery(every: Int): Retention {
        require(every > 0) { "every k-th save is kept for a k of at least 1, not $every" }
        return Retention(last, every)
    }

    private fun milestonesOf(saves: List<Entry.Save>): Set<Int> {
        if (every == null) return emptySet()
        val byRow = saves.map { it.number }.filter { it >= every }.groupBy { it / every }
        return byRow.values.map { it.min() }.toSet()
    }

    companion object {
        /** The newest [count] good ones. Two at least: the newest may turn out damaged only when it is needed. */
        fun keepLast(count: Int = 2): Retention {
            require(count >= 2) { "at least 2 checkpoints are kept, not $count; keepOnlyNewest() keeps one" }
            return Retention(count, null)
        }

        /** The newest good one alone, for those who know that one damaged file then ends the run. */
        fun keepOnlyNewest(): Retention = Retention(1, null)
    }
}
