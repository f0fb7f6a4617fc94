package dev.cairn.java

import dev.cairn.Simulation
import dev.cairn.StateBuilder
import dev.cairn.concentrate.DedicatedRanks
import dev.cairn.concentrate.Role
import dev.cairn.end
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.ExitCode
import dev.cairn.event.SaveOutcome
import dev.cairn.event.orNullRefused
import dev.cairn.exitAfter
import dev.cairn.exitCodeOf
import dev.cairn.explain
import dev.cairn.launchSimulation
import dev.cairn.options.SimulationOptions
import dev.cairn.passedOn
import dev.cairn.requestedOptions
import dev.cairn.roleIn
import dev.cairn.run.Requests
import dev.cairn.runSimulation
import dev.cairn.simulate
import dev.cairn.simulation
import dev.cairn.simulationOf
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.state.ThrowingConsumer
import java.util.Optional
import java.util.function.Consumer

/**
 * A [Simulation] for Java. Each rank has one, on a thread of its own, which alone may use it:
 *
 * ```
 * BlockingSimulation.main("heat", args, sim -> {
 *   Variable<Double> time = sim.replicated(0.0).named("time");
 *   for (long step : sim.steps(1000)) {
 *     time.set(time.get() + 0.1);
 *   }
 * });
 * ```
 *
 * It has all features of a [Simulation]. Calls that block and are not among its own are those of its [ranks].
 */
public class BlockingSimulation internal constructor(private val simulation: Simulation, private val bridge: Bridge) :
    StateBuilder(simulation.state) {
        /** The communicator of the program. */
        @get:JvmName("ranks")
        public val ranks: BlockingCommunicator = BlockingCommunicator(simulation.ranks, bridge)

        @get:JvmName("rank")
        public val rank: Int get() = simulation.rank

        @get:JvmName("size")
        public val size: Int get() = simulation.size

        /** See [Simulation.isStopped]. */
        public val isStopped: Boolean get() = simulation.isStopped

        /** Whether the loop before this call has ended: only then are there results. See [Simulation.hasFinished]. */
        public fun hasFinished(): Boolean = simulation.hasFinished()

        /** How the last save ended, the same on all ranks; empty if there was none. See [Simulation.lastSave]. */
        public fun lastSave(): Optional<SaveOutcome> = Optional.ofNullable(simulation.lastSave)

        /**
         * Adds [listener], which receives the events of checkpoints, to those that were added before. It is called on rank 0 alone, by
         * the coroutine or thread of that rank, while the other ranks wait: it should be brief. Its exceptions are logged, and do
         * not affect the save. It must not call the program's communicator.
         */
        public fun listen(listener: Consumer<CheckpointEvent>): Unit = simulation.listen(listener)

        /** The steps of the program, up to [until] and without it; see [Simulation.steps]. Can be iterated once. */
        @JvmOverloads
        public fun steps(until: Long, phase: String = ""): BlockingSteps =
            BlockingSteps(simulation.steps(until, phase), bridge)

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
                program: ThrowingConsumer<BlockingSimulation>,
            ): Unit = exitAfter(name) { run(name, args, options, program) }

            /** As [main], for programs that need the result, as [runSimulation]. */
            @JvmStatic
            @JvmOverloads
            public fun run(
                name: String,
                args: Array<String>,
                options: SimulationOptions = SimulationOptions.DEFAULT,
                program: ThrowingConsumer<BlockingSimulation>,
            ): ExitCode =
                launchSimulation(name, args, options) { requested, signals ->
                    callEverywhere(requested.getOrNull()?.rankCount ?: 1) { ranks ->
                        ranks.run(name, options, requested, FileBlockStore(), signals, program)
                    }
                }

            /**
             * Collective: runs a program on these [ranks], such as those of a [dev.cairn.ranks.RankPlan] in a test, or
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
                program: ThrowingConsumer<BlockingSimulation>,
            ): ExitCode {
                val requested = requestedOptions(name, args, options) { it.on(ranks.communicator) }
                return ranks.run(name, options, requested, files, Requests.NONE, program)
            }
        }
    }

/** Collective: runs [program] from its settings to its end, as [requested] says. */
private fun BlockingCommunicator.run(
    name: String,
    options: SimulationOptions,
    requested: Result<SimulationOptions?>,
    files: BlockStore,
    signals: Requests,
    program: ThrowingConsumer<BlockingSimulation>,
): ExitCode =
    onComputingRanks(requested, files, signals) { computing, dedicated ->
        val simulation = computing.call { simulationOf(name, requested, files, dedicated, signals) }
        simulation?.use {
            runCatching { program.accept(BlockingSimulation(it, computing.bridge)) }
                .onFailure { failure -> throw failure.orNullRefused() }
            computing.call { it.end(name) }
        } ?: computing.call { explain(name, options) }
    }

/** As the function of the same name for coroutines. */
private fun BlockingCommunicator.onComputingRanks(
    requested: Result<SimulationOptions?>,
    files: BlockStore,
    signals: Requests,
    program: (BlockingCommunicator, DedicatedRanks?) -> ExitCode,
): ExitCode {
    val passedOn = communicator.passedOn(signals)
    return when (val role = call { roleIn(requested, files) }) {
        null -> program(this, null)
        is Role.Computing -> play(role, ExitCode::number) { program(it, role.dedicated) }
        is Role.Dedicated -> exitCodeOf(call { role.rank.serve(passedOn) })
    }
}
