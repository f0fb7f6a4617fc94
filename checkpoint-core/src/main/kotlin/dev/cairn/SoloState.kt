package dev.cairn

import dev.cairn.event.requireDeclared
import dev.cairn.grid.Shape
import dev.cairn.item.FieldContent
import dev.cairn.item.FieldPiece
import dev.cairn.item.ObjectFields
import dev.cairn.item.SetterEffects
import dev.cairn.item.invalid
import dev.cairn.state.ArrayKind
import dev.cairn.state.Codec
import dev.cairn.state.StreamCodec
import dev.cairn.state.ThrowingConsumer
import dev.cairn.state.ThrowingRunnable
import dev.cairn.state.codecOf
import java.io.Flushable
import java.io.InputStream
import java.io.OutputStream
import java.lang.reflect.Array
import java.nio.file.Path
import java.util.Random
import java.util.concurrent.Callable

/**
 * Declares the state of a program that is one process. The program keeps its state: a save reads it, and a restore writes it. All of it
 * is declared before the restore.
 *
 * A piece of state is identified by its name in every checkpoint; [formerly] gives the names that it had in older versions of the program.
 */
@StateDsl
public class SoloState internal constructor(private val state: StateBuilder) {
    private val objects = mutableListOf<ObjectFields>()
    private val reached get() = state.state.reached
    private val emptyArrays = mutableMapOf<String, Callable<out Any>>()
    private val generators = mutableListOf<() -> Map<String, Any?>>()
    private val effects = SetterEffects()

    /** A value that [get] returns and [set] takes back, in the bytes of [codec]. */
    public fun <T> value(name: String, codec: Codec<T>, get: Callable<T>, set: ThrowingConsumer<T>): Unit =
        state.replicated(name, codec, get, watched(name, codec, get, set))

    private fun <T> watched(name: String, codec: Codec<T>, get: Callable<T>, set: ThrowingConsumer<T>) =
        effects.watched(name, "'$name'", get::call, set::accept, codec::encode)

    /** A value of a `@Serializable` type, of a number, a text, or a list or map of these. */
    @JvmSynthetic
    public inline fun <reified T> value(name: String, noinline get: () -> T, noinline set: (T) -> Unit): Unit =
        value(name, codecOf<T>(), get, set)

    /**
     * A primitive array of a fixed length, such as a `double[]`, which [array] returns: a save writes its elements, and a restore fills it.
     * It may be another array of the same length each time. An array whose length changes is a [value].
     */
    public fun array(name: String, array: Callable<out Any>) {
        val first = now(name, array)
        array(name, Shape.of(kindOf(name, first).size(first).toLong()), array)
    }

    /** An array in row-major order, whose elements form a grid of this [shape]. */
    public fun array(name: String, shape: Shape, array: Callable<out Any>) {
        val first = now(name, array)
        val type = kindOf(name, first).type
        val isEmpty = shape.cellCount() == 0L
        requireDeclared(isEmpty || now(name, array) === first, name) {
            "the array '$name' is a new one at each call, so a restore would fill a copy: return the program's own " +
                "array, or declare it as a value"
        }
        if (isEmpty) emptyArrays[name] = array
        state.field(name, shape, type) { if (!isEmpty) block(shape.box(), array = array) }
    }

    /**
     * All fields of [from], and of the objects of the program that they lead to, as the state `name.field`; the static ones of a class.
     * Objects and collections in final fields stay where they are, and get back what they held; other fields are set. Left out are
     * `transient` fields, static ones of objects, those that can never change, and paths in [except], such as `"model"` or
     * `"chains.model"`.
     *
     * What would not come back as it was is refused, here or at the save where it arises: a stream or a thread; an object that another one
     * has replaced; a list of objects whose number changes; a value that two fields share. A restart that makes other objects, or links
     * them otherwise, is refused by the [parameter] that [name] is, too.
     */
    public fun fields(name: String, from: Any, vararg except: String) {
        val fields = ObjectFields(name, from, except.toSet(), reached)
        parameter(name, fields.links)
        fields.pieces.forEach(::declare)
        if (objects.isEmpty()) state.afterRestore(::requireSameObjects)
        objects += fields
    }

    private fun declare(piece: FieldPiece) {
        when (val content = piece.content) {
            is FieldContent.Value -> state.replicated(piece.path, content.codec, content.get, content.set)
            is FieldContent.Cells -> array(piece.path, content.get)
            is FieldContent.Generator -> state.generator(piece.path, content.get, content.set)
            is FieldContent.Generators -> state.generators(piece.path, content.byName)
            null -> return
        }
    }

    /** Ends the declarations. From then on each save looks at the state after the functions of the program, which may change it. */
    internal fun seal() {
        reachGenerators()
        reached.clear()
        state.beforeSave(::requireAsDeclared)
        state.afterRestore(effects::requireTaken)
    }

    /** Refuses a save of what a restart would not bring back, since it has changed since the declaration. */
    private fun requireAsDeclared() {
        requireStillEmpty()
        requireSameObjects()
        reachGenerators()
    }

    /** Finds what the fields lead to now. */
    private fun requireSameObjects() {
        reached.clear()
        objects.forEach { it.requireAsDeclared(reached) }
    }

    /** Refuses a generator of the JDK that two declarations lead to: a restart replaces it in each. */
    private fun reachGenerators() {
        for ((path, generator) in generators.flatMap { it().entries }) {
            if (generator?.javaClass == Random::class.java) reached.firstPathTo(generator, path, isReplaced = true)
        }
    }

    /** A save reads no array of length 0, so one that has elements now would be saved as nothing. */
    private fun requireStillEmpty() {
        for ((name, array) in emptyArrays) {
            val length = Array.getLength(now(name, array))
            requireDeclared(length == 0, name) {
                "the array '$name' has $length elements, but had none when the checkpoints were opened: create it " +
                    "before that, or declare it as a value. Nothing was saved"
            }
        }
    }

    private fun now(name: String, array: Callable<out Any?>): Any {
        val now = array.call()
        requireDeclared(now != null, name) {
            "the array '$name' is null: create it before the checkpoints are opened, so that its length is known"
        }
        return checkNotNull(now)
    }

    @Suppress("UNCHECKED_CAST") // The kind of the array's own class.
    private fun kindOf(name: String, array: Any): ArrayKind<Any> =
        ArrayKind.ofArrays(array.javaClass) {
            invalid(
                name,
                "the array '$name' should be one of a primitive type, such as double[], but is a " +
                    "${array.javaClass.typeName}: declare it as a value",
            )
        }

    /**
     * A random generator, whose next numbers after a restart are those that would have come, Gaussian ones too.
     *
     * [get] returns a `java.util.Random`, and [set] gets a new one; a generator of
     * [RandomStreams.generator][dev.cairn.grid.RandomStreams.generator]; or one of a library whose state is in numbers and arrays, such as
     * Apache Commons RNG and Math, or Kotlin: that is set where it is, and [set] gets the same object. Others, such as those of the JDK, show
     * no state, and are refused. So is a checkpoint of several processes; with the seed [reseed] the generator begins anew then.
     */
    @JvmOverloads
    public fun <G : Any> generator(name: String, get: Callable<G>, set: ThrowingConsumer<G>, reseed: Long? = null) {
        state.generator(name, get, set, reseed)
        generators += { mapOf(name to get.call()) }
    }

    /**
     * As the other [generator], of a class of the program's own: [get] returns what makes up its state, such as an array, and [set] takes
     * it. Another [algorithm] is refused, as the state means nothing to it.
     */
    public fun <S> generator(
        name: String,
        algorithm: String,
        codec: Codec<S>,
        get: Callable<S>,
        set: ThrowingConsumer<S>,
    ): Unit = state.generator(name, algorithm, codec, get, watched(name, codec, get, set))

    /**
     * Random generators by their names, such as one for each name of a thread. A restore puts new ones into the map [generators], and
     * takes out those that were not saved; threads look theirs up there after it.
     */
    public fun generators(name: String, generators: MutableMap<String, Random>) {
        state.generators(name, generators)
        this.generators += { generators.entries.associate { (key, generator) -> "$name[$key]" to generator } }
    }

    /** Rows of primitive values, of any number, in arrays that [columns] lists. A restore gives the program new arrays. */
    public fun table(name: String, columns: Declaring<Columns>): Unit = state.table(name) { columns.on(this) }

    /**
     * A table whose rows are the objects in the list that [get] returns: records, or objects of another class of the program, of which each
     * component or field is a column. A restart makes new objects, and gives [set] a new list of them, in the order in which they were
     * saved. A save refuses what would not come back.
     */
    @JvmSuppressWildcards
    public fun <R : Any> rows(
        name: String,
        type: Class<R>,
        get: Callable<List<R>>,
        set: ThrowingConsumer<List<R>>,
        rules: Declaring<ObjectRows<R>>,
    ): Unit = state.rows(name, type, get, set, rules = rules)

    /** The same without rules. */
    @JvmSuppressWildcards
    public fun <R : Any> rows(
        name: String,
        type: Class<R>,
        get: Callable<List<R>>,
        set: ThrowingConsumer<List<R>>,
    ): Unit = rows(name, type, get, set) {}

    /**
     * A table whose rows are in no list of the program: a save takes the objects to which rows lead, directly or by others, in the order in
     * which it meets them. A restart makes them anew, and all that led to them leads there again.
     */
    public fun <R : Any> rows(name: String, type: Class<R>, rules: Declaring<ObjectRows<R>>): Unit =
        state.rows(name, type, rules = rules)

    /** The same without rules. */
    public fun <R : Any> rows(name: String, type: Class<R>): Unit = rows(name, type) {}

    /** A value of any size, which [codec] writes into a stream. */
    public fun <T> stream(name: String, codec: StreamCodec<T>, get: Callable<T>, set: ThrowingConsumer<T>): Unit =
        state.stream(name, codec, get, set)

    /**
     * The object that [get] returns, and all objects that it leads to: a graph, with cycles and whatever else objects of the program, arrays
     * and the JDK's collections make up. A restart makes them anew, without calling constructors, and gives the first one to [set]. Left
     * out are `transient` fields. Refused with its path is what would not come back, such as a lambda or a thread.
     */
    public fun <T> graph(name: String, get: Callable<T>, set: ThrowingConsumer<T>): Unit = state.graph(name, get, set)

    /** The same graph, with [rules]. */
    public fun <T> graph(name: String, get: Callable<T>, set: ThrowingConsumer<T>, rules: Declaring<GraphRules>): Unit =
        state.graph(name, get, set, rules = rules)

    /** Bytes of any number, which [write] writes, and [read] reads to their end. Cairn closes the streams. */
    public fun stream(name: String, write: ThrowingConsumer<OutputStream>, read: ThrowingConsumer<InputStream>): Unit =
        state.stream(name, write, read)

    /**
     * A [file] to which the program appends through the [Output] that this returns: a restore cuts it back to its length at the save. A
     * program that begins anew begins it anew, and an existing file is kept as `file.1`, or under the next free number. What is appended
     * before the restore, such as a heading, waits, and is dropped if the run continues.
     */
    public fun output(name: String, file: Path): Output = state.output(name, file)

    /**
     * A [file] to which the program itself appends, and which it closes before each save. A restore cuts it back to its length at the
     * save, and the program opens it after that, to append. A save fails if the file no longer begins with what it had before.
     */
    public fun appendedFile(name: String, file: Path): Unit = state.appendedFile(name, file)

    /**
     * As the other [appendedFile], which the program keeps open: each save calls [flush], such as the writer itself, or a function that
     * flushes it if there is one.
     */
    public fun appendedFile(name: String, file: Path, flush: Flushable): Unit = state.appendedFile(name, file, flush)

    /**
     * A value with which the program was started, and on which its results depend: of a primitive type, a text, a path, a constant of an
     * enum, or null; an array or a list of these; or a record, whose class is one, and each component, such as `settings.seed`.
     * A restart with another one is refused, unless it is declared by [allowChange]. It is not restored: the program has it.
     */
    public fun parameter(name: String, value: Any?): Unit = state.parameter(name, value)

    /**
     * The [parameter] of this [name] may have another value in older checkpoints: a restart logs the change. The name of a record stands
     * for its class alone: each component that may change is named, such as `settings.sweeps`.
     */
    public fun allowChange(name: String): Unit = state.allowChange(name)

    /** Calls [action] at the beginning of every save, to bring what is saved up to date with what is not. */
    public fun beforeSave(action: ThrowingRunnable): Unit = state.beforeSave(action)

    /** Calls [action] after every restore, when all state is back, to rebuild what follows from it. */
    public fun afterRestore(action: ThrowingRunnable): Unit = state.afterRestore(action)

    /** In older checkpoints the state or parameter [name] may have one of these [names]. */
    public fun formerly(name: String, vararg names: String): Unit = state.formerly(name, *names)

    /** Older checkpoints may hold state or a parameter of this name, which the program no longer needs. */
    public fun removed(name: String): Unit = state.removed(name)
}
