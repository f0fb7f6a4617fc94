package dev.cairn.save

import dev.cairn.concentrate.SentPart
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.multifile.RankResult
import dev.cairn.multifile.TaskWriting
import dev.cairn.node.CopyExchange
import dev.cairn.node.HOST_COMPLETION
import dev.cairn.ranks.answerAll
import dev.cairn.ranks.answerEach
import dev.cairn.ranks.together
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlin.time.Duration

/**
 * A save along its [Route], from the write to the commit. Read it from top to bottom: each meeting is a function, which gets the result
 * of this rank's work since the last meeting, and starts the work until the next one. [Saver] plans and begins the save. Every rank has
 * one, which belongs to the coroutine of its rank. [untilCommitted] or `SavesUnderWay` drives it: it joins this rank's work and meets,
 * again and again; each meeting sets the next one.
 *
 * @param written the result of this rank's write
 * @param sent the part that a dedicated rank writes for this one
 */
internal class Save(
    private val context: SaveContext,
    private val planned: PlannedSave,
    private val readBack: ReadBack,
    private val written: Deferred<Result<RankResult>>,
    private val sent: SentPart?,
    waited: Duration,
) {
    val numbered: NumberedSave = planned.numbered
    val number: Int = numbered.number
    private val route = planned.route
    private val writing = planned.writing
    private val ranks = context.ranks
    private val worker = context.worker
    private val durability = writing.durability
    private val stages = Stages(context, inBackground = route !is Route.Direct, waited)

    /** On rank 0, once all ranks have written. */
    @Volatile var complete: CompleteSave? = null
        private set

    /** The file that this rank keeps on its host; null if it keeps none. */
    @Volatile private var hostFile: HostFile? = null
    private var mayBeSealed = false

    /** The committed save, on rank 0; null before the commit, and on the other ranks. */
    @Volatile var committed: Saved? = null
        private set

    /** The result of the program's call, or the progress so far; for the program when that call has returned. */
    var attempt: Attempt = underWay(numbered.position.run { SaveOutcome.Copied(number, step, phase) })

    /** As [committed], when the ranks do not meet any more. */
    val committedUnmet: Saved?
        get() = if (route is Route.Direct) committed else committed?.after(stages.waitedBefore)

    /** Whether a restart completes the save from the disks of its hosts. */
    val seal: Seal
        get() =
            when {
                attempt.outcome is SaveOutcome.Sealed -> Seal.KNOWN
                mayBeSealed -> Seal.POSSIBLE
                else -> Seal.NONE
            }

    init {
        stages.after(written, ::gather)
    }

    // All ranks have written. Rank 0 completes the multifile, and commits it if it is in the shared store.

    private suspend fun gather(own: Result<RankResult>): Meeting {
        val ending = writing.gather(own)
        if (route is Route.Local) return stages.after(stages.onRoot(ending, ::complete), ::shareMeta)
        if (route is Route.Direct && readBack.isDue) return stages.after(stages.onRoot(ending, ::readable), ::readBack)
        return stages.after(stages.onRoot(ending) { commit(complete(it)) }, ::learnOfCommit)
    }

    private fun complete(ending: TaskWriting.Ending) =
        planned.rootWriting.complete(ending, planned.rankWriting).also { complete = it }

    private fun readable(ending: TaskWriting.Ending) = readBack.readable(complete(ending), writing.path)

    private suspend fun readBack(ofRoot: Result<ReadableSave?>): Meeting {
        readBack.run(writing.use { ranks.answerAll("complete the multifile", READABLE_SAVE, ofRoot) }, writing.path)
        return stages.after(stages.onRoot(Result.success(complete), ::commit), ::learnOfCommit)
    }

    private fun commit(complete: CompleteSave): Saved {
        numbered.inStore.commit(complete.stored)
        return committed(complete)
    }

    private fun committed(complete: CompleteSave): Saved =
        complete.saved(numbered.begin.elapsedNow()).also { committed = it }

    private suspend fun learnOfCommit(ofRoot: Result<Saved?>): Meeting {
        // For a direct save the program has waited all the time.
        val own = if (route is Route.Direct) ofRoot else ofRoot.map { it?.after(stages.waited) }
        return Meeting.Committed(writing.use { ranks.answerAll("commit the save", SAVED, own) })
    }

    // The multifile is on the hosts, except for meta data that only rank 0 can compute. The keepers complete and force their hosts' files.

    private suspend fun shareMeta(ofRoot: Result<CompleteSave?>): Meeting {
        val ofHosts = ofRoot.mapCatching { it?.let(::completions) }
        val completion = ranks.answerEach("share the meta data", HOST_COMPLETION, ofHosts)
        if (disks.hosts.isKeeper) hostFile = HostFile(context, number, disks, completion, durability)
        return stages.after(stages.ifGiven(hostFile) { it.complete() }) { copy(it, 0, completion.largest) }
    }

    private fun completions(complete: CompleteSave) =
        disks.hosts.completions(making.meta, complete.manifestBytes, ranks.size)

    /** The window at [position] of files of at most [largest] bytes is [ready] on all hosts. */
    private suspend fun copy(ready: Result<Unit>, position: Long, largest: Long): Meeting {
        if (position >= largest) return seal(ready)
        ranks.together("copy files to other hosts", ready)
        val next = hostFile?.exchange(position)
        return stages.after(stages.ifGiven(next) { it() }) { copy(it, position + CopyExchange.WINDOW_SIZE, largest) }
    }

    // All files are complete on their hosts. Rank 0 seals the save by a note in the shared store.

    private suspend fun seal(completed: Result<Unit>): Meeting {
        ranks.together("complete the files of the hosts", completed)
        mayBeSealed = true
        val sealing =
            stages.onRoot(Result.success(complete)) {
                numbered.inStore.seal(
                    it.manifest,
                    disks.hosts.placesOf(making.meta, disks.saves),
                )
            }
        return stages.after(sealing, ::learnOfSeal)
    }

    private suspend fun learnOfSeal(sealed: Result<Unit?>): Meeting {
        ranks.together("seal the save", sealed)
        attempt = underWay(numbered.position.run { SaveOutcome.Sealed(number, step, phase) })
        written.closeAfterwards(writing)
        return Meeting.Sealed
    }

    // When its turn comes, the keepers drain the files of a sealed save into the shared store, where rank 0 commits it.

    fun drain() {
        stages.after(stages.ifGiven(hostFile) { it.drain() }, ::commitDrained)
    }

    /** Lets the drain run as fast as it can. */
    fun hurry() = hostFile?.hurry()

    private suspend fun commitDrained(drained: Result<Unit>): Meeting {
        ranks.together("drain the save", drained)
        val committing =
            stages.onRoot(Result.success(complete)) {
                context.requireDrained(it.manifest)
                commit(it)
            }
        return stages.after(committing, ::learnOfCommit)
    }

    // Or a restore completes a sealed save while the program runs, and commits it.

    /** Collective: returns when all ranks know of the commit. */
    suspend fun committedByRestore(): Saved {
        stages.after(CompletableDeferred(Result.success(complete?.let(::committed))), ::learnOfCommit)
        return (meet() as Meeting.Committed).saved
    }

    // Functions for the program's thread.

    /** Whether this rank's work for the next meeting is done. Does not wait. */
    suspend fun isReady(): Boolean {
        sent?.look()
        return stages.isReady
    }

    /** The program has also waited [time] between two meetings. */
    fun addWaited(time: Duration) = stages.addWaited(time)

    /** Waits until it [isReady]. */
    suspend fun join() {
        sent?.join()
        stages.join()
    }

    /** Collective: returns when the save is committed, for which the program waits. */
    suspend fun untilCommitted(): Saved {
        while (true) {
            stages.joinInTime()
            (meet() as? Meeting.Committed)?.let { return it.saved }
        }
    }

    /** Collective, and quick if all ranks are ready: the next meeting. If it throws, the save has ended. */
    suspend fun meet(): Meeting = stages.meet()

    /** Ends the worker without a meeting. A commit that has begun ends first. */
    fun giveUp() {
        worker.giveUp()
        sent?.giveUp()
        close()
    }

    /** Releases the resources of a failed save as soon as this rank's worker is done. */
    fun close() {
        written.closeAfterwards(writing)
        stages.closeAfterwards { hostFile?.close() }
    }

    private fun underWay(outcome: SaveOutcome.UnderWay): Attempt = Attempt.UnderWay(outcome) { attempt }

    private val disks get() = (route as Route.Local).disks
    private val making get() = (route as Route.Local).making
}
