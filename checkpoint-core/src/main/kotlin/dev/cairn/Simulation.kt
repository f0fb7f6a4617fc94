package dev.cairn

import dev.cairn.comm.Communicator
import dev.cairn.comm.broadcastText
import dev.cairn.multifile.ROOT
import dev.cairn.sion.store.BlockStore
import java.nio.file.Path

/**
 * A program whose state and loop Cairn keeps: it declares its state as delegated properties, whose names are the items'
 * names, and walks through [steps], which restores, saves and stops. One for each rank, which alone may use it.
 */
@StateDsl
public class Simulation internal constructor(
    override val ranks: Communicator,
    private val directory: Path,
    private val triggers: Triggers,
    private var options: CheckpointOptions,
    override val files: BlockStore,
    private val requests: Requests,
) : StateProperties(),
    AutoCloseable {
    private val state = StateBuilder()
    private var checkpoints: Checkpoints? = null
    private var resume: Restored? = null

    /** Whether the loop has ended early, after a save, because somebody asked for it; then there are no results yet. */
    public var isStopped: Boolean = false
        private set

    /** How the last save ended, the same on all ranks; null if there was none. The run goes on when one comes to nothing. */
    public val lastSave: SaveOutcome? get() = checkpoints?.lastSave

    /** From where a restart would go on now, in words. */
    internal val wayBack: String? get() = checkpoints?.tally?.wayBack

    /** Lets [listener] hear, on rank 0, what happens to the checkpoints, as do those that were named before. */
    public fun listen(listener: CheckpointListener) {
        check(checkpoints == null) {
            "the first step has begun: name the listener before it, so that it hears what is restored"
        }
        options = options.withListener(listener)
    }

    /**
     * The steps of the program, up to [until] and without it: `for (step in steps(until = 1000)) { … }`. Between two of them
     * is the only safe point. The first one restores, and so is later than 0 if there is a checkpoint. All ranks walk
     * through all steps together.
     *
     * @param phase tells several loops of one program apart; a phase that was over is not walked through again
     */
    public fun steps(
        until: Long,
        phase: String = "",
    ): Steps = Steps(this, until, phase, triggers, requests)

    /** Fails if the checkpoint that was restored is of a phase through which the program has not come. */
    internal fun requireResumed() {
        val point = resume
        check(point == null || isStopped) {
            "save ${point?.number} was made in the phase '${point?.phase}', which the program does not have any more"
        }
    }

    /** Fails if any save came to nothing. */
    internal fun requireAllSaved() {
        val tally = checkpoints?.tally
        check(tally == null || !tally.hasTrouble) { "all saves should be committed, but: $tally" }
    }

    /** Collective: completes the outputs; says in sentences what they lack, and nothing if they lack nothing. */
    internal suspend fun finishOutputs(): String {
        if (outputs.isEmpty()) return ""
        // A program without steps has not begun yet.
        if (checkpoints == null) ranks.beginOutputs(state.items)
        return ranks.broadcastText(ROOT) { outputs.mapNotNull { it.lack() }.joinToString(" ") }
    }

    override fun close() {
        outputs.forEach { it.close() }
        checkpoints?.close()
    }

    /** Collective: where the loop of [phase] begins; null if it has been walked through already. */
    internal suspend fun begin(
        until: Long,
        phase: String,
    ): Long? {
        ranks.requireSameLoop(until, phase)
        if (checkpoints == null) open()
        val point = resume ?: return 0
        if (point.phase != phase) return null
        resume = null
        return point.step
    }

    /** Kept before it restores, so that a store from which nothing can be restored is given back, too. */
    private suspend fun open() {
        val opened = openCheckpoints(ranks, directory, options, files, state)
        checkpoints = opened
        if (triggers.fresh) ranks.beginOutputs(state.items) else resume = opened.restore()
    }

    /** Collective. */
    internal suspend fun save(
        step: Long,
        phase: String,
    ): SaveOutcome = checkNotNull(checkpoints).trySave(step, phase)

    internal fun answerErrands() = checkpoints?.answerErrands()

    internal fun stop() {
        isStopped = true
    }

    override fun declare(declaration: StateBuilder.() -> Unit): Unit = state.declaration()
}

/** When a simulation saves, where it begins, and where it stops early. */
internal data class Triggers(
    val everySteps: Long? = null,
    val everySeconds: Double? = null,
    val fresh: Boolean = false,
    val stopAt: Long? = null,
)
