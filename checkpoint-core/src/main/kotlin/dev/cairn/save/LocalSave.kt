package dev.cairn.save

import dev.cairn.comm.NOTHING
import dev.cairn.comm.ROOT
import dev.cairn.local.Draining
import dev.cairn.local.HOST_COMPLETION
import dev.cairn.local.HostCompletion
import dev.cairn.local.LocalDisks
import dev.cairn.local.MakingByHosts
import dev.cairn.multifile.task.RankResult
import dev.cairn.multifile.task.TaskWriting
import dev.cairn.multifile.task.settleOnce
import dev.cairn.store.ManifestFormat
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import java.nio.ByteBuffer
import kotlin.time.Duration
import kotlin.time.TimeSource

/**
 * A save whose workers write to the disks of their hosts; from there the files are drained into the store that all ranks share. The
 * meetings, and what the workers do after each:
 *
 * 1. The ranks bring what they have written. Rank 0 completes the index, and computes the meta data of all files.
 * 2. The keepers get the meta data; each completes and forces its host's file.
 * 3. All files are complete. Rank 0 seals the save, by a note in the shared store.
 * 4. The save is sealed. The keepers drain their files.
 * 5. All files are drained. Rank 0 commits.
 * 6. The save is committed. The keepers delete their files.
 */
internal class LocalSave(
    private val context: SaveContext,
    private val disks: LocalDisks,
    private val save: BegunSave,
    private val writing: TaskWriting,
    private val written: Deferred<Result<RankResult>>,
    private val complete: (TaskWriting.Ending) -> ConcludedSave,
    private val making: MakingByHosts,
    private val conclusion: Conclusion,
    private var waited: Duration,
) : SaveUnderWay {
    private val ranks = context.ranks
    private val worker = context.worker
    private var work: Deferred<*> = written
    private var next: suspend () -> Meeting = { gather(written.await()) }
    private var meetingBegin = TimeSource.Monotonic.markNow()

    /** Only on rank 0. */
    private var concluded: ConcludedSave? = null

    /** Of this rank's file; null if it keeps none. */
    private var completion: HostCompletion? = null

    private var mayBeSealed = false

    @Volatile override var committed: CommittedSave? = null
        private set

    override val isReady: Boolean get() = work.isCompleted

    override suspend fun join() = work.join()

    override suspend fun meet(): Meeting {
        meetingBegin = TimeSource.Monotonic.markNow()
        return next().also { waited += meetingBegin.elapsedNow() }
    }

    private suspend fun gather(own: Result<RankResult>): Meeting {
        val ending = writing.gather(own)
        after(onRoot(ending) { it?.let(complete) }, ::share)
        return Meeting.Held
    }

    private suspend fun share(ofRoot: Result<ConcludedSave?>): Meeting {
        concluded = ofRoot.getOrNull()
        val message = ranks.scatter(ROOT, if (ranks.rank == ROOT) completions() else null)
        if (!message.hasRemaining()) ranks.settleOnce("save", ofRoot.exceptionOrNull())
        completion = HOST_COMPLETION.decode(message).takeIf { disks.hosts.isKeeper }
        after(onKeepers { worker.run { disks.complete(save.number, it, save.spec.forcePolicy()) } }, ::seal)
        return Meeting.Held
    }

    /** Empty messages if a rank has failed. */
    private fun completions(): List<ByteBuffer> {
        val concluded = concluded ?: return List(ranks.size) { NOTHING }
        val manifest = ByteBuffer.wrap(ManifestFormat.encode(concluded.manifest))
        val ofKeepers =
            disks.hosts.keepers
                .zip(making.meta)
                .toMap()
        return List(ranks.size) { rank ->
            HOST_COMPLETION.encode(ofKeepers[rank]?.let { HostCompletion(it, manifest) } ?: HostCompletion.NONE)
        }
    }

    private suspend fun seal(completed: Result<Unit>): Meeting {
        ranks.settle("complete the files of the hosts", completed.exceptionOrNull())
        mayBeSealed = true
        after(onRoot { conclusion.seal(it.manifest, disks.hosts.placesOf(making.meta, disks.saves)) }, ::learnOfSeal)
        return Meeting.Held
    }

    private suspend fun learnOfSeal(sealed: Result<Unit?>): Meeting {
        ranks.settle("seal the save", sealed.exceptionOrNull())
        after(onKeepers { drain(it) }, ::commit)
        return Meeting.Sealed
    }

    private suspend fun drain(completion: HostCompletion) {
        val manifest = ManifestFormat.decode(context.directory, completion.manifestBytes).manifest
        val source = disks.saves.file(save.number, completion.meta.name)
        val target = save.spec.path().resolveSibling(completion.meta.name)
        val checksum = completion.meta.checksum
        Draining(
            context.files,
            source,
            manifest,
            checksum,
            context.pool,
            save.spec.forcePolicy(),
            worker::pause,
        ).copyTo(target)
    }

    private suspend fun commit(drained: Result<Unit>): Meeting {
        ranks.settle("drain the save", drained.exceptionOrNull())
        val committing =
            onRoot {
                context.requireDrained(it.manifest)
                conclusion.commit(it.manifest)
                it.committed().also { save -> committed = save }
            }
        after(committing, ::learnOfCommit)
        return Meeting.Held
    }

    private suspend fun learnOfCommit(ofRoot: Result<CommittedSave?>): Meeting {
        val time = waited + meetingBegin.elapsedNow()
        val own = ofRoot.map { if (it == null) NOTHING else COMMITTED_SAVE.encode(it.after(time)) }
        val committed = writing.use { COMMITTED_SAVE.decode(it.answer("save", own)) }
        onKeepers { disks.discard(save.number) }
        return Meeting.Committed(committed)
    }

    /** The [next] meeting gets the result of this rank's [work]. */
    private fun <T> after(
        work: Deferred<T>,
        next: suspend (T) -> Meeting,
    ) {
        this.work = work
        this.next = { next(work.await()) }
    }

    /** Lets rank 0's worker do [step] as one piece; nothing on the other ranks. */
    private fun <T> onRoot(step: (ConcludedSave) -> T): Deferred<Result<T?>> =
        onRoot(Result.success(concluded)) { step(checkNotNull(it)) }

    /** As above, with what this rank was [given]; if that is a failure, it is the result. */
    private fun <A, B> onRoot(
        given: Result<A>,
        step: (A) -> B,
    ): Deferred<Result<B?>> {
        if (ranks.rank != ROOT || given.isFailure) return CompletableDeferred(given.map { null })
        return worker.start { worker.run { step(given.getOrThrow()) } }
    }

    private fun onKeepers(step: suspend (HostCompletion) -> Unit): Deferred<Result<Unit>> {
        val own = completion ?: return CompletableDeferred(Result.success(Unit))
        return worker.start { step(own) }
    }

    override fun giveUp() {
        worker.giveUp()
        written.closeAfterwards(writing)
    }

    /** What may be sealed stays on its hosts, for a restart. */
    override fun close() {
        written.closeAfterwards(writing)
        if (!mayBeSealed) disks.discard(save.number)
    }
}
