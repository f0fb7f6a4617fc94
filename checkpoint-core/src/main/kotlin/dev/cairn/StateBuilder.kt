package dev.cairn

import dev.cairn.event.requireDeclared
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Halo
import dev.cairn.grid.Shape
import dev.cairn.item.ClosedFile
import dev.cairn.item.CodedStreamItem
import dev.cairn.item.Coverage
import dev.cairn.item.FieldItem
import dev.cairn.item.FlushedFile
import dev.cairn.item.GraphItem
import dev.cairn.item.OutputItem
import dev.cairn.item.OutputWriter
import dev.cairn.item.PlainStreamItem
import dev.cairn.output.StagedOutput
import dev.cairn.output.netcdfItem
import dev.cairn.output.waitingItem
import dev.cairn.ranks.ROOT
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.state.ElementType
import dev.cairn.state.PerRankRule
import dev.cairn.state.StreamCodec
import dev.cairn.state.StreamRule
import dev.cairn.state.ThrowingConsumer
import dev.cairn.state.ThrowingFunction
import dev.cairn.state.ThrowingRunnable
import java.io.Flushable
import java.io.InputStream
import java.io.OutputStream
import java.nio.file.Path
import java.util.concurrent.Callable

/** Keeps the scopes of the state's declaration apart. */
@DslMarker
internal annotation class StateDsl

/**
 * Declares something with a [B], which in Kotlin is the receiver of the lambda.
 * Called on the thread of the rank that declares it, before the function that takes it returns or whenever that says.
 */
public fun interface Declaring<B> {
    @Throws(Exception::class)
    public fun B.declare()
}

internal fun <B> Declaring<B>.on(builder: B): B = builder.apply { declare() }

/**
 * Declares the state of one rank. All ranks declare the same items in the same order, each with its own arrays and values.
 *
 * Some functions take a name first, and the program's own arrays or functions: the program keeps its state; saving reads it,
 * restoring writes it. Others take first values: Cairn keeps the state, and they return a [StateProperty], which gets its name from
 * a delegated property or from [StateProperty.named].
 *
 * An item is identified by its [name][field] in every checkpoint. [formerly] lists the former names of a renamed item.
 * [removed] lists items of older checkpoints that the program no longer needs.
 */
@StateDsl
public open class StateBuilder internal constructor(state: Declarations) : ValueBuilder(state) {
    /**
     * A global array of [shape], of which this rank owns the blocks that [blocks] lists: several, one or none. The
     * blocks of all ranks tile the shape, unless it is [sparse][Field.Builder.sparse]. Comes back on any number of
     * ranks.
     *
     * Blocks may move, grow and shrink while the program runs: [blocks] is called when the field is declared, when the
     * checkpoints are opened, and again at every save and every restore. It lists the arrays that the program has at
     * that time. A restore calls it after all values are restored, so the blocks may depend on a declared value, such
     * as a list of boxes.
     */
    @JvmOverloads
    public fun field(
        name: String,
        shape: Shape,
        type: ElementType,
        formerly: List<String> = emptyList(),
        blocks: Declaring<Field.Builder>,
    ) {
        val word = state.words.wordFor("field")
        val declared = Field.Builder(word, name, shape, type).listing(blocks)
        val coverage = declared.coverage
        requireDeclared(coverage == Coverage.WHOLE || declared.concentrators == null, name) {
            "field '$name' is sparse, and concentrators write whole fields only: leave out concentrate() or sparse()"
        }
        state.add(
            FieldItem(state.name(name, formerly), type, shape, coverage, declared.concentrators) {
                Field.Builder(word, name, shape, type).listing(blocks).blocksOf(coverage)
            },
        )
    }

    /**
     * A global array of cells of any primitive type, of which this rank owns [boxes]: several, one or none. Those of all ranks
     * tile the shape.
     *
     * @param A the arrays in which the cells are, such as `LongArray`
     * @param halo how many cells beyond a box its array has in each direction
     * @param create makes the array for the cells of a box with its halo, in row-major order; if there is none, they are zero
     */
    @JvmOverloads
    public fun <A : Any> field(
        type: Class<A>,
        shape: Shape,
        boxes: List<Box>,
        halo: Halo = Halo.NONE,
        create: ThrowingFunction<Box, A>? = null,
    ): StateProperty<Constant<Field<A>>> =
        constant("field", fieldOf(state.ranks, type, shape, boxes, halo, create)) { name, field, formerly ->
            field(name, shape, field.kind.type, formerly) {
                field.blocks.forEach { block(it.box, it.cells, it.within) }
            }
        }

    /** The same, of which each rank owns what [decomposition] says. */
    @JvmOverloads
    public fun <A : Any> field(
        type: Class<A>,
        decomposition: Decomposition,
        halo: Halo = Halo.NONE,
        create: ThrowingFunction<Box, A>? = null,
    ): StateProperty<Constant<Field<A>>> =
        field(type, decomposition.shape(), decomposition.boxes(state.ranks.rank), halo, create)

    /** The same for arrays [A]. */
    public inline fun <reified A : Any> field(
        shape: Shape,
        boxes: List<Box>,
        halo: Halo = Halo.NONE,
        create: ThrowingFunction<Box, A>? = null,
    ): StateProperty<Constant<Field<A>>> = field(A::class.java, shape, boxes, halo, create)

    /** The same for arrays [A], of which each rank owns what [decomposition] says. */
    public inline fun <reified A : Any> field(
        decomposition: Decomposition,
        halo: Halo = Halo.NONE,
        create: ThrowingFunction<Box, A>? = null,
    ): StateProperty<Constant<Field<A>>> = field(A::class.java, decomposition, halo, create)

    /** The same with a halo of one width, which is not periodic. */
    public inline fun <reified A : Any> field(
        decomposition: Decomposition,
        halo: Int,
        create: ThrowingFunction<Box, A>? = null,
    ): StateProperty<Constant<Field<A>>> = field(A::class.java, decomposition, Halo.of(halo), create)

    /**
     * A global array of doubles, whose rows are dealt to the ranks.
     *
     * @param halo how many cells beyond its own a rank sees in each direction
     * @param initial the first value of a cell; also beyond the edges, where the halo keeps it
     */
    @JvmOverloads
    public fun doubles(
        rows: Long,
        columns: Long,
        halo: Int = 0,
        initial: CellValue,
    ): StateProperty<Constant<DoubleField>> =
        doubles(Decomposition.rows(Shape.of(rows, columns), state.ranks.size), halo) { (i, j) -> initial.at(i, j) }

    /** A global array of doubles of any number of dimensions, decomposed for all ranks as [decomposition] says. */
    @JvmOverloads
    public fun doubles(
        decomposition: Decomposition,
        halo: Int = 0,
        initial: ThrowingFunction<LongArray, Double>,
    ): StateProperty<Constant<DoubleField>> = doubles(decomposition, Halo.of(halo), initial)

    /** As the other [doubles], with a halo of any widths, which may be periodic. */
    public fun doubles(
        decomposition: Decomposition,
        halo: Halo,
        initial: ThrowingFunction<LongArray, Double>,
    ): StateProperty<Constant<DoubleField>> =
        constant("doubles", DoubleField(state.ranks, decomposition, halo, initial)) { name, field, formerly ->
            field(name, field.shape, ElementType.DOUBLE, formerly) {
                if (!field.box.isEmpty) block(field.box, field.data, field.within)
            }
        }

    /**
     * Rows of primitive values, such as particles; each rank has any number of them, which may differ at every save.
     * [columns] lists the program's arrays, and the rule for the rows on another number of ranks. On the same number
     * each rank gets its own rows back, in their order.
     *
     * A restore gives the program new arrays, since the number of rows may differ.
     */
    @JvmOverloads
    public fun table(name: String, formerly: List<String> = emptyList(), columns: Declaring<Columns>): Unit =
        state.add(columns.on(Columns()).item(state.name(name, formerly)))

    /** A table whose rows are in the arrays of [columns], which Cairn keeps; [rules] apply to them on another number of ranks. */
    public fun <C : Columns> table(columns: C, rules: Declaring<Columns>): StateProperty<Constant<C>> {
        rules.on(columns)
        return constant("table", columns) { name, _, formerly ->
            state.add(columns.item(state.name(name, formerly)))
        }
    }

    /**
     * A table whose rows are the objects in the list that [get] returns: records, or objects of another class of the program, of which each
     * component or field is a column. A restart makes new objects, and gives [set] a new list of them, in the order in which they were
     * saved. A save refuses what would not come back.
     */
    @JvmOverloads
    @JvmSuppressWildcards
    public fun <R : Any> rows(
        name: String,
        type: Class<R>,
        get: Callable<List<R>>,
        set: ThrowingConsumer<List<R>>,
        formerly: List<String> = emptyList(),
        rules: Declaring<ObjectRows<R>>,
    ): Unit = add(name, rules.on(ObjectRows(type, get, set, state.linked)), formerly)

    /**
     * A table whose rows are in no list of the program: a save takes the objects to which rows lead, directly or by others, in the order in
     * which it meets them. A restart makes them anew, and all that led to them leads there again. They stay on their rank: on another
     * number of ranks the restart is refused.
     */
    @JvmOverloads
    public fun <R : Any> rows(
        name: String,
        type: Class<R>,
        formerly: List<String> = emptyList(),
        rules: Declaring<ObjectRows<R>>,
    ): Unit = add(name, rules.on(ObjectRows(type, null, {}, state.linked)), formerly)

    private fun add(name: String, rows: ObjectRows<*>, formerly: List<String>) {
        val item = rows.item(state.name(name, formerly))
        state.add(item)
        for (lists in item.lists) {
            state.add(lists.item(state.name(lists.name, formerly.map { "$it.${lists.field.name}" }), item))
        }
    }

    /** A table whose rows are objects of the class [R]. */
    @JvmSynthetic
    public inline fun <reified R : Any> rows(
        name: String,
        noinline get: () -> List<R>,
        noinline set: (List<R>) -> Unit,
        formerly: List<String> = emptyList(),
        rules: Declaring<ObjectRows<R>>,
    ): Unit = rows(name, R::class.java, get, set, formerly, rules)

    /** A table whose rows are objects of the class [R] in no list, to which other rows lead. */
    @JvmSynthetic
    public inline fun <reified R : Any> rows(
        name: String,
        formerly: List<String> = emptyList(),
        rules: Declaring<ObjectRows<R>>,
    ): Unit = rows(name, R::class.java, formerly, rules)

    /** A table whose rows are objects of the class [type] in a list that Cairn keeps, which may be another one at every step. */
    @JvmSuppressWildcards
    public fun <R : Any> rows(
        type: Class<R>,
        rows: List<R>,
        rules: Declaring<ObjectRows<R>>,
    ): StateProperty<Variable<List<R>>> =
        property("rows", Variable(rows)) { name, variable, formerly ->
            rows(name, type, { variable.value }, { variable.value = it }, formerly, rules)
        }

    /** A table whose rows are objects in a list that Cairn keeps. */
    public inline fun <reified R : Any> rows(
        rows: List<R>,
        rules: Declaring<ObjectRows<R>>,
    ): StateProperty<Variable<List<R>>> = rows(R::class.java, rows, rules)

    /**
     * A value of each rank's own, of any size, which [codec] writes into a stream: saving writes what [get] returns, restoring reads a
     * value and calls [set]. The first save of a run reads the stored bytes back before it is committed, and fails if they cannot be
     * read to their end. [rule] applies on another number of ranks.
     */
    @JvmOverloads
    public fun <T> stream(
        name: String,
        codec: StreamCodec<T>,
        get: Callable<T>,
        set: ThrowingConsumer<T>,
        rule: PerRankRule<T> = PerRankRule.Refuse(),
        formerly: List<String> = emptyList(),
    ): Unit = state.add(CodedStreamItem(state.name(name, formerly), codec, get::call, set::accept, rule))

    /** The same, of a value that Cairn keeps, at first [initial]. */
    @JvmOverloads
    public fun <T> stream(
        initial: T,
        codec: StreamCodec<T>,
        rule: PerRankRule<T> = PerRankRule.Refuse(),
    ): StateProperty<Variable<T>> =
        property("stream", Variable(initial)) { name, variable, formerly ->
            stream(name, codec, { variable.value }, { variable.value = it }, rule, formerly)
        }

    /**
     * The object that [get] returns on each rank, and all objects that it leads to: a graph, with cycles and whatever else objects of the
     * program, arrays and the JDK's collections make up. A restart makes them anew, without calling constructors, and gives the first
     * one to [set] when all of them are there. Left out are `transient` fields. A save refuses with its path what would not come back, such
     * as a lambda, a thread, or an object that another item holds, too. [rule] applies on another number of ranks.
     */
    @JvmOverloads
    public fun <T> graph(
        name: String,
        get: Callable<T>,
        set: ThrowingConsumer<T>,
        rule: PerRankRule<T> = PerRankRule.Refuse(),
        formerly: List<String> = emptyList(),
        rules: Declaring<GraphRules>,
    ) {
        val scope = rules.on(GraphRules(name)).scope
        state.add(GraphItem(state.name(name, formerly), scope, get::call, set::accept, rule, state.reached))
    }

    /** The same graph, of the package of its class alone. Another number of ranks is refused. */
    public fun <T> graph(name: String, get: Callable<T>, set: ThrowingConsumer<T>): Unit = graph(name, get, set) {}

    /**
     * Bytes of each rank, of unknown length: saving calls [write], restoring calls [read], which reads to the end and replaces what
     * the program has. All frames of the checkpoint have been checked then.
     * [rule] applies on another number of ranks. The streams are closed by Cairn.
     *
     * Since [read] changes the program, no save can try whether it can read what [write] has written. Prefer a stream with a
     * [StreamCodec], and flush here whatever [write] wraps around its stream.
     */
    @JvmOverloads
    public fun stream(
        name: String,
        write: ThrowingConsumer<OutputStream>,
        read: ThrowingConsumer<InputStream>,
        rule: StreamRule = StreamRule.Refuse,
        formerly: List<String> = emptyList(),
    ): Unit = state.add(PlainStreamItem(state.name(name, formerly), write, read, rule))

    /**
     * A [file] to which rank 0 appends through an [Output]. A restart cuts off the bytes that were appended after the checkpoint. If
     * no restored checkpoint contains the output, it begins anew, and an existing file is kept as `file.1`, or under the next free
     * number.
     */
    public fun output(file: Path): StateProperty<Constant<Output>> {
        val writer = if (state.ranks.rank == ROOT) OutputWriter(file, state.files) else null
        return constant("output", Output(file, writer).also { state.outputs += it }) { name, output, formerly ->
            state.add(OutputItem(state.name(name, formerly), file, state.files, writer) { output.form })
        }
    }

    /** The same, with its name. What is appended before the restore waits, and is dropped if the run continues. */
    @JvmOverloads
    public fun output(name: String, file: Path, formerly: List<String> = emptyList()): Output =
        formerly.fold(output(file)) { output, former -> output formerly former }.named(name).value

    /**
     * A [file] that rank 0 opens itself to append, the same on all ranks, and closes before each save, as `Files.writeString` does. A
     * program that keeps the file open uses the other [appendedFile]: bytes in a buffer of the program are in no save. If it looks as if
     * there were any, a warning says so once.
     *
     * Its content is not saved: a restore truncates it to its length in the checkpoint, and the program then opens it to append
     * again. If no restored checkpoint contains the output, it is not cut: a program that begins anew empties it itself, and a
     * warning says so if it is not empty then. A save fails if the file no longer begins with what it had at the restore or at the save
     * before.
     *
     * @param files the file system of the file
     */
    @JvmOverloads
    public fun appendedFile(
        name: String,
        file: Path,
        formerly: List<String> = emptyList(),
        files: BlockStore = FileBlockStore(),
    ): Unit = state.add(OutputItem(state.name(name, formerly), file, files, ClosedFile(name, file)))

    /**
     * As the other [appendedFile], for a program that keeps the file open: each save flushes what waits in a buffer, on rank 0 and on the
     * thread that saves. If that throws an [java.io.IOException], the save fails; any other exception ends the program.
     *
     * @param flush the writer or stream, if it is open already; or a function that flushes it if it is open, since most programs open
     *     the file after the restore, to append
     */
    @JvmOverloads
    public fun appendedFile(
        name: String,
        file: Path,
        flush: Flushable,
        formerly: List<String> = emptyList(),
        files: BlockStore = FileBlockStore(),
    ): Unit = state.add(OutputItem(state.name(name, formerly), file, files, FlushedFile(name, file, flush)))

    /** The same with a function as the last argument: `appendedFile("log", file) { log?.flush() }`. */
    @JvmSynthetic
    public fun appendedFile(
        name: String,
        file: Path,
        formerly: List<String> = emptyList(),
        files: BlockStore = FileBlockStore(),
        flush: () -> Unit,
    ): Unit = appendedFile(name, file, Flushable(flush), formerly, files)

    /**
     * A NetCDF [file] that all ranks write together, record by record. A restart, on any number of ranks, takes back the records that
     * were appended after the checkpoint. It begins when the program restores, or finds nothing to restore: then an existing file is
     * kept as `file.1`, or under the next free number. A program with a loop of its own flushes it after the last record, since no
     * save may follow.
     *
     * @param files the file system of the file; by default that of the checkpoints
     */
    @JvmOverloads
    public fun netcdf(
        file: Path,
        files: BlockStore? = null,
        declare: Declaring<NetcdfBuilder>,
    ): StateProperty<Constant<NetcdfOutput>> {
        val store = files ?: state.files
        val ranks = state.ranks
        val staged =
            StagedOutput(ranks.limitedBy(state.options), store, file, planOf(file, ranks, state.options, declare))
        return constant("netcdf", NetcdfOutput(file, staged).also { state.netcdfs += it }) { name, _, formerly ->
            addNetcdf(name, formerly, file, store, staged)
        }
    }

    internal fun addNetcdf(name: String, formerly: List<String>, file: Path, files: BlockStore, staged: StagedOutput) {
        state.add(netcdfItem(state.name(name, formerly), file, files, staged))
        state.add(waitingItem(state.name(name, formerly), staged))
    }

    /**
     * In older checkpoints the item or parameter [name] may have one of these [names]; so may an item that lists them itself.
     *
     * The same for a property inside a value, `formerly("config.b", "a")`, for a constant of an enum,
     * `formerly("config.color.CRIMSON", "RED")`, and for a class that a value of several may have. Then [name] is its
     * path in the present value: the name of the item and the names of properties, separated by dots; elements of lists
     * and maps are not part of the path.
     */
    public fun formerly(name: String, vararg names: String) {
        state.formerly[name] = state.formerly[name].orEmpty() + names
    }

    /**
     * Older checkpoints may hold an item or a parameter of this name, or a property such as `config.b` inside a value, which
     * this program no longer needs.
     */
    public fun removed(name: String) {
        state.removed += name
    }

    /**
     * The program runs on one rank only, such as one whose parts are not distributed. A start on more is refused here, and no save
     * says what a restart on more would do.
     */
    public fun oneRankOnly() {
        requireDeclared(state.ranks.size == 1) {
            "the program runs on one rank only, as it says by oneRankOnly(), but was started on ${state.ranks.size}: " +
                "start it on one"
        }
        state.isForOneRank = true
    }

    /**
     * The [parameter] of this [name] may have another value in older checkpoints: a restart logs the change. The name of a record stands
     * for its class alone: each component that may change is named, such as `settings.sweeps`.
     */
    public fun allowChange(name: String) {
        state.changing += name
    }

    /**
     * Calls [action] at the beginning of every save, on every rank and its thread, before the program is asked for anything: it
     * brings what is saved up to date with what is not, such as an array with a tree. Several are called in the order of their
     * declaration. All ranks declare as many. It must not call the communicator, and an exception fails the save on all ranks.
     */
    public fun beforeSave(action: ThrowingRunnable) {
        state.requireUnsealed {
            "beforeSave is declared after the first step has begun: declare it before, for all saves"
        }
        state.beforeSave.add(action)
    }

    /**
     * Calls [action] after every restore, on every rank and its thread, when all items are back and before the first step: it
     * rebuilds what follows from several of them. It is not called if nothing is restored. Otherwise as [beforeSave]; an exception
     * fails the restore on all ranks.
     */
    public fun afterRestore(action: ThrowingRunnable) {
        state.requireUnsealed {
            "afterRestore is declared after the first step has begun: declare it before the restore"
        }
        state.afterRestore.add(action)
    }
}
