package dev.cairn

import dev.cairn.codec.StreamCodec
import dev.cairn.comm.Communicator
import dev.cairn.failure.requireDeclared
import dev.cairn.grid.Shape
import dev.cairn.item.BoundRecords
import dev.cairn.item.ClosedFile
import dev.cairn.item.CodedStreamItem
import dev.cairn.item.Coverage
import dev.cairn.item.Declared
import dev.cairn.item.FieldItem
import dev.cairn.item.FlushedFile
import dev.cairn.item.Hooks
import dev.cairn.item.OutputItem
import dev.cairn.item.PlainStreamItem
import dev.cairn.item.StateItem
import dev.cairn.item.afterRestoreFailed
import dev.cairn.item.beforeSaveFailed
import dev.cairn.netcdf.StagedOutput
import dev.cairn.netcdf.netcdfItem
import dev.cairn.netcdf.waitingItem
import dev.cairn.options.CheckpointOptions
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.state.ElementType
import dev.cairn.state.PerRankRule
import dev.cairn.state.StreamReading
import dev.cairn.state.StreamRule
import dev.cairn.state.StreamWriting
import java.io.Flushable
import java.nio.file.Path
import java.util.function.Consumer
import java.util.function.Supplier

/** Keeps the scopes of the state's declaration apart. */
@DslMarker
public annotation class StateDsl

/**
 * Declares the state of one rank. All ranks declare the same items in the same order, each with its own arrays and
 * values. The program keeps its arrays and objects; saving reads them, restoring writes them.
 *
 * An item is identified by its [name][field] in every checkpoint. [formerly] lists the former names of a renamed item.
 * [removed] lists items of older checkpoints that the program no longer needs.
 */
@StateDsl
public class StateBuilder internal constructor(
    private val options: CheckpointOptions,
    private val program: String? = null,
) : ValueBuilder() {
    internal val removed = mutableSetOf<String>()
    internal val formerly = mutableMapOf<String, List<String>>()
    internal val changing = mutableSetOf<String>()
    private val beforeSave = Hooks("beforeSave", ::beforeSaveFailed)
    private val afterRestore = Hooks("afterRestore", ::afterRestoreFailed)
    internal val declared: Declared
        get() = Declared(items, removed, formerly, parameters, changing, program, beforeSave, afterRestore, witnesses)

    /**
     * A global array of [shape], of which this rank owns the blocks that [blocks] lists: several, one or none. The
     * blocks of all ranks tile the shape, unless it is [sparse][FieldBuilder.sparse]. Comes back on any number of
     * ranks.
     *
     * Blocks may move, grow and shrink while the program runs: [blocks] is called when the field is declared, when the
     * checkpoints are opened, and again at every save and every restore. It lists the arrays that the program has at
     * that time. A restore calls it after all values are restored, so the blocks may depend on a declared value, such
     * as a list of boxes.
     */
    @JvmSynthetic
    public fun field(
        name: String,
        shape: Shape,
        type: ElementType,
        formerly: List<String> = emptyList(),
        blocks: FieldBuilder.() -> Unit,
    ) {
        val declared = FieldBuilder("field '$name'", shape, type).named(blocks)
        val coverage = declared.coverage
        requireDeclared(coverage == Coverage.WHOLE || declared.concentrators == null) {
            "field '$name' is sparse, and concentrators write whole fields only: leave out concentrate() or sparse()"
        }
        add(
            FieldItem(name, nextKey, formerly, type, shape, coverage, declared.concentrators) {
                FieldBuilder("field '$name'", shape, type).named(blocks).blocksOf(coverage)
            },
        )
    }

    /** The same for Java. */
    @JvmOverloads
    public fun field(
        name: String,
        shape: Shape,
        type: ElementType,
        blocks: Consumer<FieldBuilder>,
        formerly: List<String> = emptyList(),
    ): Unit = field(name, shape, type, formerly) { blocks.accept(this) }

    /**
     * Rows of primitive values, such as particles; each rank has any number of them, which may differ at every save.
     * [columns] lists the program's arrays, and the rule for the rows on another number of ranks. On the same number
     * each rank gets its own rows back, in their order.
     *
     * A restore gives the program new arrays, since the number of rows may differ.
     */
    @JvmSynthetic
    public fun table(
        name: String,
        formerly: List<String> = emptyList(),
        columns: TableBuilder.() -> Unit,
    ) {
        val builder = TableBuilder(name).apply(columns)
        add(builder.item(nextKey, formerly))
    }

    /** As the other [table], for Java. */
    @JvmOverloads
    public fun table(
        name: String,
        columns: Consumer<TableBuilder>,
        formerly: List<String> = emptyList(),
    ): Unit = table(name, formerly) { columns.accept(this) }

    /**
     * A table whose rows are Java records, of which each component is a column, or Kotlin data classes with `@JvmRecord`. While
     * it is saved or restored there is a copy of it in arrays, so very large tables are better declared by columns.
     */
    @JvmOverloads
    @JvmSuppressWildcards
    public fun <R : Any> table(
        name: String,
        type: Class<R>,
        get: Supplier<List<R>>,
        set: Consumer<List<R>>,
        rules: Consumer<RowRules<R>> = Consumer { },
        formerly: List<String> = emptyList(),
    ) {
        val source = BoundRecords(name, type, get::get, set::accept)
        val builder = RecordRules(name, source).also(rules::accept)
        add(builder.item(nextKey, formerly))
    }

    /** A table whose rows are Java records, or Kotlin data classes with `@JvmRecord`. */
    @JvmSynthetic
    public inline fun <reified R : Any> table(
        name: String,
        noinline get: () -> List<R>,
        noinline set: (List<R>) -> Unit,
        formerly: List<String> = emptyList(),
        noinline rules: RowRules<R>.() -> Unit,
    ): Unit = table(name, R::class.java, get, set, rules, formerly)

    /**
     * A value of each rank's own, of any size, which [codec] writes into a stream: saving writes what [get] returns, restoring reads a
     * value and calls [set]. The first save of a run reads the stored bytes back before it is committed, and fails if they cannot be
     * read to their end. [rule] applies on another number of ranks.
     */
    @JvmOverloads
    public fun <T> stream(
        name: String,
        codec: StreamCodec<T>,
        get: Supplier<T>,
        set: Consumer<T>,
        rule: PerRankRule<T> = PerRankRule.Refuse(),
        formerly: List<String> = emptyList(),
    ): Unit = add(CodedStreamItem(name, nextKey, formerly, codec, get::get, set::accept, rule))

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
        write: StreamWriting,
        read: StreamReading,
        rule: StreamRule = StreamRule.Refuse,
        formerly: List<String> = emptyList(),
    ): Unit = add(PlainStreamItem(name, nextKey, formerly, write, read, rule))

    /**
     * A [file] to which rank 0 appends, the same on all ranks, and which it closes before each save, as `Files.writeString` does. A
     * program that keeps the file open uses the other [output]: bytes in a buffer of the program are in no save. If it looks as if
     * there were any, a warning says so once.
     *
     * Its content is not saved: a restore cuts it back to its length in the checkpoint, and the program then opens it to append
     * again. If no restored checkpoint contains the output, it is not cut: a program that begins anew empties it itself, and a
     * warning says so if it is not empty then.
     *
     * @param files the file system in which it lies
     */
    @JvmOverloads
    public fun output(
        name: String,
        file: Path,
        formerly: List<String> = emptyList(),
        files: BlockStore = FileBlockStore(),
    ): Unit = add(OutputItem(name, nextKey, formerly, file, files, ClosedFile(name, file)))

    /**
     * As the other [output], for a program that keeps the file open: each save flushes what waits in a buffer, on rank 0 and on the
     * thread that saves. If that throws an [java.io.IOException], the save fails; any other exception ends the program.
     *
     * @param flush the writer or stream, if it is open already; or a function that flushes it if it is open, since most programs open
     *     the file after the restore, to append
     */
    @JvmOverloads
    public fun output(
        name: String,
        file: Path,
        flush: Flushable,
        formerly: List<String> = emptyList(),
        files: BlockStore = FileBlockStore(),
    ): Unit = add(OutputItem(name, nextKey, formerly, file, files, FlushedFile(name, file, flush)))

    /** The same with a function as the last argument: `output("log", file) { log?.flush() }`. */
    @JvmSynthetic
    public fun output(
        name: String,
        file: Path,
        formerly: List<String> = emptyList(),
        files: BlockStore = FileBlockStore(),
        flush: () -> Unit,
    ): Unit = output(name, file, Flushable(flush), formerly, files)

    /**
     * A NetCDF [file] that all ranks write together, record by record, and that a restore cuts back to the records of the checkpoint. It
     * begins when the program restores, or finds nothing to restore: then an existing file is kept as `file.1`, or under the next
     * free number. Flush it after the last record, since no save may follow.
     *
     * @param ranks the communicator of the program
     * @param files the file system in which it lies
     */
    @JvmSynthetic
    public fun netcdf(
        name: String,
        file: Path,
        ranks: Communicator,
        formerly: List<String> = emptyList(),
        files: BlockStore = FileBlockStore(),
        declare: NetcdfBuilder.() -> Unit,
    ): NetcdfOutput {
        val staged = StagedOutput(ranks.limitedBy(options), files, file, planOf(file, ranks, options, declare))
        addNetcdf(name, formerly, file, files, staged)
        return NetcdfOutput(file, staged)
    }

    internal fun addNetcdf(
        name: String,
        formerly: List<String>,
        file: Path,
        files: BlockStore,
        staged: StagedOutput,
    ) {
        add(netcdfItem(name, nextKey, formerly, file, files, staged))
        add(waitingItem(name, nextKey, formerly, staged))
    }

    /**
     * In older checkpoints the item or parameter [name] may have one of these [names]; so may an item that lists them itself.
     *
     * The same for a property inside a value, `formerly("config.b", "a")`, for a constant of an enum,
     * `formerly("config.color.CRIMSON", "RED")`, and for a class that a value of several may have. Then [name] is its
     * path in the present value: the name of the item and the names of properties, separated by dots; elements of lists
     * and maps are not part of the path.
     */
    public fun formerly(
        name: String,
        vararg names: String,
    ) {
        formerly[name] = formerly[name].orEmpty() + names
    }

    /**
     * Older checkpoints may hold an item or a parameter of this name, or a property such as `config.b` inside a value, which
     * this program no longer needs.
     */
    public fun removed(name: String) {
        removed += name
    }

    /** The [parameter] of this [name] may have another value in older checkpoints: a restart logs the change. */
    public fun allowChange(name: String) {
        changing += name
    }

    /**
     * Calls [action] at the beginning of every save, on every rank and its thread, before the program is asked for anything: it
     * brings what is saved up to date with what is not, such as an array with a tree. Several are called in the order of their
     * declaration. All ranks declare as many. It must not call the communicator, and an exception fails the save on all ranks.
     */
    public fun beforeSave(action: Runnable) {
        requireUnsealed { "beforeSave is declared after the first step has begun: declare it before, for all saves" }
        beforeSave.add(action)
    }

    /**
     * Calls [action] after every restore, on every rank and its thread, when all items are back and before the first step: it
     * rebuilds what follows from several of them. It is not called if nothing is restored. Otherwise as [beforeSave]; an exception
     * fails the restore on all ranks.
     */
    public fun afterRestore(action: Runnable) {
        requireUnsealed { "afterRestore is declared after the first step has begun: declare it before the restore" }
        afterRestore.add(action)
    }

    /** All names that an item may have in older checkpoints. */
    private fun formerNames(item: StateItem): List<String> = item.formerNames + formerly[item.name].orEmpty()

    override fun requireFit() {
        val names = items.map { it.name } + parameters.map { it.name }
        val missing = formerly.keys.find { it.substringBefore('.') !in names && it !in names }
        requireDeclared(missing == null) {
            "the program says former names of '$missing', but declares no such item, only " +
                "${names.joinToString { "'$it'" }}. Declare the item, or leave out its former names"
        }
        val former = items.flatMap(::formerNames) + parameters.flatMap { formerly[it.name].orEmpty() }
        val twice = (names + former + removed).repeated()
        requireDeclared(
            twice == null,
        ) { "the program has two rules for '$twice': each name stands for one item or parameter" }
        requireParameters()
    }

    private fun requireParameters() {
        val missing = changing.find { name -> parameters.none { it.name == name } }
        requireDeclared(missing == null) {
            "the program allows a change of '$missing', but declares no such parameter" +
                (if (parameters.isEmpty()) "" else ", only ${parameters.joinToString { "'${it.name}'" }}") +
                ". Declare the parameter, or leave out allowChange(\"$missing\")"
        }
    }
}
