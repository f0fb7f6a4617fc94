package dev.cairn.run

import dev.cairn.options.DrainRule

/**
 * The sealed saves of this run on the disks of the hosts, oldest first. Decides which one is drained, which ones are superseded, and
 * whether another one may begin. Pure, and the same on all ranks.
 *
 * @param keep the maximum number of sealed saves, besides the one that is being written
 */
internal class SealedSaves<S : Any>(private val rule: DrainRule, private val keep: Int) {
    private enum class Fate {
        DRAINS,
        WAITS,

        /** It is not to be drained, or its drain has failed. */
        STAYS,
    }

    private class Sealed<S>(val save: S, var fate: Fate)

    private val all = mutableListOf<Sealed<S>>()

    /** Whether no further drain begins. */
    private var isResting = false

    private var sealedCount = 0L

    /** The one that is drained; null if there is none. */
    val draining: S? get() = all.find { it.fate == Fate.DRAINS }?.save

    /** The saves that are drained now or later. */
    val pending: List<S> get() = all.filter { it.fate == Fate.DRAINS || isToDrain(it) }.map { it.save }

    private fun isToDrain(sealed: Sealed<S>) = sealed.fate == Fate.WAITS && !isResting

    /** Whether a save that begins now must wait for a drain: it could not supersede any of the kept saves. */
    val isFull: Boolean
        get() {
            val fixed = all.count { it.fate == Fate.DRAINS || (it.fate == Fate.WAITS && rule !is DrainRule.Newest) }
            return fixed >= keep
        }

    /** [save] is sealed; returns the saves that it supersedes. */
    fun add(save: S): List<S> {
        sealedCount++
        if (rule is DrainRule.Newest) all.forEach { if (it.fate == Fate.WAITS) it.fate = Fate.STAYS }
        all += Sealed(save, if (isToBeDrained()) Fate.WAITS else Fate.STAYS)
        val superseded = all.dropLast(1).filter { it.fate == Fate.STAYS }.take(maxOf(all.size - keep, 0))
        all -= superseded.toSet()
        return superseded.map { it.save }
    }

    private fun isToBeDrained(): Boolean =
        when (rule) {
            is DrainRule.Newest -> true
            is DrainRule.Every -> sealedCount % rule.n == 0L
            is DrainRule.None -> false
        }

    /** The save whose drain begins now; null if one is being drained, or none waits. */
    fun next(): S? {
        if (draining != null) return null
        val next = all.find(::isToDrain) ?: return null
        next.fate = Fate.DRAINS
        return next.save
    }

    /** All of them, oldest first. */
    val saves: List<S> get() = all.map { it.save }

    /** [save] is committed, by its drain or by a restore; returns the saves that it supersedes. */
    fun committed(save: S): List<S> {
        val index = all.indexOfFirst { it.save == save }
        if (index < 0) return emptyList()
        val older = all.take(index)
        all -= all.take(index + 1).toSet()
        return older.map { it.save }
    }

    /** A restore has given [save] up. */
    fun lost(save: S) {
        all.removeIf { it.save == save }
    }

    /** The drain has failed. */
    fun failed() {
        all.first { it.fate == Fate.DRAINS }.fate = Fate.STAYS
    }

    /** Hosts have no room: drops saves that are not being drained, except for the newest one, from which a restart continues. */
    fun giveWay(): List<S> {
        val stale = all.dropLast(1).filter { it.fate == Fate.STAYS }
        all -= stale.toSet()
        return stale.map { it.save }
    }

    /** The newest one; null if there is none. */
    val newest: S? get() = all.lastOrNull()?.save

    /** A save begins whose commit the program waits for: saves that only wait for a drain are not drained before it. */
    fun rest() {
        isResting = rule is DrainRule.Newest
    }

    /** That save has ended. If it is not committed, those that wait are drained after all. */
    fun goOn() {
        isResting = false
    }

    /** A save was committed without a drain, when none was pending; returns the saves that it supersedes. */
    fun clear(): List<S> = all.map { it.save }.also { all.clear() }
}
