package dev.cairn.store

/**
 * The retention rule: the newest [last] good checkpoints, every [every]-th save, and pinned ones are kept. Pure: it
 * deletes nothing.
 *
 * A save that is not good is not counted; it is deleted when it is older than [last] good ones, like any other. Of
 * every [every] numbers in a row the first save is kept, so one that failed is replaced by the next.
 */
internal class Retention private constructor(private val last: Int, private val every: Int?) {
    /**
     * The saves in [reliable] were just verified; those [outdated] may be deleted, oldest first.
     *
     * @property isFull whether there are as many good ones as are kept
     */
    data class Plan(val reliable: List<Entry.Save>, val outdated: List<Entry.Save>, private val isFull: Boolean) {
        /** Whether [save] is older than all that are kept. */
        fun isOlder(save: Entry.Sealed): Boolean = isFull && reliable.all { it.number > save.number }
    }

    /** Examines as many saves as necessary, newest first. With fewer than [last] good ones, none may be deleted. */
    fun plan(saves: List<Entry.Save>, isGood: (Entry.Save) -> Boolean): Plan {
        val reliable = mutableListOf<Entry.Save>()
        val older =
            saves.sortedByDescending { it.number }.dropWhile { save ->
                (reliable.size < last).also { if (it && isGood(save)) reliable += save }
            }
        val milestones = milestonesOf(saves)
        val outdated = older.filterNot { it.isPinned || it.number in milestones }.reversed()
        return Plan(reliable, outdated, isFull = reliable.size == last)
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

        /** Only the newest good one: a single damaged file then ends the run. */
        fun keepOnlyNewest(): Retention = Retention(1, null)
    }
}
