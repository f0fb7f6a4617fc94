package dev.cairn

import dev.cairn.comm.Communicator
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.Codec
import dev.cairn.state.ElementType
import dev.cairn.state.PerRankRule
import dev.cairn.state.codecOf
import java.nio.file.Path
import kotlin.properties.PropertyDelegateProvider
import kotlin.properties.ReadOnlyProperty

/**
 * A program whose state and loop Cairn keeps: it declares its state as delegated properties, whose names are the items'
 * names, and walks through [steps], which restores, saves and stops. One for each rank, which alone may use it.
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
    private val requests: Requests,
) : AutoCloseable {
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

    /** This rank's index. */
    public val rank: Int get() = ranks.rank

    /** How many ranks there are. */
    public val size: Int get() = ranks.size

    /**
     * A global array of doubles, whose rows are dealt to the ranks.
     *
     * @param halo how many cells beyond its own a rank sees in each direction
     * @param initial the first value of a cell; also beyond the edges, where the halo keeps it
     */
    public fun doubles(
        rows: Long,
        columns: Long,
        halo: Int = 0,
        initial: (i: Long, j: Long) -> Double,
    ): PropertyDelegateProvider<Any?, ReadOnlyProperty<Any?, DoubleField>> =
        doubles(Decomposition.rows(Shape.of(rows, columns), size), halo) { (i, j) -> initial(i, j) }

    /** A global array of doubles, decomposed for [size] ranks as [decomposition] says. */
    public fun doubles(
        decomposition: Decomposition,
        halo: Int = 0,
        initial: (cell: LongArray) -> Double,
    ): PropertyDelegateProvider<Any?, ReadOnlyProperty<Any?, DoubleField>> {
        val field = DoubleField(ranks, decomposition, halo, initial)
        return declared(field) { name ->
            field(name, field.shape, ElementType.DOUBLE) {
                if (!field.box.isEmpty) block(field.box, field.data, field.within)
            }
        }
    }

    /** A number that is the same on every rank. */
    public fun replicated(initial: Double): PropertyDelegateProvider<Any?, DoubleVariable> {
        val variable = DoubleVariable(initial)
        return PropertyDelegateProvider { _, property ->
            declare { replicated(property.name, { variable.value }, { variable.value = it }) }
            variable
        }
    }

    /** A number that is the same on every rank. */
    public fun replicated(initial: Long): PropertyDelegateProvider<Any?, LongVariable> {
        val variable = LongVariable(initial)
        return PropertyDelegateProvider { _, property ->
            declare { replicated(property.name, { variable.value }, { variable.value = it }) }
            variable
        }
    }

    /** A value that is the same on every rank, of a `@Serializable` type. */
    public inline fun <reified T> replicated(initial: T): PropertyDelegateProvider<Any?, Variable<T>> =
        replicated(initial, codecOf<T>())

    /** A value that is the same on every rank. */
    public fun <T> replicated(
        initial: T,
        codec: Codec<T>,
    ): PropertyDelegateProvider<Any?, Variable<T>> {
        val variable = Variable(initial)
        return PropertyDelegateProvider { _, property ->
            declare { replicated(property.name, codec, { variable.value }, { variable.value = it }) }
            variable
        }
    }

    /** A value of this rank's own, of a `@Serializable` type; [rule] says what becomes of it on another number of ranks. */
    public inline fun <reified T> perRank(
        initial: T,
        rule: PerRankRule<T> = PerRankRule.Refuse(),
    ): PropertyDelegateProvider<Any?, Variable<T>> = perRank(initial, codecOf<T>(), rule)

    /** A value of this rank's own; [rule] says what becomes of it on another number of ranks. */
    public fun <T> perRank(
        initial: T,
        codec: Codec<T>,
        rule: PerRankRule<T> = PerRankRule.Refuse(),
    ): PropertyDelegateProvider<Any?, Variable<T>> {
        val variable = Variable(initial)
        return PropertyDelegateProvider { _, property ->
            declare { perRank(property.name, codec, { variable.value }, { variable.value = it }, rule) }
            variable
        }
    }

    /** Lets [listener] hear, on rank 0, what happens to the checkpoints; instead of one that was named before. */
    public fun listen(listener: CheckpointListener) {
        requireBefore { "name the listener before it, so that it hears what is restored" }
        options = options.withListener(listener)
    }

    /** Declares state that the program keeps itself. */
    public fun state(declaration: StateBuilder.() -> Unit): Unit = declare(declaration)

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

    override fun close() {
        checkpoints?.close()
    }

    /** Collective: where the loop of [phase] begins; null if it has been walked through already. */
    internal suspend fun begin(phase: String): Long? {
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
        if (!triggers.fresh) resume = opened.restore()
    }

    /** Collective. */
    internal suspend fun save(
        step: Long,
        phase: String,
    ): SaveOutcome = checkNotNull(checkpoints).trySave(step, phase)

    internal fun stop() {
        isStopped = true
    }

    private fun <T> declared(
        value: T,
        declaration: StateBuilder.(name: String) -> Unit,
    ) = PropertyDelegateProvider<Any?, ReadOnlyProperty<Any?, T>> { _, property ->
        declare { declaration(property.name) }
        ReadOnlyProperty { _, _ -> value }
    }

    private fun declare(declaration: StateBuilder.() -> Unit) {
        requireBefore { "declare all state before it, so that it can be restored" }
        state.declaration()
    }

    private fun requireBefore(advice: () -> String) =
        check(checkpoints == null) { "the first step has begun: ${advice()}" }
}

/** When a simulation saves, where it begins, and where it stops early. */
internal data class Triggers(
    val everySteps: Long? = null,
    val everySeconds: Double? = null,
    val fresh: Boolean = false,
    val stopAt: Long? = null,
)
