package dev.cairn

import dev.cairn.codec.Codec
import dev.cairn.codec.StreamCodec
import dev.cairn.codec.codecOf
import dev.cairn.comm.Communicator
import dev.cairn.comm.ROOT
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Halo
import dev.cairn.grid.Shape
import dev.cairn.item.OutputItem
import dev.cairn.item.OutputWriter
import dev.cairn.netcdf.StagedOutput
import dev.cairn.options.CheckpointOptions
import dev.cairn.random.RandomStreams
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.ElementType
import dev.cairn.state.PerRankRule
import dev.cairn.state.StreamRule
import java.io.InputStream
import java.io.OutputStream
import java.nio.file.Path

/**
 * The part of a [Simulation] for state that Cairn keeps, as delegated properties: `var time by replicated(0.0)`. The
 * property's name is the item's name. A renamed property lists its former name: `replicated(0.0) formerly "clock"`.
 */
@StateDsl
public sealed class StateProperties {
    /** The communicator of the program. */
    public abstract val ranks: Communicator

    /** This rank's index. */
    public val rank: Int get() = ranks.rank

    /** The number of ranks. */
    public val size: Int get() = ranks.size

    /** The file system of the program's files. */
    internal abstract val files: BlockStore

    /** How checkpoints are written. */
    internal abstract val options: CheckpointOptions

    internal val outputs = mutableListOf<Output>()
    internal val netcdfs = mutableListOf<NetcdfOutput>()

    internal abstract fun declare(declaration: StateBuilder.() -> Unit)

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
    ): StateProperty<Constant<DoubleField>> =
        doubles(Decomposition.rows(Shape.of(rows, columns), size), halo) { (i, j) -> initial(i, j) }

    /** A global array of doubles of any number of dimensions, decomposed for [size] ranks as [decomposition] says. */
    public fun doubles(
        decomposition: Decomposition,
        halo: Int = 0,
        initial: (cell: LongArray) -> Double,
    ): StateProperty<Constant<DoubleField>> = doubles(decomposition, Halo.of(halo), initial)

    /** As the other [doubles], with a halo of any widths, which may be periodic. */
    public fun doubles(
        decomposition: Decomposition,
        halo: Halo,
        initial: (cell: LongArray) -> Double,
    ): StateProperty<Constant<DoubleField>> {
        val field = DoubleField(ranks, decomposition, halo, initial)
        return constant(field) { name, formerly ->
            field(name, field.shape, ElementType.DOUBLE, formerly) {
                if (!field.box.isEmpty) block(field.box, field.data, field.within)
            }
        }
    }

    /** A global array, decomposed for [size] ranks as [decomposition] says; otherwise as the other [field]. */
    public inline fun <reified A : Any> field(
        decomposition: Decomposition,
        halo: Int = 0,
        noinline create: ((within: Box) -> A)? = null,
    ): StateProperty<Constant<Field<A>>> = field(decomposition, Halo.of(halo), create)

    /** As the other [field], with a halo of any widths, which may be periodic. */
    public inline fun <reified A : Any> field(
        decomposition: Decomposition,
        halo: Halo,
        noinline create: ((within: Box) -> A)? = null,
    ): StateProperty<Constant<Field<A>>> =
        field(A::class.java, decomposition.shape(), decomposition.boxes(rank), halo, create)

    /**
     * A global array of cells of any primitive type, of which this rank owns [boxes]: several, one or none. Those of all ranks
     * tile the shape.
     *
     * @param A the arrays in which the cells are, such as `LongArray`
     * @param halo how many cells beyond a box its array has in each direction
     * @param create makes the array for the cells of a box with its halo, in row-major order; if there is none, they are zero
     */
    public inline fun <reified A : Any> field(
        shape: Shape,
        boxes: List<Box>,
        halo: Int = 0,
        noinline create: ((within: Box) -> A)? = null,
    ): StateProperty<Constant<Field<A>>> = field(A::class.java, shape, boxes, Halo.of(halo), create)

    /** As the other [field], for arrays of the class [type]. */
    public fun <A : Any> field(
        type: Class<A>,
        shape: Shape,
        boxes: List<Box>,
        halo: Halo,
        create: ((within: Box) -> A)?,
    ): StateProperty<Constant<Field<A>>> {
        val field = fieldOf(ranks, type, shape, boxes, halo, create)
        return constant(field) { name, formerly ->
            field(name, shape, field.kind.type, formerly) { field.blocks.forEach { block(field.kind, it) } }
        }
    }

    /** A number that is the same on every rank. */
    public fun replicated(initial: Double): StateProperty<DoubleVariable> =
        property(DoubleVariable(initial)) { name, variable, formerly ->
            replicated(name, { variable.value }, { variable.value = it }, formerly)
        }

    /** A number that is the same on every rank. */
    public fun replicated(initial: Long): StateProperty<LongVariable> =
        property(LongVariable(initial)) { name, variable, formerly ->
            replicated(name, { variable.value }, { variable.value = it }, formerly)
        }

    /** A number that is the same on every rank. */
    public fun replicated(initial: Int): StateProperty<IntVariable> =
        property(IntVariable(initial)) { name, variable, formerly ->
            replicated(name, { variable.value }, { variable.value = it }, formerly)
        }

    /** A value that is the same on every rank, of a `@Serializable` type. */
    public inline fun <reified T> replicated(initial: T): StateProperty<Variable<T>> = replicated(initial, codecOf<T>())

    /** A value that is the same on every rank. */
    public fun <T> replicated(
        initial: T,
        codec: Codec<T>,
    ): StateProperty<Variable<T>> =
        property(Variable(initial)) { name, variable, formerly ->
            replicated(name, codec, { variable.value }, { variable.value = it }, formerly)
        }

    /** A value of this rank's own, of a `@Serializable` type; [rule] applies on another number of ranks. */
    public inline fun <reified T> perRank(
        initial: T,
        rule: PerRankRule<T> = PerRankRule.Refuse(),
    ): StateProperty<Variable<T>> = perRank(initial, codecOf<T>(), rule)

    /** A value of this rank's own; [rule] applies on another number of ranks. */
    public fun <T> perRank(
        initial: T,
        codec: Codec<T>,
        rule: PerRankRule<T> = PerRankRule.Refuse(),
    ): StateProperty<Variable<T>> =
        property(Variable(initial)) { name, variable, formerly ->
            perRank(name, codec, { variable.value }, { variable.value = it }, rule, formerly)
        }

    /**
     * This rank's part of a number, such as of a sum, at first [neutral]. On another number of ranks rank 0 gets all parts,
     * merged, and the others [neutral].
     */
    public fun accumulator(
        neutral: Double,
        merge: (Double, Double) -> Double,
    ): StateProperty<DoubleVariable> =
        property(DoubleVariable(neutral)) { name, variable, formerly ->
            accumulator(name, { variable.value }, { variable.value = it }, neutral, merge, formerly)
        }

    /** This rank's part of a number; as the other [accumulator]. */
    public fun accumulator(
        neutral: Long,
        merge: (Long, Long) -> Long,
    ): StateProperty<LongVariable> =
        property(LongVariable(neutral)) { name, variable, formerly ->
            accumulator(name, { variable.value }, { variable.value = it }, neutral, merge, formerly)
        }

    /** This rank's part of a number; as the other [accumulator]. */
    public fun accumulator(
        neutral: Int,
        merge: (Int, Int) -> Int,
    ): StateProperty<IntVariable> =
        property(IntVariable(neutral)) { name, variable, formerly ->
            accumulator(name, { variable.value }, { variable.value = it }, neutral, merge, formerly)
        }

    /** This rank's part of a value of a `@Serializable` type; as the other [accumulator]. */
    public inline fun <reified T> accumulator(
        neutral: T,
        noinline merge: (T, T) -> T,
    ): StateProperty<Variable<T>> = accumulator(neutral, codecOf<T>(), merge)

    /** This rank's part of a value; as the other [accumulator]. */
    public fun <T> accumulator(
        neutral: T,
        codec: Codec<T>,
        merge: (T, T) -> T,
    ): StateProperty<Variable<T>> =
        property(Variable(neutral)) { name, variable, formerly ->
            accumulator(name, codec, { variable.value }, { variable.value = it }, neutral, merge, formerly)
        }

    /**
     * A table whose rows are Java records, or data classes with `@JvmRecord`, with a column for each component. The
     * list may be another one at every step; [rules] apply to its rows on another number of ranks.
     */
    public inline fun <reified R : Any> table(
        rows: List<R>,
        noinline rules: RowRules<R>.() -> Unit,
    ): StateProperty<Variable<List<R>>> = table(R::class.java, rows, rules)

    /** A table whose rows are records of the class [type]; as the other [table]. */
    public fun <R : Any> table(
        type: Class<R>,
        rows: List<R>,
        rules: RowRules<R>.() -> Unit,
    ): StateProperty<Variable<List<R>>> =
        property(Variable(rows)) { name, variable, formerly ->
            table(name, type, { variable.value }, { variable.value = it }, rules, formerly)
        }

    /** A table whose rows are in the arrays of [columns]; [rules] apply to them on another number of ranks. */
    public fun <C : Columns> table(
        columns: C,
        rules: TableBuilder.() -> Unit,
    ): StateProperty<Constant<C>> =
        constant(columns) { name, formerly ->
            table(name, formerly) {
                columns.declareIn(this)
                rules()
            }
        }

    /** Random numbers that are a function of [seed], id, step and draw. */
    public fun randomStreams(seed: Long): StateProperty<Constant<RandomStreams>> {
        val streams = RandomStreams(seed)
        return constant(streams) { name, formerly -> randomStreams(name, streams, formerly) }
    }

    /**
     * A value of this rank's own, of any size, which [codec] writes into a stream, and which a restart replaces by the one that it
     * reads. The first save of a run reads the stored bytes back before it is committed. [rule] applies on another number of ranks.
     */
    public fun <T> stream(
        initial: T,
        codec: StreamCodec<T>,
        rule: PerRankRule<T> = PerRankRule.Refuse(),
    ): StateProperty<Variable<T>> =
        property(Variable(initial)) { name, variable, formerly ->
            stream(name, codec, { variable.value }, { variable.value = it }, rule, formerly)
        }

    /**
     * The bytes that [value] writes; their number is not known beforehand. The streams are closed by Cairn.
     * No save can try whether [read] can read them, since it changes [value]: prefer a stream with a [StreamCodec].
     *
     * @param rule says what becomes of it on another number of ranks
     */
    public fun <T> stream(
        value: T,
        write: T.(target: OutputStream) -> Unit,
        read: T.(source: InputStream) -> Unit,
        rule: StreamRule = StreamRule.Refuse,
    ): StateProperty<Constant<T>> =
        constant(value) { name, formerly -> stream(name, { value.write(it) }, { value.read(it) }, rule, formerly) }

    /**
     * A [file] to which rank 0 appends. A restart cuts off the bytes that were appended after the checkpoint. If no
     * restored checkpoint contains the output, it begins anew, and an existing file is kept as `file.1`, or under the
     * next free number.
     */
    public fun output(file: Path): StateProperty<Constant<Output>> {
        val store = files
        val writer = if (rank == ROOT) OutputWriter(file, store) else null
        val output = Output(file, writer).also { outputs += it }
        return constant(output) { name, formerly -> add(OutputItem(name, nextKey, formerly, file, store, writer)) }
    }

    /**
     * A NetCDF [file] that all ranks write together, record by record. A restart, on any number of ranks, takes back the records that
     * were appended after the checkpoint. If no restored checkpoint contains the output, it begins anew, and an existing file is kept
     * as `file.1`, or under the next free number.
     */
    public fun netcdf(
        file: Path,
        declare: NetcdfBuilder.() -> Unit,
    ): StateProperty<Constant<NetcdfOutput>> {
        val store = files
        val staged = StagedOutput(ranks.limitedBy(options), store, file, planOf(file, ranks, options, declare))
        val output = NetcdfOutput(file, staged).also { netcdfs += it }
        return constant(output) { name, formerly -> addNetcdf(name, formerly, file, store, staged) }
    }

    /** A value with which the program was started, the same on all ranks; see [StateBuilder.parameter]. */
    public fun parameter(
        name: String,
        value: Any,
    ): Unit = declare { parameter(name, value) }

    /** The parameter of this [name] may have another value in older checkpoints: a restart logs the change. */
    public fun allowChange(name: String): Unit = declare { allowChange(name) }

    /** In older checkpoints the item [name] may have one of these [names]; as `by … formerly "old"` says of a property. */
    public fun formerly(
        name: String,
        vararg names: String,
    ): Unit = declare { formerly(name, *names) }

    /** Older checkpoints may hold an item or a parameter of this name, which this program no longer needs. */
    public fun removed(name: String): Unit = declare { removed(name) }

    /** Calls [action] at the beginning of every save, on every rank; see [StateBuilder.beforeSave]. */
    public fun beforeSave(action: Runnable): Unit = declare { beforeSave(action) }

    /** Calls [action] after every restore, on every rank; see [StateBuilder.afterRestore]. */
    public fun afterRestore(action: Runnable): Unit = declare { afterRestore(action) }

    /** What a trial of restarts compares beside the state: `witness { "$clock" }`; see [StateBuilder.witness]. */
    public fun witness(
        name: String = "witness",
        value: () -> Any,
    ): Unit = declare { witness(name, value) }

    /** Declares state that the program keeps itself. */
    public fun state(declaration: StateBuilder.() -> Unit): Unit = declare(declaration)

    private fun <V> property(
        variable: V,
        declaration: StateBuilder.(name: String, variable: V, formerly: List<String>) -> Unit,
    ) = StateProperty { name, formerly ->
        declare { declaration(name, variable, formerly) }
        variable
    }

    private fun <T> constant(
        value: T,
        declaration: StateBuilder.(name: String, formerly: List<String>) -> Unit,
    ): StateProperty<Constant<T>> = property(Constant(value)) { name, _, formerly -> declaration(name, formerly) }
}
