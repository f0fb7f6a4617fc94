package dev.cairn.save

import dev.cairn.comm.answerAll
import dev.cairn.comm.answerEach
import dev.cairn.comm.largest
import dev.cairn.comm.together
import dev.cairn.concentrate.SentPart
import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.multifile.RankResult
import dev.cairn.multifile.TaskWriting
import dev.cairn.node.CopyExchange
import dev.cairn.node.DrainPace
import dev.cairn.node.Draining
import dev.cairn.node.HOST_COMPLETION
import dev.cairn.node.HostCompletion
import dev.cairn.node.LocalDisks
import dev.cairn.node.MakingByHosts
import dev.cairn.sion.MultifileMeta
import dev.cairn.store.ManifestFormat
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import java.lang.System.Logger.Level.WARNING
import java.nio.ByteBuffer
import kotlin.time.Duration

/**
 * A save along its [Route], from the write to the commit. Read it from top to bottom: each meeting is a function, which gets the result
 * of this rank's work since the last meeting, and starts the work until the next one. [Saver] plans and begins the save. Every rank has
 * one, which belongs to the coroutine of its rank.
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
    private val save = planned.save
    private val number = save.number
    private val route = planned.route
    private val writing = planned.writing
    private val ranks = context.ranks
    private val worker = context.worker
    private val durability = writing.durability
    private val stages = Stages(context, inBackground = route !is Route.Direct, waited)

    /** On rank 0, once all ranks have written. */
    @Volatile var complete: CompleteSave? = null
        private set

    /** For the file that this rank keeps on its host; null if it keeps none. */
    private var ofHost: HostCompletion? = null

    /** The size of the largest file that is copied to other hosts; 0 if none is. */
    private var largest = 0L

    @Volatile private var copying: CopyExchange? = null

    /** The write of the last received window. */
    private var copied: Deferred<Result<Unit>> = CompletableDeferred(Result.success(Unit))
    private val pace = DrainPace(context.options.drainRate)

    /** The committed save, on rank 0; null before the commit, and on the other ranks. */
    @Volatile var committed: Saved? = null
        private set

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

    private fun readable(ending: TaskWriting.Ending): ReadableSave {
        val complete = complete(ending)
        val manifest = ByteBuffer.wrap(ManifestFormat.encode(complete.manifest))
        return ReadableSave(manifest, complete.contents, MultifileMeta.read(context.files, writing.path).bytes())
    }

    private suspend fun readBack(ofRoot: Result<ReadableSave?>): Meeting {
        readBack.run(writing.use { it.answer("complete the multifile", READABLE_SAVE, ofRoot) }, writing.path)
        return stages.after(stages.onRoot(Result.success(complete), ::commit), ::learnOfCommit)
    }

    private fun commit(complete: CompleteSave): Saved {
        save.inStore.commit(complete.manifest)
        return complete.saved(save.begin.elapsedNow()).also { committed = it }
    }

    private suspend fun learnOfCommit(ofRoot: Result<Saved?>): Meeting {
        // For a direct save the program has waited all the time.
        val own = if (route is Route.Direct) ofRoot else ofRoot.map { it?.after(stages.waited) }
        return Meeting.Committed(writing.use { ranks.answerAll("commit the save", SAVED, own) })
    }

    // The multifile is on the hosts, except for meta data that only rank 0 can compute. The keepers complete and force their hosts' files.

    private suspend fun shareMeta(ofRoot: Result<CompleteSave?>): Meeting {
        val ofHosts = ofRoot.mapCatching { it?.let(::completions) }
        val completion = ranks.answerEach("share the meta data", HOST_COMPLETION, ofHosts)
        largest = completion.largest
        ofHost = completion.takeIf { disks.hosts.isKeeper }
        val completing =
            stages.ifGiven(ofHost) {
                worker.run {
                    disks.complete(number, it, durability)
                    if (largest > 0) beginCopies(it) else disks.markComplete(number, it)
                }
            }
        return stages.after(completing) { if (largest > 0) exchange(it, 0) else seal(it) }
    }

    private fun completions(complete: CompleteSave): List<HostCompletion> {
        val manifest = ByteBuffer.wrap(ManifestFormat.encode(complete.manifest))
        return disks.hosts.completions(making.meta, manifest, ranks.size)
    }

    // The keepers copy the files to other hosts, window by window. One window may be written while the next one is exchanged.

    private fun beginCopies(completion: HostCompletion) {
        copying = disks.copy(number, completion).also { it.read(0) }
    }

    /** The window at [position] is [ready] on all hosts. */
    private suspend fun exchange(
        ready: Result<Unit>,
        position: Long,
    ): Meeting {
        ranks.together("copy files to other hosts", ready)
        val received = copying?.exchange(ranks, position).orEmpty()
        val before = copied
        val writing = stages.ifGiven(copying) { worker.run { it.write(received, position) } }
        copied = writing
        val next = position + CopyExchange.WINDOW_SIZE
        val preparing =
            stages.ifGiven(copying) {
                before.await().getOrThrow()
                if (next < largest) return@ifGiven worker.run { it.read(next) }
                writing.await().getOrThrow()
                worker.run { endCopies(it) }
            }
        return stages.after(preparing) { if (next < largest) exchange(it, next) else seal(it) }
    }

    private fun endCopies(copies: CopyExchange) {
        copies.end(durability)
        copying = null
        disks.markComplete(number, checkNotNull(ofHost))
    }

    // All files are complete on their hosts. Rank 0 seals the save by a note in the shared store.

    private suspend fun seal(completed: Result<Unit>): Meeting {
        ranks.together("complete the files of the hosts", completed)
        save.isUnsealedOnHosts = false
        val sealing =
            stages.onRoot(Result.success(complete)) {
                save.inStore.seal(it.manifest, disks.hosts.placesOf(making.meta, disks.saves))
            }
        return stages.after(sealing, ::learnOfSeal)
    }

    private suspend fun learnOfSeal(sealed: Result<Unit?>): Meeting {
        ranks.together("seal the save", sealed)
        written.closeAfterwards(writing)
        return Meeting.Sealed
    }

    // When its turn comes, the keepers drain the files of a sealed save into the shared store, where rank 0 commits it.

    fun drain() {
        stages.after(stages.ifGiven(ofHost, ::drain), ::commitDrained)
    }

    /** Lets the drain run as fast as it can. */
    fun hurry() = pace.lift()

    private suspend fun drain(completion: HostCompletion) {
        val manifest = ManifestFormat.decode(context.directory, completion.manifestBytes).manifest
        val (name, checksum) = completion.meta.run { name to checksum }
        val source = disks.saves.file(number, name)
        Draining(context.files, source, manifest, checksum, context.pool, durability) {
            worker.pause()
            pace.spend(it)
        }.copyTo(writing.path.resolveSibling(name))
    }

    private suspend fun commitDrained(drained: Result<Unit>): Meeting {
        ranks.together("drain the save", drained)
        val committing =
            stages.onRoot(Result.success(complete)) {
                context.requireDrained(it.manifest)
                commit(it)
            }
        return stages.after(committing, ::learnOfCommit)
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
        try {
            while (true) {
                join()
                (meet() as? Meeting.Committed)?.let { return it.saved }
            }
        } catch (failure: Throwable) {
            close()
            throw failure
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
        stages.closeAfterwards { copied.closeAfterwards { copying?.close() } }
    }

    private val disks: LocalDisks get() = (route as Route.Local).disks
    private val making: MakingByHosts get() = (route as Route.Local).making
}

/** Closes [files] when this work has ended: they are forced already, or the save has failed. */
internal fun Deferred<*>.closeAfterwards(files: AutoCloseable) {
    invokeOnCompletion {
        try {
            files.close()
        } catch (failure: Exception) {
            // An exception here would be thrown in the coroutine that completes the work.
            LOG.log(WARNING, "a file of a save could not be closed", failure)
        }
    }
}

private fun Saved.after(waited: Duration) =
    Saved(number, step, phase, byteCount, time, slowestRank, slowestTime, waited)

private val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
