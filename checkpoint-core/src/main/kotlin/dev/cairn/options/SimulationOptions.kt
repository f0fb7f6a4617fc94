@file:JvmSynthetic

package dev.cairn.options

import dev.cairn.concentrate.Concentrators
import dev.cairn.event.CheckpointEvent
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.Launch
import java.nio.file.Path
import java.util.function.Consumer
import kotlin.time.Duration
import kotlin.time.toKotlinDuration

/**
 * A program's options for a [dev.cairn.simulation], which a file, the environment and the command line override:
 * `SimulationOptions { every = 100 }`, and from Java `SimulationOptions.builder().every(100).build()`. Immutable.
 */
public class SimulationOptions internal constructor(
    internal val configuration: Configuration,
    private val listeners: List<Consumer<CheckpointEvent>> = emptyList(),
) {
    /** To change some of these options. */
    public fun toBuilder(): Builder = Builder(configuration, listeners)

    /** These options, overridden by the sources around the program. */
    internal fun configured(name: String, line: CommandLine, sources: SettingsSources): SimulationOptions {
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
        return toBuilder().rankCount(ranks.size).build()
    }

    internal val directory: Path get() = checkNotNull(configuration[Settings.DIR])
    internal val rankCount: Int get() = configuration[Settings.RANKS]
    internal val dedicated: Concentrators? get() = configuration[Settings.DEDICATED]

    /** With all effective settings, so that checkpoints record them. */
    internal val checkpoints: CheckpointOptions get() = CheckpointOptions(configuration, listeners)

    internal val triggers: Triggers get() = configuration.triggers

    override fun equals(other: Any?): Boolean =
        other is SimulationOptions && configuration == other.configuration && listeners == other.listeners

    override fun hashCode(): Int = configuration.hashCode()

    override fun toString(): String = "SimulationOptions($configuration)"

    /** Makes options, as [CheckpointOptions.Builder] does. */
    public class Builder internal constructor(
        configuration: Configuration,
        private var listeners: List<Consumer<CheckpointEvent>>,
    ) {
        private val values = AssignedSettings(configuration)

        /** How checkpoints are written. [options] override earlier ones; their listeners are added to the earlier. */
        public fun checkpoints(options: CheckpointOptions): Builder =
            apply {
                values.configuration = values.configuration.with(options.configuration)
                listeners = (listeners + options.listeners).distinct()
            }

        /** As the other one, with what [set] assigns. */
        @JvmSynthetic
        public fun checkpoints(set: CheckpointOptions.Builder.() -> Unit): Builder =
            checkpoints(CheckpointOptions(set = set))

        /** The directory of the checkpoints; null for `NAME.cairn`. */
        public var directory: Path? by values[Settings.DIR]

        public fun directory(directory: Path?): Builder = apply { this.directory = directory }

        /** The number of ranks, dedicated ones among them. */
        public var rankCount: Int by values[Settings.RANKS]

        public fun rankCount(count: Int): Builder = apply { rankCount = count }

        /** The ranks that are given up: they write what the others save with the program going on. */
        public var dedicated: Concentrators? by values[Settings.DEDICATED]

        public fun dedicated(rule: Concentrators?): Builder = apply { dedicated = rule }

        /** The number of steps between saves; null for none between them. */
        public var every: Long?
            get() = (values.configuration[Settings.EVERY] as? Every.Steps)?.count
            set(steps) = values.assign(Settings.EVERY, steps?.let(Every::Steps))

        public fun every(steps: Long): Builder = apply { every = steps }

        /** Saves as often as it costs least, by what saves take and how often hosts fail. */
        public fun everyAuto(): Builder = apply { values.assign(Settings.EVERY, Every.Auto) }

        /** The time between saves. */
        public var everyTime: Duration? by values[Settings.EVERY_SECONDS]

        public fun everyTime(time: java.time.Duration?): Builder = apply { everyTime = time?.toKotlinDuration() }

        /** The mean time between failures of one host, for saves as often as it costs least ([everyAuto]). */
        public var hostFailures: Duration by values[Settings.MTBF]

        public fun hostFailures(time: java.time.Duration?): Builder =
            apply { values.assign(Settings.MTBF, time?.toKotlinDuration()) }

        /** The largest share of the time that such saves may take, above 0 and below 1. */
        public var overhead: Double? by values[Settings.OVERHEAD]

        public fun overhead(share: Double): Builder = apply { overhead = share }

        /** Whether a line on the terminal tells of the steps and saves. */
        public var progress: Boolean by values[Settings.PROGRESS]

        public fun progress(progress: Boolean): Builder = apply { this.progress = progress }

        public fun build(): SimulationOptions = SimulationOptions(values.configuration, listeners)
    }

    internal companion object {
        @JvmField
        val DEFAULT: SimulationOptions = SimulationOptions(Configuration.of(Settings.ALL))

        @JvmStatic
        fun builder(): Builder = DEFAULT.toBuilder()
    }
}

/** The options [from], changed by what [set] assigns. */
public fun SimulationOptions(
    from: SimulationOptions = SimulationOptions.DEFAULT,
    set: SimulationOptions.Builder.() -> Unit = {},
): SimulationOptions = from.toBuilder().apply(set).build()
