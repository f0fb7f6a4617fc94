package dev.cairn.options

import dev.cairn.comm.Communicator
import dev.cairn.config.CommandLine
import dev.cairn.config.Configuration
import dev.cairn.config.Origin
import dev.cairn.config.Setting
import dev.cairn.config.SettingsSources
import dev.cairn.event.CheckpointListener
import dev.cairn.event.and
import dev.cairn.ranks.Launch
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.DurationUnit
import kotlin.time.toKotlinDuration

/**
 * What a program says about a [dev.cairn.simulation] of its own, before a file, the environment and the command line are asked.
 * Immutable. Java callers begin with [DEFAULT] and go on with the functions that start with "with".
 */
public class SimulationOptions internal constructor(
    internal val configuration: Configuration,
    private val listeners: List<CheckpointListener> = emptyList(),
) {
    /**
     * What the program says; null where it says nothing.
     *
     * @param checkpoints how checkpoints are written
     * @param directory where they are; otherwise in `NAME.cairn`
     * @param rankCount how many ranks there are; otherwise one
     * @param every after how many steps to save
     * @param everyTime after how much time to save
     */
    public constructor(
        checkpoints: CheckpointOptions = CheckpointOptions.DEFAULT,
        directory: Path? = null,
        rankCount: Int? = null,
        every: Long? = null,
        everyTime: Duration? = null,
    ) : this(
        Configuration
            .of(Settings.ALL)
            .with(checkpoints.configuration)
            .orSaid(Settings.DIR, directory)
            .orSaid(Settings.RANKS, rankCount)
            .orSaid(Settings.EVERY, every)
            .orSaid(Settings.EVERY_SECONDS, everyTime),
        checkpoints.listeners,
    )

    /** What [checkpoints] says goes over what was said before; its listeners hear what happens as well as those named before. */
    public fun withCheckpoints(checkpoints: CheckpointOptions): SimulationOptions =
        SimulationOptions(configuration.with(checkpoints.configuration), listeners.and(checkpoints.listeners))

    public fun withDirectory(directory: Path): SimulationOptions = with(Settings.DIR, directory)

    public fun withRankCount(rankCount: Int): SimulationOptions = with(Settings.RANKS, rankCount)

    public fun withEvery(steps: Long): SimulationOptions = with(Settings.EVERY, steps)

    public fun withEveryTime(time: java.time.Duration): SimulationOptions =
        with(Settings.EVERY_SECONDS, time.toKotlinDuration())

    /** These, but what is said around the program wins. */
    internal fun configured(
        name: String,
        line: CommandLine,
        sources: SettingsSources,
    ): SimulationOptions {
        val standard = Configuration.of(Settings.ALL).with(Settings.DIR, Path.of("$name.cairn"), Origin.DEFAULT)
        return SimulationOptions(sources.configure(standard.with(configuration), line), listeners)
    }

    /** A launcher has decided already how many ranks there are, so no other source may say otherwise. */
    internal fun startedBy(launch: Launch?): SimulationOptions {
        if (launch == null) return this
        val origin = configuration.originOf(Settings.RANKS)
        require(origin == Origin.DEFAULT || rankCount == launch.size) {
            "$origin: ${Settings.RANKS.name} cannot be '$rankCount', since ${launch.launcher} has started " +
                "${launch.size} processes, and each is a rank. Leave it out there, or start $rankCount processes."
        }
        val told = configuration.with(Settings.RANKS, launch.size, Origin.launcher(launch.launcher))
        return SimulationOptions(told, listeners)
    }

    /** The ranks that a simulation runs on are there already. */
    internal fun on(ranks: Communicator): SimulationOptions {
        val origin = configuration.originOf(Settings.RANKS)
        require(origin == Origin.DEFAULT || rankCount == ranks.size) {
            "$origin: ${Settings.RANKS.name} cannot be '$rankCount', since the simulation runs on the ${ranks.size} " +
                "ranks of ${ranks.name}. Leave it out there."
        }
        return with(Settings.RANKS, ranks.size)
    }

    internal val directory: Path get() = checkNotNull(configuration[Settings.DIR])
    internal val rankCount: Int get() = configuration[Settings.RANKS]

    /** With all that holds, so that checkpoints tell it. */
    internal val checkpoints: CheckpointOptions get() = CheckpointOptions(configuration, listeners)

    internal val triggers: Triggers
        get() =
            Triggers(
                configuration[Settings.EVERY],
                configuration[Settings.EVERY_SECONDS]?.toDouble(DurationUnit.SECONDS),
                start,
                goOn = configuration[Settings.GO_ON],
            )

    /** @throws IllegalArgumentException if two of them are said */
    internal val start: Start
        get() {
            val number = configuration[Settings.FROM]
            val isFresh = configuration[Settings.FRESH]
            require(number == null || !isFresh) {
                "fresh begins at step 0 and from = $number at a checkpoint, so only one of them can be said. Leave one out."
            }
            return if (number != null) {
                Start.Chosen(number)
            } else if (isFresh) {
                Start.Fresh
            } else {
                Start.Newest
            }
        }

    private fun <T> with(
        setting: Setting<T>,
        value: T,
    ) = SimulationOptions(configuration.with(setting, value, Origin.PROGRAM), listeners)

    override fun equals(other: Any?): Boolean =
        other is SimulationOptions && configuration == other.configuration && listeners == other.listeners

    override fun hashCode(): Int = configuration.hashCode()

    override fun toString(): String = "SimulationOptions($configuration)"

    public companion object {
        @JvmField
        public val DEFAULT: SimulationOptions = SimulationOptions(Configuration.of(Settings.ALL))
    }
}
