package dev.cairn

import dev.cairn.checkpoint.checkpointStore
import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointEvent.ProgramEnd
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.Events
import dev.cairn.event.ExitCode
import dev.cairn.event.RankFailedException
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.event.requireDeclared
import dev.cairn.event.sentence
import dev.cairn.event.withTypedFailures
import dev.cairn.item.GivenSeeds
import dev.cairn.item.StateItem
import dev.cairn.item.isDropped
import dev.cairn.options.Start
import dev.cairn.options.Wait
import dev.cairn.options.WhenBusy
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.clock
import dev.cairn.ranks.collectively
import dev.cairn.ranks.requirePresent
import dev.cairn.restore.Choice
import dev.cairn.restore.Found
import dev.cairn.restore.Matching
import dev.cairn.restore.RestoreContext
import dev.cairn.restore.Restorer
import dev.cairn.restore.find
import dev.cairn.restore.flawOf
import dev.cairn.restore.match
import dev.cairn.restore.requireUndone
import dev.cairn.run.Heartbeat
import dev.cairn.run.JobQuestion
import dev.cairn.run.OneCall
import dev.cairn.run.Outputs
import dev.cairn.run.Ready
import dev.cairn.run.RestartCheck
import dev.cairn.run.RunRequest
import dev.cairn.run.SaveSchedule
import dev.cairn.run.SaveStatistics
import dev.cairn.run.Saving
import dev.cairn.run.SealedCompletion
import dev.cairn.run.ShownProgress
import dev.cairn.run.TriedFiles
import dev.cairn.run.compareOrder
import dev.cairn.run.readWitnesses
import dev.cairn.run.readyOnAll
import dev.cairn.save.Attempt
import dev.cairn.save.LoopPosition
import dev.cairn.save.SaveContext
import dev.cairn.save.requireListable
import dev.cairn.store.Manifest
import dev.cairn.store.OwnedStore
import dev.cairn.store.Verdict
import dev.cairn.store.inform
import java.io.IOException
import java.lang.System.Logger.Level.WARNING

/**
 * The checkpoints of a program: its ranks [save] into them and [restore] from them, all together. Made by
 * [checkpoints]; belongs to the coroutine of its rank. Rank 0 holds the store's lock until [close].
 *
 * @property betweenSteps the communicator of meetings between two steps, which have the program's own limit: its ranks may need
 *   longer for a step than for a call of a save
 * @property shown the line on the terminal, on rank 0, if there is one; closed by [close]
 */
public class Checkpoints internal constructor(
    private val context: SaveContext,
    private val owned: OwnedStore?,
    private val events: Events,
    private val betweenSteps: Communicator,
    internal val shown: ShownProgress?,
) : AutoCloseable {
    internal val ranks = context.ranks
    internal val directory = context.directory
    internal val options = context.options
    internal val files = context.files
    private val store = checkpointStore(context.files, directory)
    private val restartCheck = if (context.options.checkRestart) RestartCheck(context, store) else null
    private val saving = Saving(context, owned, events, restartCheck)
    private val completion = SealedCompletion(context, owned)
    private val heartbeat = owned?.let(::Heartbeat)
    private val jobQuestion = JobQuestion(ranks, context.options)
    private var start = context.options.triggers.start
    private var hasRestored = false

    /** A restore has begun to change the state, and none has succeeded since: the state belongs to no single step. */
    private var isTorn = false
    private var ownLoop: OwnLoop? = null

    /** Where the program stands after its last restore; null if there was none, or if its loop has begun there. */
    internal var loopStart: LoopStart? = null
        private set
    private val oneCall = OneCall(directory)
    private val passedOver = mutableSetOf<Int>()
    private val outputs = Outputs(ranks, context.items, owned)
    private val trial = (context.files as? TriedFiles)?.apply { declared(context.declared) }
    private var ended: ProgramEnd? = null
    internal val isClosed: Boolean get() = ended != null

    /**
     * How the last save ended, or that it is under way, as the ranks know it since their last meeting: the same on all of them.
     * Null if there was none.
     */
    public val lastSave: SaveOutcome? get() = statistics.last

    /** The position of the program in the restored checkpoint; null if none was restored. */
    internal var resumed: LoopPosition? = null
        private set

    /**
     * Whether [saveIfDue] has ended the loop early, after a save, because a stop was requested or the job ends; then there are no results
     * yet. The same on all ranks.
     */
    public val isStopped: Boolean get() = ownLoop?.points?.isStopped ?: false

    /**
     * The exit code for the end of a program that calls [saveIfDue], after its last save has ended. The same on all ranks.
     *
     * @throws IllegalStateException if it is not known, since the loop was left before its end, such as by an exception
     */
    public val exitCode: ExitCode
        get() {
            check(ended != ProgramEnd.FAILED) {
                "$directory: the program has thrown an exception, which decides its exit code: let it end the process"
            }
            if (endCode == ExitCode.FINISHED) ownLoop?.requireEnded()
            return endCode
        }

    /** The exit code of a program that returns from its loop, and does not throw. */
    internal val endCode: ExitCode
        get() {
            val last = lastSave
            return when {
                outputs.lack.isNotEmpty() -> ExitCode.UNSAVED
                last is SaveOutcome.UnderWay || (last != null && statistics.isTrouble(last)) -> ExitCode.UNSAVED
                isStopped -> ExitCode.UNFINISHED
                else -> ExitCode.FINISHED
            }
        }

    /** Why the [exitCode] is that of an unsaved state, as a sentence; null if it is not, or before the close. */
    internal var unsaved: String? = null
        private set

    internal val statistics: SaveStatistics get() = saving.statistics

    /** The save from which a restart would continue now, in words. */
    internal val wayBack: String get() = saving.wayBack

    /**
     * Collective: restores the newest good checkpoint, and returns it, or null if there is none. One that is damaged,
     * or cannot be read now, is passed over with a warning for the next older one that led to it; never for one of
     * another run or of another branch.
     *
     * Until the program has saved, it takes what the options `fresh` and `from` say, and nothing else.
     *
     * If it throws, the program's state may belong to no single step, and must not be used: unless nothing was changed,
     * no save is made of it before a restore succeeds.
     *
     * @throws CheckpointException on all ranks, if there are only damaged ones, or if the newest does not fit the
     *     declarations
     */
    public suspend fun restore(): Restored? = restore {}

    /** Collective: as [restore], if [requireFit] does not refuse what was found; nothing is changed before. */
    internal suspend fun restore(requireFit: (Manifest) -> Unit): Restored? =
        oneCall.during("restore()") {
            requireBeforeLoop()
            withTypedFailures { restoring(startNow(), requireFit) }
        }

    /** A loop that was under way has begun the outputs anew. It may go back to what was restored, and to its own saves. */
    private fun requireBeforeLoop() =
        requireDeclared(resumed != null || ownLoop == null || statistics.hasCommitted) {
            if (hasRestored) {
                "$directory: restore() has found no checkpoint, and the run that began then has not saved yet. " +
                    "Nothing was restored: let it save before it goes back"
            } else {
                "$directory: restore() comes after saveIfDue(), which has begun a new run. Nothing was restored: " +
                    "call restore() first. An output that had lines was kept under a numbered name: give it its " +
                    "name back"
            }
        }

    /** Collective: a save of this run is newer than what the options exclude. */
    private suspend fun startNow(): Start {
        if (start != Start.Newest) {
            requireOpen()
            awaitOutcome()
            if (statistics.hasCommitted) start = Start.Newest
        }
        return start
    }

    private suspend fun restoring(start: Start, requireFit: (Manifest) -> Unit = {}): Restored? {
        context.items.forEach { it.beforeRestore() }
        val restored =
            when (start) {
                is Start.Newest -> restore(Choice(number = null), requireFit)
                is Start.Chosen -> restore(Choice(start.number), requireFit)
                is Start.Fresh -> beginAnew()
            }
        loopStart = LoopStart(restored, restored != null && resumed?.isFinished == true)
        hasRestored = true
        return restored
    }

    private suspend fun beginAnew(): Restored? {
        requireOpen()
        outputs.begin()
        return null
    }

    /**
     * Collective: as [restore], but of the save [number] alone: no other one takes its place. Later saves stay, as
     * another branch: the next save gets a higher number than all of them, and from then on a restart continues from
     * the new branch.
     *
     * @throws CheckpointException on all ranks, also if there is no such checkpoint
     */
    public suspend fun restore(number: Int): Restored =
        checkNotNull(oneCall.during("restore($number)") { withTypedFailures { restoring(Start.Chosen(number)) } }) {
            "save $number was neither restored nor refused; please report this"
        }.also { start = Start.Newest }

    private suspend fun restore(choice: Choice, requireFit: (Manifest) -> Unit): Restored? {
        requireOpen()
        awaitOutcome()
        val begun = mutableMapOf<StateItem, Int>()
        val seeds = GivenSeeds(context.items)
        while (true) {
            val result =
                ranks.find(store, context.files, choice, saving::joinCleaning, ::passOver)
            val matching =
                ranks.collectively("compare with the checkpoint") {
                    result.requireSame(ranks.rank, choice)
                    result.found?.let { found -> matching(found, begun).also { requireFit(found.manifest) } }
                }
            result.unsealed?.let {
                if (!completion.seal(it)) saving.underWay.lost(it.number)
                continue
            }
            result.sealed?.let {
                if (!completion.run(it)) saving.underWay.lost(it.manifest.save)
                continue
            }
            val found = result.found
            if (found == null || matching == null) return nothing(begun)
            saving.underWay.found(found.manifest.save)
            val restorer = restorerOf(found)
            try {
                restorer.run(matching.matches)
            } catch (failure: Throwable) {
                isTorn = isTorn || restorer.hasBegun
                val flaw = (failure as? RankFailedException)?.let { ranks.flawOf(it) } ?: throw failure
                choice.reject(found.manifest.save, flaw, failure.message.toString())
                if (restorer.hasBegun) begun += restoredBy(matching, found.manifest)
                continue
            }
            isTorn = true
            context.declared.runAfterRestore(ranks)
            trial?.let { context.compareOrder(it, found) }
            outputs.begin(restored = matching.matches.map { it.item }.toSet(), laterSave = found.laterSave)
            isTorn = false
            return restored(found, matching, seeds, choice)
        }
    }

    private fun restorerOf(found: Found) =
        Restorer(RestoreContext(ranks, context.files, context.pool, context.options.lostOutputs), found)

    private fun matching(found: Found, begun: Map<StateItem, Int>): Matching =
        match(context.declared, found.manifest, ranks.size).also {
            requireUndone(directory, begun, it.matches, found.manifest, ranks.size)
        }

    /** The items that a restore of [manifest] changes, with the number of that save. */
    private fun restoredBy(matching: Matching, manifest: Manifest): Map<StateItem, Int> =
        matching.matches
            .map { it.item }
            .filterNot { it.isDropped(manifest.rankCount, ranks.size) }
            .associateWith { manifest.save }

    /**
     * Collective: makes a checkpoint of the state as it is now. Returns when it is committed; if that fails, all ranks throw
     * the same [CheckpointException] or [RankFailedException], and the checkpoints before are untouched. If another save is
     * under way, it ends first.
     *
     * @param step the step of the program; returned by [restore]
     * @param phase the loop of the program
     */
    public suspend fun save(step: Long, phase: String = ""): Saved =
        attempt(LoopPosition(step, phase), Wait.COMMITTED).requireCommitted()

    /**
     * Collective: as [save], for programs that continue after disk errors: returns the outcome of the save, the same on
     * all ranks. Errors that a later save could not repair still throw on all ranks: state that differs from its
     * declaration, missing ranks, a store that was taken over.
     *
     * If the option [wait][dev.cairn.options.CheckpointOptions.Builder.wait] says so, it returns [SaveOutcome.UnderWay] as soon as the
     * state is copied, or is on the disks of the hosts, as [saveAsync] does.
     */
    public suspend fun trySave(step: Long, phase: String = ""): SaveOutcome = trySave(LoopPosition(step, phase))

    /** As the public one, but the program waits as [wait] says. */
    internal suspend fun trySave(
        position: LoopPosition,
        wait: Wait = context.wait,
        whenBusy: WhenBusy = context.options.whenBusy,
    ): SaveOutcome = attempt(position, wait, whenBusy).requireNotFatal().outcome

    /**
     * Collective: makes a checkpoint of the state as it is now, and returns when that is copied; the program may change it, while
     * the copy is written. The save is committed only in later meetings of all ranks: calls of [progress], [awaitSaves], [restore]
     * and all functions that save. One save is written at a time, while others may be drained; the option
     * [whenBusy][dev.cairn.options.CheckpointOptions.Builder.whenBusy] says what this function does if one is being written, and the
     * option [wait][dev.cairn.options.CheckpointOptions.Builder.wait] may let it wait for longer.
     *
     * Errors that a later save could not repair throw on all ranks, here or in a later meeting; [lastSave] and [PendingSave.await]
     * report other errors.
     */
    public suspend fun saveAsync(step: Long, phase: String = ""): PendingSave {
        val attempt = attempt(LoopPosition(step, phase), context.options.wait ?: Wait.COPIED).requireNotFatal()
        return PendingSave(this, attempt)
    }

    /**
     * Collective: the safe point of a loop of the program's own, which calls it between two steps: makes a save if the options or a request
     * say so, carries out requests of the command `cairn`, and lets saves in the background go on. Returns whether the loop goes on: not
     * after a request to stop, nor before the end of the job, nor at the step [until]; then the state is saved, and the save is committed.
     * Most calls cost two comparisons of numbers. A call before the first step finds the restored state, and saves nothing.
     *
     * From the first call until [close] the signals TERM, INT and USR1 are requests, unless the option
     * [signals][dev.cairn.options.CheckpointOptions.Builder.signals] says otherwise. All ranks call it after the same steps.
     *
     * @param step the number of steps that are done; the loop may leave some out
     * @param until the number of steps after which the loop ends, if that is known; a loop that ends early passes its [step],
     *   and after a restart the first call returns false there
     * @param phase the loop of the program
     */
    public suspend fun saveIfDue(step: Long, until: Long = Long.MAX_VALUE, phase: String = ""): Boolean {
        if (passIdle(step, until, phase)) return true
        requireBegun()
        val position = LoopPosition(step, phase).also { it.requireListable() }
        requireDeclared(until >= 0) {
            "a loop ends after 0 steps or more, but the program ends it at $until. Nothing was saved"
        }
        val loop = ownLoop ?: OwnLoop.of(this, until).also { ownLoop = it }
        outputs.beginWaiting()
        return loop.pass(position, until)
    }

    /** The program's own loop has begun, and goes on to other states. */
    internal fun leaveStart() {
        loopStart = null
    }

    /** Passes the safe point after [step] of a program's own loop if nothing is to be done there; returns whether it has. */
    internal fun passIdle(step: Long, until: Long, phase: String): Boolean =
        !isClosed && loopStart == null && ownLoop?.passIdle(step, until, phase) ?: false

    /** Collective: the ranks meet after [step], for requests, the end of the job, and the saves under way. */
    internal suspend fun meet(step: Long, schedule: SaveSchedule): RunRequest =
        oneCall.during("saveIfDue($step)") {
            requireOpen()
            saving.answerOwnerRequests()
            val request = schedule.meet(betweenSteps, step, ready())
            meet(schedule.ready).forEach(schedule::ended)
            request
        }

    /**
     * Collective: advances a save under way, if the workers of all ranks are done with their part of it; otherwise returns at once.
     * Programs with a loop of their own call it at intervals. Returns [lastSave].
     */
    public suspend fun progress(): SaveOutcome? =
        oneCall.during("progress()") {
            requireOpen()
            if (!saving.underWay.isIdle) meet(ranks.readyOnAll(saving.underWay.ready()))
            saving.reportCleaning()
            lastSave
        }

    /**
     * Collective: whether the job of this program ends so soon that it should save now and stop. Programs with a loop of their own
     * call it between two steps, and before the save that they may make there: from call to call it learns how long a step takes,
     * and from all saves how long the last one will. The options `ends-at` and `time-limit`, or else the job system, say when the job
     * ends; false if none does.
     */
    public suspend fun endsSoon(): Boolean =
        oneCall.during("endsSoon()") {
            requireOpen()
            withTypedFailures { jobQuestion.endsSoon() }
        }

    /**
     * Collective: waits until no save is under way. If there is one and it fails, all ranks throw as [save] does. Returns
     * [lastSave].
     */
    public suspend fun awaitSaves(): SaveOutcome? =
        oneCall.during("awaitSaves()") {
            requireOpen()
            saving.underWay.awaitIdle { it.requireCommitted() }
            saving.reportCleaning()
            events.flush()
            lastSave
        }

    /** Collective: waits for the save of [attempt], unless that is not drained while the program runs. */
    internal suspend fun awaitEnd(attempt: Attempt) =
        oneCall.during("await()") {
            requireOpen()
            saving.underWay.awaitEnd(attempt)
            saving.reportCleaning()
            events.flush()
        }

    /** Collective: waits for the save under way; an error of the disk is reported by its outcome only. */
    internal suspend fun awaitOutcome() {
        saving.underWay.awaitIdle { it.requireNotFatal() }
    }

    /** Collective: the ranks meet for the saves under way for which all are [ready]. Returns how those ended that have just ended. */
    private suspend fun meet(ready: Ready): List<SaveOutcome> =
        saving.underWay.meet(ready).map { it.requireNotFatal().outcome.also(jobQuestion::ended) }

    /** For which saves under way this rank is ready. */
    internal suspend fun ready(): Ready = saving.underWay.ready()

    /** The same on all ranks. */
    internal val isSaveUnderWay: Boolean get() = !saving.underWay.isIdle

    private suspend fun attempt(
        position: LoopPosition,
        wait: Wait,
        whenBusy: WhenBusy = context.options.whenBusy,
    ): Attempt =
        oneCall.during("the save of $position") {
            requireBegun()
            outputs.beginWaiting()
            val longest = saving.underWay.longest(wait)
            if (saving.underWay.isBusy && longest != Wait.COMMITTED && whenBusy == WhenBusy.SKIP) {
                saving.skip(position)
            } else {
                trial?.let { context.readWitnesses(it, position) }
                val begin = ranks.clock.markNow()
                saving.attempt(position, wait, longest).also {
                    jobQuestion.ended(it.outcome, begin.elapsedNow())
                    if (it is Attempt.Committed) events.flush()
                }
            }
        }

    /** Saves of a program that ignores where it should begin would push out the checkpoints from which it should. */
    private fun requireBegun() {
        requireOpen()
        requireDeclared(!isTorn) {
            "$directory: restore() has failed when it had changed a part of the state, so that belongs to no single " +
                "step. Nothing was saved: let the program end, or restore() succeed"
        }
        requireDeclared(restartCheck?.isUnderWay != true) {
            "$directory: check-restart has failed, and the program has the state of another step. Nothing was saved: " +
                "let the program end"
        }
        val setting =
            when (val start = start) {
                is Start.Newest -> return
                is Start.Fresh -> "fresh = true"
                is Start.Chosen -> "from = ${start.number}"
            }
        requireDeclared(hasRestored) {
            "$directory: $setting says where the program begins, but it goes on without restore(). Nothing was saved " +
                "or deleted: call restore() before the first step, or leave the setting out"
        }
    }

    /**
     * Without the store's lock a save would be refused later, and the restored checkpoint might be deleted.
     */
    private fun requireOpen() {
        check(!isClosed) {
            "the checkpoints in $directory are closed: save and restore before close, or open them again"
        }
        ranks.requirePresent()
    }

    /**
     * Runs [block], and closes at its end. If the block throws nothing, that is collective while a save is under way, which is
     * awaited first: if it fails, all ranks throw as [save] does.
     *
     * @throws CheckpointException also if the last save of [saveIfDue] has failed, or lines of an output are in no file
     */
    @JvmSynthetic
    public suspend inline fun <R> use(block: (Checkpoints) -> R): R {
        var failure: Throwable? = null
        try {
            return block(this)
        } catch (thrown: Throwable) {
            failure = thrown
            throw thrown
        } finally {
            end(failure)
        }
    }

    /** Closes after a block that has thrown [failure], or nothing. */
    @PublishedApi
    internal suspend fun end(failure: Throwable?) {
        var how = ProgramEnd.FAILED
        AutoCloseable { close(how) }.use {
            if (failure != null) return
            awaitSaves()
            outputs.complete()
            how = endCode.end
        }
        requireSaved()
    }

    /**
     * Releases the store, so that other programs may write into it, and logs the outcomes of the saves. Every rank
     * calls it, after its last save; it is not collective. Later saves and restores are refused on each rank that has
     * closed. A save that is under way is given up, with a warning, unless it is being committed already: [awaitSaves] comes
     * first. Rank 0 waits until older saves are deleted; if [endsSoon] was true or the program [stops][isStopped], it deletes no
     * further file, and leaves the rest to the next program.
     *
     * @throws CheckpointException if all is closed, but the last save of [saveIfDue] has failed, or lines of an output are in no file
     */
    override fun close() {
        if (isClosed) return
        outputs.look()
        AutoCloseable { close(if (ownLoop?.isOver == true) endCode.end else ProgramEnd.CLOSED) }.use {
            outputs.requireWhole()
        }
        requireSaved()
    }

    /** Of a failed save of [saveIfDue], and of lines that wait, the program has learned nothing yet. */
    private fun requireSaved() {
        val isLastLost = ownLoop != null && lastSave?.let(statistics::isTrouble) ?: false
        if (isLastLost || outputs.lack.isNotEmpty()) throw NotSaved(Details("$directory: $unsaved"))
    }

    /** As the public one; the program ends in this way, after [step] steps if that is known. */
    internal fun close(
        how: ProgramEnd,
        step: Long? = ownLoop?.stepCount,
        isJobEnding: Boolean = jobQuestion.isEnding || isStopped || ownLoop?.points?.isToStopBeforeLoop ?: false,
    ) {
        oneCall.during("close()") {
            if (isClosed) return
            ended = how
            try {
                // As long as the store is this program's, which knows the way back.
                if (endCode == ExitCode.UNSAVED) unsaved = unsavedNow()
                ownLoop?.close()
                shown?.close()
                saving.close(isJobEnding)
                events.notify(CheckpointEvent.Ended(how, step))
                events.flush()
            } finally {
                // A program that lives on must not keep the store and the outputs from others.
                heartbeat?.close()
                outputs.end()
                context.pool.close()
                giveStoreBack()
            }
        }
    }

    private fun unsavedNow(): String =
        if (outputs.lack.isEmpty()) {
            "the last save is not committed; $wayBack. $lastSave"
        } else {
            "an output is not complete; $wayBack. Start the program again, and it writes what is missing. ${outputs.lack}"
        }

    /** Checkpoints are valid whether this succeeds or not. */
    private fun giveStoreBack() {
        try {
            owned?.close()
        } catch (failure: IOException) {
            val next = "The next program takes it over as from one that was killed"
            LOG.log(WARNING, "$directory: the store could not be given back: ${failure.sentence()} $next")
        }
    }

    private fun passOver(verdict: Verdict.Rejected) {
        if (!passedOver.add(verdict.number)) return
        LOG.log(WARNING, "passed over: ${verdict.path}: ${verdict.reason.removePrefix("${verdict.path}: ")}")
        events.notify(CheckpointEvent.Rejected(verdict.number, verdict.reason))
    }

    private fun restored(found: Found, matching: Matching, seeds: GivenSeeds, choice: Choice): Restored {
        val manifest = found.manifest
        val restored = Restored(manifest.save, manifest.step, manifest.rankCount, manifest.phase)
        saving.goOnFrom(restored, manifest.lineage)
        resumed = LoopPosition(manifest.step, manifest.phase, manifest.isFinished, manifest.phasesBefore)
        if (ranks.rank == ROOT) {
            logChanges(matching, seeds.changesBy(manifest.save))
            val place = if (ranks.size == 1) "" else " on ${ranks.size} ranks"
            LOG.inform(context.files, "restored $restored$place from $directory")
        }
        if (ranks.rank == ROOT && choice.number != null) logLater(choice.number)
        events.notify(restored)
        return restored
    }

    private fun logChanges(matching: Matching, seedChanges: List<String>) {
        (matching.notes + seedChanges).forEach { LOG.inform(context.files, it) }
        matching.warnings.forEach { LOG.log(WARNING, "$directory: $it") }
    }

    /** Warns of the saves after a chosen one. */
    private fun logLater(number: Int) {
        val saves = store.survey().saves
        val later = saves.map { it.number }.filter { it > number }.reversed()
        if (later.isEmpty()) return
        LOG.log(
            WARNING,
            "$directory: save $number was chosen, so the later saves ${later.joinToString()} are another branch now. " +
                "They stay until there are as many newer saves as keep-last says; 'cairn pin' keeps them for good. " +
                "After the next save, a restart continues from that one.",
        )
    }

    /** There is no checkpoint. A program that has saved or restored one does not have the state of its beginning any more. */
    private suspend fun nothing(begun: Map<StateItem, Int>): Restored? {
        check(begun.isEmpty() && resumed == null && !statistics.hasCommitted) {
            "$directory: the checkpoints were removed while the program ran, and its state is not that of the " +
                "beginning: start again"
        }
        outputs.begin()
        if (ranks.rank == ROOT) {
            LOG.inform(
                context.files,
                "$directory: there is no checkpoint yet, so the program starts from the beginning",
            )
        }
        return null
    }
}

/** How a program has ended whose exit code is this one. */
private val ExitCode.end: ProgramEnd
    get() =
        when (this) {
            ExitCode.UNSAVED -> ProgramEnd.UNSAVED
            ExitCode.UNFINISHED -> ProgramEnd.STOPPED
            else -> ProgramEnd.FINISHED
        }

private val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
