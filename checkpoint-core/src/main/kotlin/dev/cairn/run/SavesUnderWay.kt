package dev.cairn.run

import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.options.Wait
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.collectivelyInTime
import dev.cairn.save.Attempt
import dev.cairn.save.Meeting
import dev.cairn.save.Save
import dev.cairn.save.SaveContext
import kotlinx.coroutines.CancellationException
import java.lang.System.Logger.Level.WARNING
import kotlin.time.TimeSource

/**
 * The saves that are written or drained in the background; meetings of the ranks end them. The same on all ranks, except for their
 * workers.
 */
internal class SavesUnderWay(
    private val context: SaveContext,
    private val ends: SaveEnds,
    private val memory: SnapshotRoom,
) {
    private val ranks = context.ranks
    private var making: Save? = null
    private val sealed = SealedSaves<Save>(context.options.drain, context.options.localKeep)

    /** Sealed saves that newer ones have superseded, and that the store still holds. */
    private val superseded = mutableListOf<Save>()

    private val obsolete = mutableSetOf<Int>()

    /** The saves, since the last one has begun, of which hosts need no files any more: no restart looks for them there. */
    val obsoleteNumbers: Set<Int> get() = obsolete

    val isMaking: Boolean get() = making != null

    /** Whether no save is under way. */
    val isIdle: Boolean get() = making == null && sealed.pending.isEmpty()

    /** Whether a save that begins now would wait for another one. */
    val isBusy: Boolean get() = making != null || (context.local != null && sealed.isFull)

    /** The reason to skip a save that does not wait. */
    val business: String
        get() {
            val other = checkNotNull(making ?: sealed.draining)
            val present = if (making != null) "written" else "drained"
            val step = other.numbered.position.step
            return "save ${other.number}, step $step, is still being $present, and when-busy is skip"
        }

    /** For which work this rank would not wait in [meet]. */
    suspend fun ready(): Ready {
        val drain = sealed.draining
        return Ready(making?.isReady() == true, drain?.isReady() == true && !(drain.isCommitted && isDeleting))
    }

    /**
     * After the commit of a drained save, the next drain waits until older saves are deleted, so the shared store holds at most two
     * saves more than it keeps.
     */
    private val isDeleting: Boolean get() = ends.cleaning?.isUnderWay == true

    private val Save.isCommitted: Boolean get() = committed != null

    /** Adds [save], which the workers write; later meetings end it. */
    fun add(save: Save) {
        making = save
    }

    /**
     * Collective while a save is under way: the longest wait of the ranks, for which they make the same calls. Ranks with another [wait]
     * are refused later.
     */
    suspend fun longest(wait: Wait): Wait =
        if (isIdle) wait else Wait.entries[ranks.allReduce(wait.ordinal.toLong(), Math::max).toInt()]

    /** Collective: returns when a save may begin that waits as the [longest] wait of the ranks says. */
    suspend fun awaitTurn(longest: Wait) {
        if (longest == Wait.COMMITTED) sealed.rest()
        if (longest == Wait.COMMITTED) awaitIdle { it.requireNotFatal() }
        while (isBusy) await().forEach { it.requireNotFatal() }
    }

    /**
     * Collective: the next meeting of the saves under way for which the workers of all ranks are ready. Returns those that have ended.
     * Since the program waits, a drain runs at full speed: the job may be about to end.
     */
    suspend fun await(): List<Attempt> {
        val save = making ?: sealed.draining ?: return emptyList()
        if (making == null) save.hurry()
        val begin = TimeSource.Monotonic.markNow()
        var waitCount = 0
        val ofAll =
            ranks.awaitWorkers({ join(save) }, ::ready) {
                if (++waitCount % WAITS_PER_LOG_LINE == 0) ends.waiting(save)
            }
        save.addWaited(begin.elapsedNow())
        return meet(ofAll)
    }

    private suspend fun join(save: Save) {
        save.join()
        if (save === sealed.draining && save.isCommitted) ends.cleaning?.join()
    }

    /** Collective: the next meeting of the saves for which all ranks are [ready]. Returns those that have ended. */
    suspend fun meet(ready: Ready): List<Attempt> {
        val draining = sealed.draining
        val made = if (ready.making) making?.let { meetMaking(it) } else null
        // If only this rank timed out, the others will wait for it in their next meeting, where it must report its failure.
        if (made is Attempt.Unsuccessful && made.isFatal) return listOf(made)
        return listOfNotNull(made, if (ready.draining) draining?.let { meetDraining(it) } else null)
    }

    private suspend fun meetMaking(save: Save): Attempt? {
        val meeting = meetingOf(save)
        val met = meeting.getOrNull()
        if (met == Meeting.Held) return null
        making = null
        memory.clear()
        if (met == Meeting.Sealed) return null.also { learnOfSeal(save) }
        return endOf(save, meeting).also {
            if (it is Attempt.Committed) clearHosts(save) { save.numbered.sealedBefore.toSet() }
        }
    }

    private suspend fun meetDraining(save: Save): Attempt? {
        val meeting = meetingOf(save)
        if (meeting.getOrNull() == Meeting.Held) return null
        if (meeting.isSuccess) {
            val older = sealed.committed(save)
            supersede(older, save)
            discard(older + save)
        } else {
            sealed.failed()
        }
        drainNext()
        return endOf(save, meeting)
    }

    /**
     * Collective, when no save is under way: a restore has found the checkpoint [number]. If this program counts it as sealed, the restore
     * has completed it, or its drain has failed when it had its manifest already.
     */
    suspend fun found(number: Int) {
        val save = withdrawn(number) ?: return
        supersede(sealed.committed(save), save)
        ends.committedByRestore(save)
    }

    /** When no save is under way: a restore has given up the sealed save [number]. */
    fun lost(number: Int) {
        val save = withdrawn(number) ?: return
        sealed.lost(save)
        ends.lost(save)
    }

    /** The save [number] of this program, if it is sealed and not committed; it is not deleted as a superseded one any more. */
    private fun withdrawn(number: Int): Save? =
        (superseded + sealed.saves).find { it.number == number }?.also(superseded::remove)

    private suspend fun meetingOf(save: Save): Result<Meeting> {
        val meeting = runCatching { save.meet() }
        // The worker still uses the directory and the memory of the save, so the save stays under way.
        meeting.onFailure { if (it is CancellationException) throw it }
        return meeting
    }

    /** Collective: [save] has ended in this [meeting]. */
    private suspend fun endOf(save: Save, meeting: Result<Meeting>): Attempt =
        ends.end(save) { (meeting.getOrThrow() as Meeting.Committed).saved }

    private fun learnOfSeal(save: Save) {
        ends.sealed(save)
        supersede(sealed.add(save), save)
        drainNext()
    }

    /** A save has ended for whose commit the program has waited. If it is not committed, the next drain begins. */
    fun goOnDraining() {
        sealed.goOn()
        drainNext()
    }

    private fun drainNext() {
        sealed.next()?.drain()
    }

    /** Collective: returns when no save is under way. */
    suspend fun awaitIdle(onEnd: (Attempt) -> Unit) {
        while (!isIdle) await().forEach(onEnd)
    }

    /** Collective: returns when the save of [attempt] has ended, or when no save is under way. */
    suspend fun awaitEnd(attempt: Attempt) {
        while (attempt.latest is Attempt.UnderWay && !isIdle) await().forEach { it.requireNotFatal() }
    }

    private fun supersede(saves: List<Save>, newer: Save) {
        superseded += saves
        saves.forEach { ends.supersede(it, newer) }
    }

    /** The last of these [saves] is committed, so no restart needs the files of any of them on the hosts. */
    private fun discard(saves: List<Save>) {
        val numbers = saves.map { it.number }
        obsolete += numbers
        val disks = checkNotNull(context.local)
        context.worker.start {
            // Nothing waits for the result.
            runCatching { numbers.forEach(disks::discard) }.onFailure { LOG.log(WARNING, "${disks.saves}: $LEFT", it) }
        }
    }

    /** On the rank that owns the store: deletes superseded saves. If that fails, hosts keep what the store still has. */
    fun deleteSuperseded() = superseded.forEach { it.isDeleted() }

    /** On the rank that owns the store: whether no restart looks for this superseded save on the hosts any more. */
    private fun Save.isDeleted(): Boolean = checkNotNull(ends.cleaning).giveUp(numbered.inStore, "${attempt.outcome}")

    /** As [deleteSuperseded], by the worker. */
    suspend fun awaitSupersededDeleted() {
        if (superseded.isNotEmpty()) context.worker.await(::deleteSuperseded)
    }

    /** The rank that owns the store [has deleted][deleteSuperseded] the superseded saves. */
    fun forgetSuperseded() {
        superseded.clear()
        obsolete.clear()
    }

    /**
     * [save] is committed without having been on the hosts, so the sealed saves before it are obsolete. Hosts keep the saves that are
     * [inStore] besides. Collective.
     */
    suspend fun clearHosts(save: Save, inStore: suspend () -> Set<Int>) {
        val disks = context.local ?: return
        supersede(sealed.clear(), save)
        obsolete += superseded.map { it.number }
        val kept = inStore() - obsolete
        ranks.collectivelyInTime("delete saves from the local disks", context.worker) {
            disks.keepOnly(save.number, kept)
        }
    }

    /**
     * Collective: gives up sealed saves that are not being drained and are not the newest, to make room on the hosts. Returns whether
     * hosts may delete any.
     */
    suspend fun giveWay(): Boolean {
        val newest = sealed.newest ?: return false
        val stale = sealed.giveWay()
        if (stale.isEmpty()) return false
        supersede(stale, newest)
        val present =
            ranks.collectivelyInTime("give up superseded saves", context.worker) {
                if (ends.cleaning == null) 0 else stale.count { !it.isDeleted() }
            }
        // Their hosts keep the files of all of them if the store still has any.
        if (ranks.allReduce(present.toLong(), Math::max) > 0) return false
        obsolete += stale.map { it.number }
        return true
    }

    /** Not collective: ends the saves under way without a meeting, since the program ends. */
    fun giveUp() {
        val saves = sealed.pending + listOfNotNull(making)
        making = null
        sealed.clear()
        saves.forEach(Save::giveUp)
        saves.forEach(ends::conclude)
        context.worker.giveUp()
    }
}

private const val LEFT = "the files of obsolete saves could not be deleted. The next start tries again"
private val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)

/** The log gets a line every ten seconds. */
private const val WAITS_PER_LOG_LINE = 10
