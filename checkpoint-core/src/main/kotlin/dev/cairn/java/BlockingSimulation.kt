package dev.cairn.java

import dev.cairn.CellValue
import dev.cairn.Columns
import dev.cairn.DoubleField
import dev.cairn.DoubleVariable
import dev.cairn.Field
import dev.cairn.LongVariable
import dev.cairn.NO_REQUESTS
import dev.cairn.NetcdfBuilder
import dev.cairn.Output
import dev.cairn.RowRules
import dev.cairn.Simulation
import dev.cairn.StateBuilder
import dev.cairn.TableBuilder
import dev.cairn.Variable
import dev.cairn.codec.Codec
import dev.cairn.codec.StreamCodec
import dev.cairn.dedicated.DedicatedRanks
import dev.cairn.dedicated.Role
import dev.cairn.end
import dev.cairn.event.CheckpointListener
import dev.cairn.event.ExitCode
import dev.cairn.event.SaveOutcome
import dev.cairn.exitAfter
import dev.cairn.exitCodeOf
import dev.cairn.explain
import dev.cairn.failure.orNullRefused
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Halo
import dev.cairn.grid.Shape
import dev.cairn.launchSimulation
import dev.cairn.options.SimulationOptions
import dev.cairn.passedOn
import dev.cairn.random.RandomStreams
import dev.cairn.roleIn
import dev.cairn.run.Requests
import dev.cairn.runSimulation
import dev.cairn.simulate
import dev.cairn.simulation
import dev.cairn.simulationOf
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.state.PerRankRule
import dev.cairn.state.StreamReading
import dev.cairn.state.StreamRule
import dev.cairn.state.StreamWriting
import dev.cairn.wishOf
import java.nio.file.Path
import java.util.Optional
import java.util.function.BinaryOperator
import java.util.function.Consumer
import java.util.function.DoubleBinaryOperator
import java.util.function.Function
import java.util.function.LongBinaryOperator
import java.util.function.Supplier
import java.util.function.ToDoubleFunction

/**
 * A [Simulation] for Java. Each rank has one, on a thread of its own, which alone may use it:
 *
 * ```
 * BlockingSimulation.main("heat", args, sim -> {
 *   DoubleVariable time = sim.replicated("time", 0.0);
 *   for (long step : sim.steps(1000)) {
 *     time.set(time.get() + 0.1);
 *   }
 * });
 * ```
 *
 * It has all features of a [Simulation]. Its functions take the item's name first; Kotlin takes it from the property.
 */
public class BlockingSimulation internal constructor(
    private val simulation: Simulation,
    private val bridge: Bridge,
) {
    /** The communicator of the program. */
    @get:JvmName("ranks")
    public val ranks: BlockingCommunicator = BlockingCommunicator(simulation.ranks, bridge)

    @get:JvmName("rank")
    public val rank: Int get() = simulation.rank

    @get:JvmName("size")
    public val size: Int get() = simulation.size

    /** See [Simulation.isStopped]. */
    public val isStopped: Boolean get() = simulation.isStopped

    /** Whether the loop before this call has come to its end: only then are there results. See [Simulation.hasFinished]. */
    public fun hasFinished(): Boolean = simulation.hasFinished()

    /** How the last save ended, the same on all ranks; empty if there was none. See [Simulation.lastSave]. */
    public fun lastSave(): Optional<SaveOutcome> = Optional.ofNullable(simulation.lastSave)

    /** Adds [listener], which receives the events of checkpoints on rank 0, to those that were added before. */
    public fun listen(listener: CheckpointListener): Unit = simulation.listen(listener)

    /** A global array of doubles, whose rows are dealt to the ranks; see [Simulation.doubles]. */
    public fun doubles(
        name: String,
        rows: Long,
        columns: Long,
        halo: Int,
        initial: CellValue,
    ): DoubleField = simulation.doubles(rows, columns, halo, initial::at).named(name).value

    /** A global array of doubles; see [Simulation.doubles]. */
    public fun doubles(
        name: String,
        decomposition: Decomposition,
        halo: Int,
        initial: ToDoubleFunction<LongArray>,
    ): DoubleField = simulation.doubles(decomposition, halo, initial::applyAsDouble).named(name).value

    /** A global array of zeros in arrays of [type], such as `long[].class`; see [Simulation.field]. */
    public fun <A : Any> field(
        name: String,
        type: Class<A>,
        decomposition: Decomposition,
    ): Field<A> {
        val boxes = decomposition.boxes(rank)
        return simulation.field(type, decomposition.shape(), boxes, Halo.NONE, create = null).named(name).value
    }

    /** A global array of doubles; see [Simulation.doubles]. */
    public fun doubles(
        name: String,
        decomposition: Decomposition,
        halo: Halo,
        initial: ToDoubleFunction<LongArray>,
    ): DoubleField = simulation.doubles(decomposition, halo, initial::applyAsDouble).named(name).value

    /** A global array with halos, whose first values [create] makes for each box and its halo; see [Simulation.field]. */
    public fun <A : Any> field(
        name: String,
        type: Class<A>,
        decomposition: Decomposition,
        halo: Halo,
        create: Function<Box, A>,
    ): Field<A> = field(name, type, decomposition.shape(), decomposition.boxes(rank), halo, create)

    /** A global array of [shape], of which this rank owns [boxes]; see [Simulation.field]. */
    public fun <A : Any> field(
        name: String,
        type: Class<A>,
        shape: Shape,
        boxes: List<Box>,
        halo: Halo,
        create: Function<Box, A>,
    ): Field<A> = simulation.field(type, shape, boxes, halo, create::apply).named(name).value

    /** Collective: see [DoubleField.exchangeHalo]. */
    public fun exchangeHalo(field: DoubleField): Unit = bridge.call { field.exchangeHalo() }

    /** Collective: see [Field.exchangeHalo]. */
    public fun exchangeHalo(field: Field<*>): Unit = bridge.call { field.exchangeHalo() }

    /** A number that is the same on every rank. */
    public fun replicated(
        name: String,
        initial: Double,
    ): DoubleVariable = simulation.replicated(initial).named(name)

    /** A number that is the same on every rank. */
    public fun replicated(
        name: String,
        initial: Long,
    ): LongVariable = simulation.replicated(initial).named(name)

    /** A value that is the same on every rank. */
    public fun <T> replicated(
        name: String,
        codec: Codec<T>,
        initial: T,
    ): Variable<T> = simulation.replicated(initial, codec).named(name)

    /** A value of this rank's own; [rule] applies on another number of ranks. */
    public fun <T> perRank(
        name: String,
        codec: Codec<T>,
        initial: T,
        rule: PerRankRule<T>,
    ): Variable<T> = simulation.perRank(initial, codec, rule).named(name)

    /** This rank's part of a number; see [Simulation.accumulator]. */
    public fun accumulator(
        name: String,
        neutral: Double,
        merge: DoubleBinaryOperator,
    ): DoubleVariable = simulation.accumulator(neutral, merge::applyAsDouble).named(name)

    /** This rank's part of a whole number; see [Simulation.accumulator]. */
    public fun accumulatorOfLongs(
        name: String,
        neutral: Long,
        merge: LongBinaryOperator,
    ): LongVariable = simulation.accumulator(neutral, merge::applyAsLong).named(name)

    /** This rank's part of a value; see [Simulation.accumulator]. */
    public fun <T> accumulator(
        name: String,
        codec: Codec<T>,
        neutral: T,
        merge: BinaryOperator<T>,
    ): Variable<T> = simulation.accumulator(neutral, codec, merge::apply).named(name)

    /** A table whose rows are records; see [Simulation.table]. */
    public fun <R : Any> table(
        name: String,
        type: Class<R>,
        rows: List<R>,
        rules: Consumer<RowRules<R>>,
    ): Variable<List<R>> = simulation.table(type, rows) { rules.accept(this) }.named(name)

    /** A table whose rows are in the arrays of [columns], which are returned; see [Simulation.table]. */
    public fun <C : Columns> table(
        name: String,
        columns: C,
        rules: Consumer<TableBuilder>,
    ): C = simulation.table(columns) { rules.accept(this) }.named(name).value

    /** Random numbers that are a function of [seed], id, step and draw. */
    public fun randomStreams(
        name: String,
        seed: Long,
    ): RandomStreams = simulation.randomStreams(seed).named(name).value

    /** A value of this rank's own, of any size, which [codec] writes into a stream; see [Simulation.stream]. */
    @JvmOverloads
    public fun <T> stream(
        name: String,
        codec: StreamCodec<T>,
        initial: T,
        rule: PerRankRule<T> = PerRankRule.Refuse(),
    ): Variable<T> = simulation.stream(initial, codec, rule).named(name)

    /** Bytes of each rank, of unknown length; see [Simulation.stream]. */
    @JvmOverloads
    public fun stream(
        name: String,
        write: StreamWriting,
        read: StreamReading,
        rule: StreamRule = StreamRule.Refuse,
    ): Unit = simulation.state { stream(name, write, read, rule) }

    /** A [file] to which rank 0 appends; see [Simulation.output]. */
    public fun output(
        name: String,
        file: Path,
    ): Output = simulation.output(file).named(name).value

    /** A NetCDF [file] that all ranks write together; see [Simulation.netcdf]. */
    public fun netcdf(
        name: String,
        file: Path,
        declaration: Consumer<NetcdfBuilder>,
    ): BlockingNetcdfOutput =
        BlockingNetcdfOutput(simulation.netcdf(file) { declaration.accept(this) }.named(name).value, bridge)

    /** A value with which the program was started, the same on all ranks; see [StateBuilder.parameter]. */
    public fun parameter(
        name: String,
        value: Any,
    ): Unit = simulation.parameter(name, value)

    /** The parameter of this [name] may have another value in older checkpoints: a restart logs the change. */
    public fun allowChange(name: String): Unit = simulation.allowChange(name)

    /** In older checkpoints the item [name] may have one of these [names]. */
    public fun formerly(
        name: String,
        vararg names: String,
    ): Unit = simulation.formerly(name, *names)

    /** Older checkpoints may hold an item or a parameter of this name, which this program no longer needs. */
    public fun removed(name: String): Unit = simulation.removed(name)

    /** Calls [action] at the beginning of every save, on every rank; see [StateBuilder.beforeSave]. */
    public fun beforeSave(action: Runnable): Unit = simulation.beforeSave(action)

    /** Calls [action] after every restore, on every rank; see [StateBuilder.afterRestore]. */
    public fun afterRestore(action: Runnable): Unit = simulation.afterRestore(action)

    /** What a trial of restarts compares beside the state; see [StateBuilder.witness]. */
    @JvmOverloads
    public fun witness(
        name: String = "witness",
        value: Supplier<out Any>,
    ): Unit = simulation.witness(name, value::get)

    /** Declares state that the program keeps itself. */
    public fun state(declaration: Consumer<StateBuilder>): Unit = simulation.state { declaration.accept(this) }

    /** The steps of the program, up to [until] and without it; see [Simulation.steps]. Can be iterated once. */
    @JvmOverloads
    public fun steps(
        until: Long,
        phase: String = "",
    ): BlockingSteps = BlockingSteps(simulation.steps(until, phase), bridge)

    /** The body of each rank. May throw any exception. */
    public fun interface Program {
        @Throws(Exception::class)
        public fun run(simulation: BlockingSimulation)
    }

    public companion object {
        /**
         * Runs a program as a command, as [simulation] does.
         *
         * @param options the settings of the program; a file of settings, the environment and the command line override
         *     them
         */
        @JvmStatic
        @JvmOverloads
        public fun main(
            name: String,
            args: Array<String>,
            options: SimulationOptions = SimulationOptions.DEFAULT,
            program: Program,
        ): Unit = exitAfter(name) { run(name, args, options, program) }

        /** As [main], for programs that want to know how it ended; as [runSimulation] does. */
        @JvmStatic
        @JvmOverloads
        public fun run(
            name: String,
            args: Array<String>,
            options: SimulationOptions = SimulationOptions.DEFAULT,
            program: Program,
        ): ExitCode =
            launchSimulation(name, args, options) { wish, signals ->
                callEverywhere(wish.getOrNull()?.rankCount ?: 1) { ranks ->
                    ranks.run(name, options, wish, FileBlockStore(), signals, program)
                }
            }

        /**
         * Collective: runs a program on these [ranks], such as those of a [dev.cairn.comm.plan.RankPlan] in a test, or
         * those that a larger program has already. As [run], but failures are thrown, and signals to the process are
         * left to its own handlers.
         *
         * @param files the file system that all ranks share, of checkpoints and outputs
         */
        @JvmStatic
        @JvmOverloads
        public fun simulate(
            ranks: BlockingCommunicator,
            name: String,
            args: Array<String> = emptyArray(),
            options: SimulationOptions = SimulationOptions.DEFAULT,
            files: BlockStore = FileBlockStore(),
            program: Program,
        ): ExitCode {
            val wish = wishOf(name, args, options) { it.on(ranks.communicator) }
            return ranks.run(name, options, wish, files, NO_REQUESTS, program)
        }
    }
}

/** Collective: runs [program] from its settings to its end, as [wish] says. */
private fun BlockingCommunicator.run(
    name: String,
    options: SimulationOptions,
    wish: Result<SimulationOptions?>,
    files: BlockStore,
    signals: Requests,
    program: BlockingSimulation.Program,
): ExitCode =
    onComputingRanks(wish, files, signals) { computing, dedicated ->
        val simulation = computing.call { simulationOf(name, wish, files, dedicated, signals) }
        simulation?.use {
            runCatching { program.run(BlockingSimulation(it, computing.bridge)) }
                .onFailure { failure -> throw failure.orNullRefused() }
            computing.call { it.end(name) }
        } ?: computing.call { explain(name, options) }
    }

/** As the function of the same name for coroutines. */
private fun BlockingCommunicator.onComputingRanks(
    wish: Result<SimulationOptions?>,
    files: BlockStore,
    signals: Requests,
    program: (BlockingCommunicator, DedicatedRanks?) -> ExitCode,
): ExitCode {
    val passedOn = communicator.passedOn(signals)
    return when (val role = call { roleIn(wish, files) }) {
        null -> program(this, null)
        is Role.Computing -> play(role, ExitCode::number) { program(it, role.dedicated) }
        is Role.Dedicated -> exitCodeOf(call { role.rank.serve(passedOn) })
    }
}
