package dev.cairn.save

import dev.cairn.comm.answerAll
import dev.cairn.comm.together
import dev.cairn.local.DrainPace
import dev.cairn.local.Draining
import dev.cairn.local.HostCompletion
import dev.cairn.local.LocalDisks
import dev.cairn.store.ManifestFormat
import kotlin.time.Duration

/**
 * Brings a sealed save from the disks of its hosts into the shared store. After [begin] the keepers drain their files. The meetings, and
 * what the workers do after each:
 *
 * 1. All files are drained. Rank 0 commits.
 * 2. The save is committed. The hosts need not keep their files any more.
 */
internal class SealedDrain(
    private val context: SaveContext,
    private val disks: LocalDisks,
    private val save: BegunSave,
    private val completion: HostCompletion?,
    private val concluded: ConcludedSave?,
    private val conclusion: Conclusion,
    waited: Duration,
) : SaveUnderWay {
    private val ranks = context.ranks
    private val worker = context.worker
    private val pace = DrainPace(context.options.drainRate)
    private val stages = Stages(context, waited)

    @Volatile override var committed: CommittedSave? = null
        private set

    override suspend fun isReady() = stages.isReady

    override suspend fun join() = stages.join()

    override suspend fun meet(): Meeting = stages.meet()

    /** Lets the drain run as fast as it can. */
    fun hurry() = pace.lift()

    fun begin() {
        stages.after(stages.ifGiven(completion, ::drain), ::commit)
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
        ) {
            worker.pause()
            pace.spend(it)
        }.copyTo(target)
    }

    private suspend fun commit(drained: Result<Unit>): Meeting {
        ranks.together("drain the save", drained)
        val committing =
            stages.onRoot(Result.success(concluded)) {
                val concluded = checkNotNull(it)
                context.requireDrained(concluded.manifest)
                conclusion.commit(concluded.manifest)
                concluded.committed().also { save -> committed = save }
            }
        return stages.after(committing, ::learnOfCommit)
    }

    private suspend fun learnOfCommit(ofRoot: Result<CommittedSave?>): Meeting {
        val own = ofRoot.map { it?.after(stages.waited) }
        return Meeting.Committed(ranks.answerAll("save", COMMITTED_SAVE, own))
    }

    override fun giveUp() = worker.giveUp()

    /** The save stays on its hosts, for a restart. */
    override fun close() = Unit
}
