package dev.cairn.run

import dev.cairn.comm.allReduce
import dev.cairn.comm.collectively
import dev.cairn.options.Wait
import dev.cairn.save.Attempt
import dev.cairn.save.Meeting
import dev.cairn.save.OpenSave
import dev.cairn.save.Save
import dev.cairn.save.SaveContext
import kotlinx.coroutines.CancellationException
import kotlin.time.TimeSource

/**
 * The saves that are written or drained while the program goes on: meetings bring them to their ends. The same on all ranks, but for
 * their workers.
 */
internal class SavesUnderWay(
    private val context: SaveContext,
    private val ends: SaveEnds,
    private val memory: SnapshotRoom,
) {
    private val ranks = context.ranks
    private var making: OpenSave? = null
    private val sealed = SealedSaves<OpenSave>(context.options.drain, context.options.localKeep)

    /** Sealed saves that newer ones have superseded, and that the store still holds. */
    private val superseded = mutableListOf<OpenSave>()
    private val drained = mutableListOf<OpenSave>()

    val isMaking: Boolean get() = making != null

    /** Whether no save is under way. */
    val isIdle: Boolean get() = making == null && sealed.pending.isEmpty()

    /** Whether a save that begins now would wait for another one. */
    val isBusy: Boolean get() = making != null || (context.local != null && sealed.isFull)

    /** Why a save that does not wait is not made. */
    val business: String
        get() {
            val other = checkNotNull(making ?: sealed.draining)
            val present = if (making != null) "written" else "drained"
            return "save ${other.number}, step ${other.position.step}, is still being $present, and when-busy is skip"
        }

    /** For which work this rank would not wait in [meet]. */
    suspend fun ready(): Ready {
        val drain = sealed.draining?.work
        return Ready(making?.work?.isReady() == true, drain?.isReady() == true && !(drain.isCommitted && isDeleting))
    }

    /**
     * Where a drained save is committed, the next drain waits until older saves are deleted: so the shared store holds two saves more than
     * it keeps at most.
     */
    private val isDeleting: Boolean get() = ends.cleaning?.isUnderWay == true

    private val Save.isCommitted: Boolean get() = committed != null

    /** The workers write [save]; meetings bring it to its end. */
    fun add(save: OpenSave) {
        making = save
    }

    /** Collective: returns when a save may begin after which the program waits as [wait] says. */
    suspend fun awaitTurn(wait: Wait) {
        // The ranks may differ in it, and are refused for that later.
        val longest = if (isIdle) wait else Wait.entries[ranks.allReduce(wait.ordinal.toLong(), Math::max).toInt()]
        if (longest == Wait.COMMITTED) sealed.rest()
        if (longest == Wait.COMMITTED) awaitIdle { it.requireNotFatal() }
        while (isBusy) await().forEach { it.requireNotFatal() }
        ends.cleaning?.awaitTurn()
    }

    /**
     * Collective: the next meeting of the saves under way for which the workers of all ranks are ready. Returns those that have ended. The
     * program waits, so a drain that it waits for goes as fast as it can: the job may be about to end.
     */
    suspend fun await(): List<Attempt> {
        val save = making ?: sealed.draining ?: return emptyList()
        if (making == null) save.work.hurry()
        val begin = TimeSource.Monotonic.markNow()
        var waitCount = 0
        val ofAll =
            ranks.awaitWorkers({ join(save.work) }, ::ready) {
                if (++waitCount % WAITS_UNTIL_TOLD == 0) ends.waiting(save)
            }
        save.work.addWaited(begin.elapsedNow())
        return meet(ofAll)
    }

    private suspend fun join(work: Save) {
        work.join()
        if (work === sealed.draining?.work && work.isCommitted) ends.cleaning?.join()
    }

    /** Collective: the next meeting of the saves for which all ranks are [ready]. Returns those that have ended. */
    suspend fun meet(ready: Ready): List<Attempt> {
        val draining = sealed.draining
        val made = if (ready.making) making?.let { meetMaking(it) } else null
        // One rank alone may have missed others, which miss it in the next meeting, and must receive its failure report.
        if (made is Attempt.Unsuccessful && made.isFatal) return listOf(made)
        return listOfNotNull(made, if (ready.draining) draining?.let { meetDraining(it) } else null)
    }

    private suspend fun meetMaking(save: OpenSave): Attempt? {
        val meeting = meetingOf(save)
        val met = meeting.getOrNull()
        if (met == Meeting.Held) return null
        making = null
        memory.clear()
        if (met == Meeting.Sealed) return null.also { learnOfSeal(save) }
        return endOf(save, meeting).also {
            if (it is Attempt.Committed) clearHosts(save) { save.sealedBefore.toSet() }
        }
    }

    private suspend fun meetDraining(save: OpenSave): Attempt? {
        val meeting = meetingOf(save)
        if (meeting.getOrNull() == Meeting.Held) return null
        if (meeting.isSuccess) {
            supersede(sealed.committed(), save)
            drained += save
            discardGone()
        } else {
            sealed.failed()
        }
        drainNext()
        return endOf(save, meeting)
    }

    private suspend fun meetingOf(save: OpenSave): Result<Meeting> {
        val meeting = runCatching { save.work.meet() }
        // The worker still uses the directory and the memory of the save, so it stays under way.
        meeting.onFailure { if (it is CancellationException) throw it }
        return meeting
    }

    /** Collective: [save] has come to its end in this [meeting]. */
    private suspend fun endOf(
        save: OpenSave,
        meeting: Result<Meeting>,
    ): Attempt {
        meeting.onFailure { save.work.close() }
        return ends.end(save) { (meeting.getOrThrow() as Meeting.Committed).saved }
    }

    private fun learnOfSeal(save: OpenSave) {
        ends.sealed(save)
        supersede(sealed.add(save), save)
        drainNext()
    }

    private fun drainNext() {
        sealed.next()?.work?.drain()
    }

    /** Collective: returns when no save is under way. */
    suspend fun awaitIdle(onEnd: (Attempt) -> Unit) {
        while (!isIdle) await().forEach(onEnd)
    }

    private fun supersede(
        saves: List<OpenSave>,
        newer: OpenSave,
    ) {
        superseded += saves
        saves.forEach { ends.supersede(it, newer) }
    }

    /** A save is committed, so no restart looks for it on the hosts, or for those that it supersedes. */
    private fun discardGone() {
        val numbers = goneNumbers
        val disks = checkNotNull(context.local)
        context.worker.start { numbers.forEach(disks::discard) }
    }

    /** On the rank that owns the store: after this no restart looks for them on the hosts, so these may delete them. */
    fun deleteSuperseded() = superseded.forEach { ends.cleaning?.giveUp(it.inStore, "${it.attempt?.outcome}") }

    /** The rank that owns the store [has deleted][deleteSuperseded] what is superseded. */
    fun forgetSuperseded() {
        superseded.clear()
        drained.clear()
    }

    /**
     * [save] is committed, and was on no host: the sealed saves before it are of no use any more. Hosts keep those that are [inStore]
     * besides.
     */
    suspend fun clearHosts(
        save: OpenSave,
        inStore: suspend () -> Set<Int>,
    ) {
        val disks = context.local ?: return
        supersede(sealed.clear(), save)
        disks.keepOnly((inStore() - goneNumbers).toList())
    }

    /**
     * Collective: gives up sealed saves that are not drained, and older than another one, since hosts have no room. Returns whether there
     * were any.
     */
    suspend fun giveWay(): Boolean {
        val newest = sealed.newest ?: return false
        val stale = sealed.giveWay()
        if (stale.isEmpty()) return false
        supersede(stale, newest)
        ranks.collectively("give up superseded saves") { deleteSuperseded() }
        return true
    }

    /** The saves that are superseded, or that were drained since the last save has begun: hosts need not keep them. */
    val goneNumbers: Set<Int> get() = (superseded + drained).map { it.number }.toSet()

    /** On each rank by itself: ends the saves under way without a meeting, since the program ends. */
    fun giveUp() {
        val saves = sealed.pending + listOfNotNull(making)
        making = null
        sealed.clear()
        saves.forEach { it.work.giveUp() }
        saves.forEach(ends::conclude)
        context.worker.giveUp()
    }
}

/** A line every ten seconds is enough. */
private const val WAITS_UNTIL_TOLD = 10
