package dev.cairn

import dev.cairn.concentrate.DedicatedRanks
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointEvent.ProgramEnd
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.CheckpointException
import dev.cairn.event.CommunicatorException
import dev.cairn.event.SaveOutcome
import dev.cairn.event.isOutOfStep
import dev.cairn.event.withTypedFailures
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.Start
import dev.cairn.options.Triggers
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.broadcastText
import dev.cairn.ranks.collectively
import dev.cairn.run.LoopSurroundings
import dev.cairn.run.Loops
import dev.cairn.run.beginOutputs
import dev.cairn.run.endOutputs
import dev.cairn.run.requireSameLoop
import dev.cairn.save.requirePhaseIsText
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.survey
import java.nio.file.Path
import java.util.function.Consumer

/**
 * A program whose state and loop Cairn keeps: it declares its state as delegated properties, whose names are the items'
 * names, and iterates over [steps], which restores, saves and stops. Each rank has one, and only that rank may use it.
 *
 * @property ranks the communicator of the program
 */
@StateDsl
public class Simulation internal constructor(
    public val ranks: Communicator,
    private val directory: Path,
    private val triggers: Triggers,
    private var options: CheckpointOptions,
    private val files: BlockStore,
    private val surroundings: LoopSurroundings,
    private val dedicated: DedicatedRanks? = null,
    program: String? = null,
) : StateBuilder(Declarations(options, ranks, files, program)),
    AutoCloseable {
    /** This rank's index. */
    public val rank: Int get() = ranks.rank

    /** The number of ranks. */
    public val size: Int get() = ranks.size

    private var checkpoints: Checkpoints? = null
    private var safePoints: SafePoints? = null
    private var resume: Restored? = null
    private val loops = Loops()

    /**
     * Whether a loop has ended early, or has not begun, after a save, because a stop was requested or the job ends; then there are
     * no results yet. Code after the loop runs also then: see [finished].
     */
    public val isStopped: Boolean get() = safePoints?.isStopped ?: false

    /** The end of the program; a failure unless set otherwise. */
    internal var end = ProgramEnd.FAILED

    /** How the last save ended, the same on all ranks; null if there was none. The run continues when one fails. */
    public val lastSave: SaveOutcome? get() = checkpoints?.lastSave

    /** The phases of the loops before the one that is under way. */
    internal val phasesBefore: List<String> get() = loops.phasesBefore

    /** The save from which a restart would continue now, as a sentence. */
    internal val wayBack: String? get() = checkpoints?.wayBack

    /** The safe points, which are there as soon as the first loop has begun. */
    internal val points: SafePoints get() = checkNotNull(safePoints)

    /**
     * Adds [listener], which receives the events of checkpoints, to those that were added before. It is called on rank 0 alone, by
     * the coroutine or thread of that rank, while the other ranks wait: it should be brief. Its exceptions are logged, and do
     * not affect the save. It must not call the program's communicator.
     */
    public fun listen(listener: Consumer<CheckpointEvent>) {
        check(checkpoints == null) {
            "the first step has begun: add the listener before it, so that it receives the event of the restore"
        }
        options = options.and(listener)
    }

    /**
     * The steps of the program, up to [until] and without it: `for (step in steps(until = 1000)) { … }`. Between two of
     * them is the only safe point. The first one restores, and so is later than 0 if there is a checkpoint. All ranks
     * walk through all steps together. A loop that ends early calls [Steps.finish].
     *
     * @param phase the name that distinguishes several loops of one program: each has a different one, and begins after
     *     the one before it has ended. A phase that had ended is not run again
     */
    public fun steps(until: Long, phase: String = ""): Steps {
        requirePhaseIsText(phase)
        return Steps(this, until, phase)
    }

    /**
     * Whether the loop before this call has ended, so that the state is its result. Also true when the finished program is started
     * again. False if the run stops early, and if it was restored from a later loop: the state is not that at the end of the loop
     * before this call. The same on all ranks.
     *
     * @throws CheckpointException.InvalidDeclaration if the loop was left by break, since the step in which that was done has not ended
     */
    public fun hasFinished(): Boolean {
        loops.requireAfterLoop()
        return !isStopped && resume == null
    }

    /**
     * Calls [results] if the loop before this call [has ended][hasFinished]: there a program prints or writes its results. It is not
     * called if the program stops early, to continue in its next run. It is called again when the finished program is started again,
     * so it must be harmless to run it twice.
     */
    public inline fun finished(results: () -> Unit) {
        if (hasFinished()) results()
    }

    /** Collective: fails if the program has not reached the phase of its checkpoint. */
    internal suspend fun requireResumed() {
        val isUnused = checkpoints == null && triggers.start != Start.Fresh
        if (isUnused) refusing("look for a checkpoint") { requireNoneHere() }
        val point = resume
        if (point == null || isStopped) return
        refusing("look for the phase of the checkpoint") { throw loops.missing(point.number, point.phase) }
    }

    /** A program without a loop has restored nothing. */
    private fun requireNoneHere() {
        if (rank != ROOT) return
        files.survey(directory).saveAfter(0)?.let { throw loops.unused(directory, it) }
    }

    /** Collective: an exception that [check] throws on all ranks is thrown once. */
    private suspend fun refusing(step: String, check: () -> Unit) =
        withTypedFailures { ranks.collectively(step) { check() } }

    /** Fails if any save failed or was skipped. */
    internal fun requireAllSaved() {
        val statistics = checkpoints?.statistics
        check(statistics == null || !statistics.hasTrouble) { "all saves should be committed, but: $statistics" }
    }

    /** Collective: completes the outputs; returns sentences about missing bytes, empty if there are none. */
    internal suspend fun finishOutputs(): String {
        if (state.outputs.isEmpty() && state.netcdfs.isEmpty()) return ""
        // A program without steps has not begun its outputs yet.
        if (checkpoints == null) ranks.beginOutputs(state.items)
        val unflushed =
            state.netcdfs.mapNotNull { output ->
                try {
                    output.flush().let { null }
                } catch (failure: CommunicatorException) {
                    if (failure.isOutOfStep) return failure.message.orEmpty()
                    failure.message
                }
            }
        val lacking = ranks.broadcastText(ROOT) { state.outputs.mapNotNull { it.lack() }.joinToString(" ") }
        return (unflushed + lacking).filter { it.isNotEmpty() }.joinToString(" ")
    }

    override fun close() {
        surroundings.shown?.close()
        val isEnding = safePoints.let { it != null && (it.isStopped || it.isToStopBeforeLoop) }
        checkpoints?.close(end, loops.stepCount, isEnding) ?: endOutputs(state.items)
    }

    /** Collective: where [walk], the loop of [phase], begins; null if it had ended already, or if the program stops before it. */
    internal suspend fun begin(walk: Steps, until: Long, phase: String): Long? {
        ranks.requireSameLoop(until, phase)
        val stopping = safePoints?.takeIf { it.isToStopBeforeLoop }
        if (stopping != null && until > 0) return null.also { stopping.stop() }
        refusing("begin a loop") { loops.begin(phase, walk.progress) }
        val open = checkpoints ?: open(until)
        val point = resume ?: return 0
        val position = checkNotNull(open.resumed)
        refusing("look for the loop of the checkpoint") { loops.requireLeadingTo(position, point.number) }
        if (point.phase != phase) return null
        resume = null
        if (position.isFinished && !triggers.goOn) return null.also { points.logFinished(point) }
        points.warnIfBeyond(point, until)
        return point.step
    }

    /** A sentence about unsaved work of a loop that was left by break or return; null if there is none. */
    internal val unfinished: String?
        get() =
            loops.unfinishedStep?.let {
                "the loop was left in step $it, and the work of that step is not saved; $wayBack. To end a loop " +
                    "early and save, call finish() of its steps instead of leaving it."
            }

    /** Assigned before the restore, so that the store is released even if the restore fails. */
    private suspend fun open(until: Long): Checkpoints {
        val declared = Result.success(state)
        val opened = Opening(ranks, directory, options, files, dedicated, declared).open(surroundings.shown)
        checkpoints = opened
        safePoints = SafePoints.of(opened, triggers, surroundings, until)
        resume = opened.restore()
        return opened
    }

    /** Collective: returns when no save is under way. */
    internal suspend fun awaitSaves() {
        checkpoints?.awaitOutcome()
    }
}
