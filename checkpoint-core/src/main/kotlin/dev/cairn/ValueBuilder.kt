package dev.cairn

import dev.cairn.grid.RandomStreams
import dev.cairn.item.AccumulatorItem
import dev.cairn.item.PerRankItem
import dev.cairn.item.ReplicatedItem
import dev.cairn.item.SeedItem
import dev.cairn.item.Slot
import dev.cairn.item.Witness
import dev.cairn.item.generatorItem
import dev.cairn.item.generatorsItem
import dev.cairn.item.ownGeneratorItem
import dev.cairn.state.Codec
import dev.cairn.state.PerRankRule
import dev.cairn.state.ThrowingBiFunction
import dev.cairn.state.ThrowingConsumer
import dev.cairn.state.codecOf
import dev.cairn.store.Parameter
import java.util.Random
import java.util.concurrent.Callable

/**
 * The part of a [StateBuilder] for values that are objects. The program keeps a value that is declared with functions which return it
 * and take a restored one. Cairn keeps one that is declared with its first value, as a [StateProperty].
 */
@StateDsl
public sealed class ValueBuilder(internal val state: Declarations) {
    /** A value that is the same on every rank. Comes back on any number of ranks. */
    @JvmOverloads
    public fun <T> replicated(
        name: String,
        codec: Codec<T>,
        get: Callable<T>,
        set: ThrowingConsumer<T>,
        formerly: List<String> = emptyList(),
    ): Unit = state.add(ReplicatedItem(state.name(name, formerly), Slot(name, codec, get::call, set::accept)))

    /** A value that is the same on every rank, of a `@Serializable` type. */
    @JvmSynthetic
    public inline fun <reified T> replicated(
        name: String,
        noinline get: () -> T,
        noinline set: (T) -> Unit,
        formerly: List<String> = emptyList(),
    ): Unit = replicated(name, codecOf<T>(), get, set, formerly)

    /** A value that is the same on every rank, at first [initial], which Cairn keeps. */
    public fun <T> replicated(initial: T, codec: Codec<T>): StateProperty<Variable<T>> =
        property("replicated", Variable(initial)) { name, variable, formerly ->
            replicated(name, codec, { variable.value }, { variable.value = it }, formerly)
        }

    /** A value that is the same on every rank, of a `@Serializable` type, which Cairn keeps. */
    public inline fun <reified T> replicated(initial: T): StateProperty<Variable<T>> = replicated(initial, codecOf<T>())

    /** A number that is the same on every rank, which Cairn keeps. */
    public fun replicated(initial: Double): StateProperty<Variable<Double>> = replicated(initial, codecOf<Double>())

    /** A number that is the same on every rank, which Cairn keeps. */
    public fun replicated(initial: Long): StateProperty<Variable<Long>> = replicated(initial, codecOf<Long>())

    /** A number that is the same on every rank, which Cairn keeps. */
    public fun replicated(initial: Int): StateProperty<Variable<Int>> = replicated(initial, codecOf<Int>())

    /** A value of each rank's own. [rule] applies on another number of ranks. */
    @JvmOverloads
    public fun <T> perRank(
        name: String,
        codec: Codec<T>,
        get: Callable<T>,
        set: ThrowingConsumer<T>,
        rule: PerRankRule<T> = PerRankRule.Refuse(),
        formerly: List<String> = emptyList(),
    ): Unit = state.add(PerRankItem(state.name(name, formerly), Slot(name, codec, get::call, set::accept), rule))

    /** A value of each rank's own, of a `@Serializable` type. */
    @JvmSynthetic
    public inline fun <reified T> perRank(
        name: String,
        noinline get: () -> T,
        noinline set: (T) -> Unit,
        rule: PerRankRule<T> = PerRankRule.Refuse(),
        formerly: List<String> = emptyList(),
    ): Unit = perRank(name, codecOf<T>(), get, set, rule, formerly)

    /** A value of each rank's own, at first [initial], which Cairn keeps. [rule] applies on another number of ranks. */
    @JvmOverloads
    public fun <T> perRank(
        initial: T,
        codec: Codec<T>,
        rule: PerRankRule<T> = PerRankRule.Refuse(),
    ): StateProperty<Variable<T>> =
        property("perRank", Variable(initial)) { name, variable, formerly ->
            perRank(name, codec, { variable.value }, { variable.value = it }, rule, formerly)
        }

    /** A value of each rank's own, of a `@Serializable` type, which Cairn keeps. */
    public inline fun <reified T> perRank(
        initial: T,
        rule: PerRankRule<T> = PerRankRule.Refuse(),
    ): StateProperty<Variable<T>> = perRank(initial, codecOf<T>(), rule)

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
        get: Callable<T>,
        set: ThrowingConsumer<T>,
        neutral: T,
        merge: ThrowingBiFunction<T, T, T>,
        formerly: List<String> = emptyList(),
    ) {
        val slot = Slot(name, codec, get::call, set::accept)
        state.add(AccumulatorItem(state.name(name, formerly), slot, neutral, merge::apply))
    }

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

    /** Each rank's part of a value, at first [neutral], which Cairn keeps. */
    public fun <T> accumulator(
        neutral: T,
        codec: Codec<T>,
        merge: ThrowingBiFunction<T, T, T>,
    ): StateProperty<Variable<T>> =
        property("accumulator", Variable(neutral)) { name, variable, formerly ->
            accumulator(name, codec, { variable.value }, { variable.value = it }, neutral, merge, formerly)
        }

    /** Each rank's part of a value of a `@Serializable` type, which Cairn keeps. */
    public inline fun <reified T> accumulator(neutral: T, noinline merge: (T, T) -> T): StateProperty<Variable<T>> =
        accumulator(neutral, codecOf<T>(), merge)

    /** Each rank's part of a number, at first [neutral], which Cairn keeps. */
    public fun accumulator(neutral: Double, merge: (Double, Double) -> Double): StateProperty<Variable<Double>> =
        accumulator(neutral, codecOf<Double>(), merge)

    /** Each rank's part of a number, at first [neutral], which Cairn keeps. In Java it has a name of its own, as lambdas need it. */
    @JvmName("accumulatorOfLongs")
    public fun accumulator(neutral: Long, merge: (Long, Long) -> Long): StateProperty<Variable<Long>> =
        accumulator(neutral, codecOf<Long>(), merge)

    /** Each rank's part of a number, at first [neutral], which Cairn keeps. In Java it has a name of its own, as lambdas need it. */
    @JvmName("accumulatorOfInts")
    public fun accumulator(neutral: Int, merge: (Int, Int) -> Int): StateProperty<Variable<Int>> =
        accumulator(neutral, codecOf<Int>(), merge)

    /**
     * A random generator of each rank's own, which the program keeps: its next numbers are those that would have come. It comes back on
     * the same number of ranks. On another one the restart is refused; with the seed [reseed], each rank's generator begins anew then, with
     * a seed of its own, and the log says so.
     *
     * [get] returns a `java.util.Random`, and [set] gets a new one; a generator of [RandomStreams.generator]; or one of a library whose state is
     * in numbers and arrays, such as Apache Commons RNG and Math, or Kotlin: that is set where it is, and [set] gets the same object. Others,
     * such as those of the JDK, show no state, and are refused.
     */
    @JvmOverloads
    public fun <G : Any> generator(
        name: String,
        get: Callable<G>,
        set: ThrowingConsumer<G>,
        reseed: Long? = null,
        formerly: List<String> = emptyList(),
    ): Unit = state.add(generatorItem(state.name(name, formerly), get::call, set::accept, reseed) { state.ranks.rank })

    /** A random generator of each rank's own, at first [initial], which Cairn keeps. */
    @JvmOverloads
    public fun <G : Any> generator(initial: G, reseed: Long? = null): StateProperty<Variable<G>> =
        property("generator", Variable(initial)) { name, variable, formerly ->
            generator(name, { variable.value }, { variable.value = it }, reseed, formerly)
        }

    /**
     * As the other [generator], of a class of the program's own: [get] returns what makes up its state, such as an array or a record of
     * arrays, and [set] takes it. Another [algorithm] is refused, as the state means nothing to it.
     */
    @JvmOverloads
    public fun <S> generator(
        name: String,
        algorithm: String,
        codec: Codec<S>,
        get: Callable<S>,
        set: ThrowingConsumer<S>,
        formerly: List<String> = emptyList(),
    ): Unit = state.add(ownGeneratorItem(state.name(name, formerly), algorithm, codec, get::call, set::accept))

    /** As the other [generator], of a class of the program's own. */
    @JvmSynthetic
    public inline fun <reified S> generator(
        name: String,
        algorithm: String,
        noinline get: () -> S,
        noinline set: (S) -> Unit,
        formerly: List<String> = emptyList(),
    ): Unit = generator(name, algorithm, codecOf<S>(), get, set, formerly)

    /**
     * Random generators by their names, such as one for each name of a thread. A restore puts new ones into the map [generators], and
     * takes out those that were not saved; threads look theirs up there after it. They come back on the same number of ranks only.
     */
    @JvmOverloads
    public fun generators(
        name: String,
        generators: MutableMap<String, Random>,
        formerly: List<String> = emptyList(),
    ): Unit = state.add(generatorsItem(state.name(name, formerly), generators))

    /** Random numbers: their seed, which is the same on every rank. Comes back on any number of ranks. */
    @JvmOverloads
    public fun randomStreams(name: String, streams: RandomStreams, formerly: List<String> = emptyList()): Unit =
        state.add(SeedItem(state.name(name, formerly), streams::seed, streams::reseed))

    /** Random numbers that are a function of [seed], id, step and draw. */
    public fun randomStreams(seed: Long): StateProperty<Constant<RandomStreams>> =
        constant("randomStreams", RandomStreams(seed)) { name, streams, formerly ->
            randomStreams(name, streams, formerly)
        }

    /**
     * A value with which the program was started, and on which its results depend, such as a size or the name of a model: of a
     * primitive type, a text, a path, a constant of an enum, or null; an array or a list of these; or a record, whose class is one, and
     * each component, such as `settings.seed`. It is the same on all ranks, and stored with each checkpoint. A restart with
     * another value is refused, unless [StateBuilder.allowChange] names the parameter. It is not restored: the program has it.
     */
    public fun parameter(name: String, value: Any?): Unit = Parameter.of(name, value).forEach(state::add)

    /**
     * A value that a [dev.cairn.testing.RestartTrial] compares after each step beside the declared state, such as the time of a schedule
     * that the program restores by itself: a text, a number, or bytes. It is never stored in a checkpoint. Each rank calls
     * [value] at each save of a trial, and nothing calls it elsewhere.
     */
    @JvmOverloads
    public fun witness(name: String = "witness", value: Callable<out Any>): Unit = state.add(Witness(name, value::call))

    internal fun <D> property(
        function: String,
        delegate: D,
        declare: (name: String, delegate: D, formerly: List<String>) -> Unit,
    ): StateProperty<D> {
        state.requireUnsealed {
            "$function(…) is called after the first step has begun: declare all state before, so that it can be restored"
        }
        return state.properties.add(function, delegate) { name, formerly -> declare(name, delegate, formerly) }
    }

    internal fun <T> constant(
        function: String,
        value: T,
        declare: (name: String, value: T, formerly: List<String>) -> Unit,
    ): StateProperty<Constant<T>> =
        property(function, Constant(value)) { name, _, formerly -> declare(name, value, formerly) }
}
