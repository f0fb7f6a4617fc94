package dev.cairn

import dev.cairn.comm.BlockingCommunicator
import dev.cairn.comm.Bridge
import dev.cairn.comm.HandoverBridge
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Halo
import dev.cairn.random.RandomStreams
import dev.cairn.state.Codec
import dev.cairn.state.PerRankRule
import kotlinx.coroutines.runBlocking
import java.nio.file.Path
import java.util.function.BinaryOperator
import java.util.function.Consumer
import java.util.function.DoubleBinaryOperator
import java.util.function.ToDoubleFunction
import kotlin.system.exitProcess

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
 * What these functions do not offer, such as former names, [state] does.
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

    /** A value of this rank's own; [rule] says what becomes of it on another number of ranks. */
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

    /** Random numbers that are a function of [seed] and of what they are for. */
    public fun randomStreams(
        name: String,
        seed: Long,
    ): RandomStreams = simulation.randomStreams(seed).named(name).value

    /** A [file] to which rank 0 appends; see [Simulation.output]. */
    public fun output(
        name: String,
        file: Path,
    ): Output = simulation.output(file).named(name).value

    /** Declares state that the program keeps itself. */
    public fun state(declaration: Consumer<StateBuilder>): Unit = simulation.state { declaration.accept(this) }

    /** The steps of the program, up to [until] and without it; see [Simulation.steps]. Can be walked through once. */
    @JvmOverloads
    public fun steps(
        until: Long,
        phase: String = "",
    ): BlockingSteps = BlockingSteps(simulation.steps(until, phase), bridge)

    /** What each rank runs. May throw anything. */
    public fun interface Program {
        @Throws(Exception::class)
        public fun run(simulation: BlockingSimulation)
    }

    public companion object {
        /** Runs a program as a command; as [simulation] does. */
        @JvmStatic
        public fun main(
            name: String,
            args: Array<String>,
            program: Program,
        ) {
            val code = run(name, args, program)
            if (code != ExitCode.FINISHED) exitProcess(code.number)
        }

        /** As [main], for programs that want to know how it ended. */
        @JvmStatic
        public fun run(
            name: String,
            args: Array<String>,
            program: Program,
        ): ExitCode = runBlocking { runSimulation(name, args) { play(program) } }
    }
}

internal suspend fun Simulation.play(program: BlockingSimulation.Program) {
    val bridge = HandoverBridge()
    bridge.play("rank $rank") { program.run(BlockingSimulation(this, bridge)) }
}
