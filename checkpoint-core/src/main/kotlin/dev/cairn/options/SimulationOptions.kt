package dev.cairn.options

import dev.cairn.comm.Communicator
import dev.cairn.concentrate.Concentrators
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
 * A program's options for a [dev.cairn.simulation], which a file, the environment and the command line override.
 * Immutable. Java callers begin with [DEFAULT] and the functions whose names begin with "with".
 */
public class SimulationOptions internal constructor(
    internal val configuration: Configuration,
    private val listeners: List<CheckpointListener> = emptyList(),
) {
    /**
     * The program's settings; null where it sets none.
     *
     * @param checkpoints how checkpoints are written
     * @param directory their directory; `NAME.cairn` by default
     * @param rankCount the number of ranks, dedicated ones among them; one by default
     * @param dedicated the ranks that are given up: they write what the others save with the program going on; none by default
     * @param every the number of steps between saves
     * @param everyTime the time between saves
     * @param hostFailures the mean time between failures of one host, for saves as often as it costs least ([withEveryAuto])
     * @param overhead the largest share of the time that such saves may take, above 0 and below 1
     * @param progress whether a line on the terminal tells of the steps and saves
     */
    public constructor(
        checkpoints: CheckpointOptions = CheckpointOptions.DEFAULT,
        directory: Path? = null,
        rankCount: Int? = null,
        dedicated: Concentrators? = null,
        every: Long? = null,
        everyTime: Duration? = null,
        hostFailures: Duration? = null,
        overhead: Double? = null,
        progress: Boolean? = null,
    ) : this(
        Configuration
            .of(Settings.ALL)
            .with(checkpoints.configuration)
            .orSaid(Settings.DIR, directory)
            .orSaid(Settings.RANKS, rankCount)
            .orSaid(Settings.DEDICATED, dedicated)
            .orSaid(Settings.EVERY, every?.let(Every::Steps))
            .orSaid(Settings.EVERY_SECONDS, everyTime)
            .orSaid(Settings.MTBF, hostFailures)
            .orSaid(Settings.OVERHEAD, overhead)
            .orSaid(Settings.PROGRESS, progress),
        checkpoints.listeners,
    )

    /** [checkpoints] overrides earlier options; its listeners are added to the earlier ones. */
    public fun withCheckpoints(checkpoints: CheckpointOptions): SimulationOptions =
        SimulationOptions(configuration.with(checkpoints.configuration), listeners.and(checkpoints.listeners))

    public fun withDirectory(directory: Path): SimulationOptions = with(Settings.DIR, directory)

    public fun withRankCount(rankCount: Int): SimulationOptions = with(Settings.RANKS, rankCount)

    /** Gives up the ranks that [rule] chooses: they write what the others save. */
    public fun withDedicated(rule: Concentrators): SimulationOptions = with(Settings.DEDICATED, rule)

    public fun withEvery(steps: Long): SimulationOptions = with(Settings.EVERY, Every.Steps(steps))

    /** Saves as often as it costs least, by what saves take and how often hosts fail. */
    public fun withEveryAuto(): SimulationOptions = with(Settings.EVERY, Every.Auto)

    /** The mean time between failures of one host; see [withEveryAuto]. */
    public fun withHostFailures(time: java.time.Duration): SimulationOptions =
        with(Settings.MTBF, time.toKotlinDuration())

    /** The largest share of the time that saves may take, above 0 and below 1; see [withEveryAuto]. */
    public fun withOverhead(share: Double): SimulationOptions = with(Settings.OVERHEAD, share)

    public fun withEveryTime(time: java.time.Duration): SimulationOptions =
        with(Settings.EVERY_SECONDS, time.toKotlinDuration())

    public fun withProgress(progress: Boolean): SimulationOptions = with(Settings.PROGRESS, progress)

    /** These options, overridden by the sources around the program. */
    internal fun configured(
        name: String,
        line: CommandLine,
        sources: SettingsSources,
    ): SimulationOptions {
        val standard = Configuration.of(Settings.ALL).with(Settings.DIR, Path.of("$name.cairn"), Origin.DEFAULT)
        return SimulationOptions(sources.configure(standard.with(configuration), line), listeners)
    }

    /** A launcher has set the number of ranks, so no other source may contradict it. */
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

    /** The ranks of the simulation exist already. */
    internal fun on(ranks: Communicator): SimulationOptions {
        val origin = configuration.originOf(Settings.RANKS)
        require(origin == Origin.DEFAULT || rankCount == ranks.size) {
            "$origin: ${Settings.RANKS.name} cannot be '$rankCount', since the simulation runs on the ${ranks.size} " +
                "ranks of ${ranks.name}. Leave it out there."
        }
        return with(Settings.RANKS, ranks.size)
    }

    internal val directory: Path get() = checkNotNull(configuration[Settings.DIR])
    internal val progress: Boolean get() = configuration[Settings.PROGRESS]
    internal val rankCount: Int get() = configuration[Settings.RANKS]
    internal val dedicated: Concentrators? get() = configuration[Settings.DEDICATED]

    /** With all effective settings, so that checkpoints record them. */
    internal val checkpoints: CheckpointOptions get() = CheckpointOptions(configuration, listeners)

    private val every: Every get() = configuration[Settings.EVERY]

    internal val triggers: Triggers
        get() =
            Triggers(
                (every as? Every.Steps)?.count,
                configuration[Settings.EVERY_SECONDS]?.toDouble(DurationUnit.SECONDS),
                if (every ==
                    Every.Auto
                ) {
                    AutoSaves(configuration[Settings.MTBF], configuration[Settings.OVERHEAD])
                } else {
                    null
                },
                start,
                goOn = configuration[Settings.GO_ON],
            )

    /** @throws IllegalArgumentException if both are set */
    internal val start: Start
        get() {
            val number = configuration[Settings.FROM]
            val isFresh = configuration[Settings.FRESH]
            require(number == null || !isFresh) {
                "fresh begins at step 0 and from = $number at a checkpoint, so they exclude each other. Leave one out."
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
