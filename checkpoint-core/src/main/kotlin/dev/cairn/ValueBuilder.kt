package dev.cairn

import dev.cairn.codec.Codec
import dev.cairn.codec.codecOf
import dev.cairn.failure.requireDeclared
import dev.cairn.item.AccumulatorItem
import dev.cairn.item.FileItem
import dev.cairn.item.PerRankItem
import dev.cairn.item.ReplicatedItem
import dev.cairn.item.SeedItem
import dev.cairn.item.Slot
import dev.cairn.item.StateItem
import dev.cairn.item.Witness
import dev.cairn.random.RandomStreams
import dev.cairn.state.PerRankRule
import dev.cairn.store.Parameter
import dev.cairn.text.utf8Of
import java.util.function.BinaryOperator
import java.util.function.Consumer
import java.util.function.Supplier

/**
 * The part of a [StateBuilder] for values that are objects: functions that return them, and functions that take
 * restored ones.
 */
@StateDsl
public sealed class ValueBuilder {
    internal val items = mutableListOf<StateItem>()
    internal val parameters = mutableListOf<Parameter>()
    internal val witnesses = mutableListOf<Witness>()
    private var isSealed = false
    internal val nextKey get() = 1 + items.sumOf { it.keyCount }

    /** A value that is the same on every rank. Comes back on any number of ranks. */
    @JvmOverloads
    public fun <T> replicated(
        name: String,
        codec: Codec<T>,
        get: Supplier<T>,
        set: Consumer<T>,
        formerly: List<String> = emptyList(),
    ): Unit = add(ReplicatedItem(name, nextKey, formerly, Slot(codec, get::get, set::accept)))

    /** A value that is the same on every rank, of a `@Serializable` type. */
    @JvmSynthetic
    public inline fun <reified T> replicated(
        name: String,
        noinline get: () -> T,
        noinline set: (T) -> Unit,
        formerly: List<String> = emptyList(),
    ): Unit = replicated(name, codecOf<T>(), get, set, formerly)

    /** A value of each rank's own. [rule] applies on another number of ranks. */
    @JvmOverloads
    public fun <T> perRank(
        name: String,
        codec: Codec<T>,
        get: Supplier<T>,
        set: Consumer<T>,
        rule: PerRankRule<T> = PerRankRule.Refuse(),
        formerly: List<String> = emptyList(),
    ): Unit = add(PerRankItem(name, nextKey, formerly, Slot(codec, get::get, set::accept), rule))

    /** A value of each rank's own, of a `@Serializable` type. */
    @JvmSynthetic
    public inline fun <reified T> perRank(
        name: String,
        noinline get: () -> T,
        noinline set: (T) -> Unit,
        rule: PerRankRule<T> = PerRankRule.Refuse(),
        formerly: List<String> = emptyList(),
    ): Unit = perRank(name, codecOf<T>(), get, set, rule, formerly)

    /**
     * Each rank's part of a value, such as of a sum. On the same number of ranks each gets its part back; on another
     * one rank 0 gets all of them, merged in the order of the ranks, and the others [neutral]. Use [perRank] for values
     * that cannot be merged.
     *
     * @param neutral changes nothing when it is merged, such as 0 for a sum
     */
    @JvmOverloads
    public fun <T> accumulator(
        name: String,
        codec: Codec<T>,
        get: Supplier<T>,
        set: Consumer<T>,
        neutral: T,
        merge: BinaryOperator<T>,
        formerly: List<String> = emptyList(),
    ): Unit = add(AccumulatorItem(name, nextKey, formerly, Slot(codec, get::get, set::accept), neutral, merge::apply))

    /** Each rank's part of a value of a `@Serializable` type. */
    @JvmSynthetic
    public inline fun <reified T> accumulator(
        name: String,
        noinline get: () -> T,
        noinline set: (T) -> Unit,
        neutral: T,
        noinline merge: (T, T) -> T,
        formerly: List<String> = emptyList(),
    ): Unit = accumulator(name, codecOf<T>(), get, set, neutral, merge, formerly)

    /** Random numbers: their seed, which is the same on every rank. Comes back on any number of ranks. */
    @JvmOverloads
    public fun randomStreams(
        name: String,
        streams: RandomStreams,
        formerly: List<String> = emptyList(),
    ): Unit = add(SeedItem(name, nextKey, formerly, streams::seed, streams::reseed))

    /**
     * A value with which the program was started, and on which its results depend, such as a size or the name of a model: of a
     * primitive type, a text, or a constant of an enum; the same on all ranks. It is stored with each checkpoint. A restart with
     * another value is refused, unless [StateBuilder.allowChange] names the parameter. It is not restored: the program has it.
     */
    public fun parameter(
        name: String,
        value: Any,
    ) {
        requireNew(name) { "declare all parameters before, so that a restart can compare them" }
        parameters += Parameter.of(name, value)
    }

    /**
     * What a [dev.cairn.testing.RestartTrial] compares after each step beside the declared state, such as the time of a schedule
     * that the program restores by itself: a text, a number, or bytes. It is never stored in a checkpoint. Each rank calls
     * [value] at each save of a trial, and nothing calls it elsewhere.
     */
    @JvmOverloads
    public fun witness(
        name: String = "witness",
        value: Supplier<out Any>,
    ) {
        requireUnsealed { "the witness '$name' is declared after the first step has begun: declare it before" }
        requireNamed(name) { "a witness" }
        requireDeclared(witnesses.none { it.name == name }) {
            "the witness '$name' is declared twice: give each witness a name of its own"
        }
        witnesses += Witness(name, value::get)
    }

    /** Ends the declarations. */
    internal fun seal() {
        requireFit()
        isSealed = true
    }

    /** Refuses rules for items that are not declared, and contradicting rules. */
    internal abstract fun requireFit()

    internal fun requireUnsealed(refusal: () -> String) = check(!isSealed, refusal)

    internal fun add(item: StateItem) {
        requireText(item)
        (listOf(item.name) + item.formerNames).forEach { name ->
            requireNew(name) { "declare all state before, so that it can be restored" }
        }
        if (item is FileItem) requireOwnFile(item)
        items += item
    }

    private fun requireNew(
        name: String,
        advice: () -> String,
    ) {
        check(!isSealed) { "'$name' is declared after the first step has begun: ${advice()}" }
        requireNamed(name) { "an item or a parameter" }
        val names = items.flatMap { it.formerNames + it.name } + parameters.map { it.name }
        requireDeclared(name !in names) {
            "the name '$name' is declared twice: give each item and parameter a name of its own"
        }
    }

    private fun requireOwnFile(output: FileItem) {
        val other = items.filterIsInstance<FileItem>().find { it.absoluteFile == output.absoluteFile }
        requireDeclared(other == null) {
            "the outputs '${other?.name}' and '${output.name}' are the same file, ${output.file}, and each would be " +
                "cut back to its own length: declare it once"
        }
    }
}

/** Refuses an [item] that a manifest cannot describe. The names of columns and of properties are in its schemas. */
private fun requireText(item: StateItem) {
    utf8Of(item.name) { "the name '${item.name}'" }
    utf8Of("${item.schema} ${item.valueSchema}") { "a name within '${item.name}'" }
}

/** Refuses an empty [name] of a [thing]. */
internal inline fun requireNamed(
    name: String,
    thing: () -> String,
) = requireDeclared(name.isNotEmpty()) {
    "the name of ${thing()} is empty: give it one, by which a restart and the command cairn find it"
}

/** The first duplicate; null if there is none. */
internal fun <T> List<T>.repeated(): T? =
    groupingBy { it }
        .eachCount()
        .entries
        .find { it.value > 1 }
        ?.key
