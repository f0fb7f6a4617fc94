@file:JvmSynthetic

package dev.cairn.options

import dev.cairn.checkpoint.TableOfContents.Companion.FRAME_SIZE
import dev.cairn.concentrate.Concentrators
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.sion.FileMapping
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.Grouping
import dev.cairn.sion.MultifileSpec
import dev.cairn.state.LostOutputs
import dev.cairn.store.Retention
import java.nio.file.Path
import java.time.Instant
import java.util.function.Consumer
import kotlin.time.Duration
import kotlin.time.toKotlinDuration

/**
 * How checkpoints are written: `CheckpointOptions { keepLast = 3 }`, and from Java
 * `CheckpointOptions.builder().keepLast(3).build()`. Immutable; the same on all ranks. docs/reference/settings.md lists the
 * defaults, and the settings of a file and the environment that override the program's ([configured]).
 */
public class CheckpointOptions internal constructor(
    internal val configuration: Configuration,
    internal val listeners: List<Consumer<CheckpointEvent>> = emptyList(),
) {
    /** To change some of these options. */
    public fun toBuilder(): Builder = Builder(configuration, listeners)

    internal fun and(listener: Consumer<CheckpointEvent>) = toBuilder().listener(listener).build()

    /**
     * These options, overridden by a file and then by the environment. For programs with a loop of their own; a
     * [dev.cairn.simulation] reads both by itself, and its command line after them.
     *
     * @throws CheckpointException if one of them has an invalid value
     */
    public fun configured(): CheckpointOptions = configured(SettingsSources.ofThisProcess())

    internal fun configured(sources: SettingsSources): CheckpointOptions =
        CheckpointOptions(configured(configuration, sources).only(Settings.OF_CHECKPOINTS), listeners)

    /** As [configured], for a program of one process: its [directory] is that of a setting, or [named] by the program. */
    internal fun configuredSolo(named: Path, sources: SettingsSources): CheckpointOptions {
        val program = configuration.with(Settings.DIR, named, Origin.PROGRAM)
        return CheckpointOptions(configured(program, sources).only(Settings.OF_SOLO), listeners)
    }

    private fun configured(program: Configuration, sources: SettingsSources): Configuration =
        readingSettings { sources.configure(Configuration.of(Settings.ALL).with(program)) }

    /** Of a program of one process. */
    internal val directory: Path get() = checkNotNull(configuration[Settings.DIR])

    /** Refuses settings that contradict each other about where the program begins. */
    internal fun requireStart() {
        readingSettings { configuration.start }
    }

    /** Refuses to wait for disks of hosts that no setting names, and to use them beside dedicated ranks. */
    internal fun requireLocal(isDedicated: Boolean) {
        val flaw =
            if (isDedicated && (wait == Wait.LOCAL || local != null)) {
                "saves should go to the disks of the hosts, and dedicated ranks write into the shared store only. " +
                    "Leave out local and wait = local, or dedicate no ranks."
            } else if (wait == Wait.LOCAL && local == null) {
                "wait is local, so saves should go to the disks of the hosts, but no directory is set. Set local to " +
                    "the directory that each host has for them, or wait to another value."
            } else {
                return
            }
        throw InvalidDeclaration(Details(flaw))
    }

    /** When a loop saves with these options, and where it begins; an [IllegalArgumentException] if settings contradict each other. */
    internal val triggers: Triggers get() = configuration.triggers

    internal val progress: Boolean get() = configuration[Settings.PROGRESS]
    internal val signals: Boolean get() = configuration[Settings.SIGNALS]
    internal val files: DataFiles get() = configuration[Settings.FILES]
    internal val chunkSize: Long? get() = configuration[Settings.CHUNK_SIZE]
    internal val verifySnapshot: Boolean get() = configuration[Settings.VERIFY_SNAPSHOT]
    internal val checkRestart: Boolean get() = configuration[Settings.CHECK_RESTART]
    internal val takeOver: Boolean get() = configuration[Settings.TAKE_OVER]
    internal val limit: Duration? get() = configuration[Settings.LIMIT_SECONDS]
    internal val lostOutputs: LostOutputs get() = configuration[Settings.LOST_OUTPUTS]
    internal val wait: Wait? get() = configuration[Settings.WAIT]
    internal val whenBusy: WhenBusy get() = configuration[Settings.WHEN_BUSY]
    internal val snapshotMemory: Long? get() = configuration[Settings.SNAPSHOT_MEMORY]
    internal val local: Path? get() = configuration[Settings.LOCAL]
    internal val lostLocal: LostLocal get() = configuration[Settings.LOST_LOCAL]
    internal val localCopies: LocalCopies get() = configuration[Settings.LOCAL_COPIES]
    internal val failureGroups: FailureGroups get() = configuration[Settings.FAILURE_GROUPS]
    internal val localKeep: Int get() = configuration[Settings.LOCAL_KEEP]
    internal val localLimit: Long? get() = configuration[Settings.LOCAL_LIMIT]
    internal val onFull: OnFull get() = configuration[Settings.ON_FULL]
    internal val concentrators: Concentrators? get() = configuration[Settings.CONCENTRATE]
    internal val drain: DrainRule get() = configuration[Settings.DRAIN]
    internal val drainRate: Long? get() = configuration[Settings.DRAIN_RATE]
    internal val events: Path? get() = configuration[Settings.EVENTS]
    internal val keepEvents: Long get() = configuration[Settings.KEEP_EVENTS]

    /** Where an output waits that declares [declared]; null stands for memory. */
    internal fun stageOr(declared: Path?): Path? =
        when (val set = configuration[Settings.STAGE]) {
            null -> declared
            is OutputStage.Logs -> set.directory
            OutputStage.Memory -> null
        }

    /** How many bytes each rank keeps in the logs of an output that declares [declared]. */
    internal fun stageRoomOr(declared: Long): Long = configuration[Settings.STAGE_ROOM] ?: declared

    internal val frameCount: Int
        get() = (configuration[Settings.MEMORY] / FRAME_SIZE).coerceAtMost(Int.MAX_VALUE.toLong()).toInt()

    internal fun retention(): Retention {
        val last = configuration[Settings.KEEP_LAST]
        val newest = if (last == 1) Retention.keepOnlyNewest() else Retention.keepLast(last)
        return configuration[Settings.KEEP_EVERY]?.let(newest::andEvery) ?: newest
    }

    internal fun spec(data: Path, mapping: FileMapping): MultifileSpec {
        val spec =
            MultifileSpec
                .parallel(data)
                .withMapping(mapping)
                .withGrouping(configuration[Settings.GROUPING])
                .withForcePolicy(configuration[Settings.DURABILITY])
        return configuration[Settings.BLOCK_SIZE]?.let(spec::withBlockSize) ?: spec
    }

    override fun equals(other: Any?): Boolean =
        other is CheckpointOptions && configuration == other.configuration && listeners == other.listeners

    override fun hashCode(): Int = configuration.hashCode()

    override fun toString(): String = "CheckpointOptions($configuration)"

    /**
     * Makes options: a property for each setting, and for Java a function of the same name. A setting that is not
     * assigned has Cairn's default. Null gives it back: assigned to a property that may be null, or in Java passed to a
     * function, or for a number to its setter, as in `setBlockSize(null)`. A value that is not allowed is refused at once, with
     * an [IllegalArgumentException].
     */
    public class Builder internal constructor(
        configuration: Configuration,
        private var listeners: List<Consumer<CheckpointEvent>>,
    ) {
        private val values = AssignedSettings(configuration)

        /** The number of steps between saves, in a loop that calls `saveIfDue`; null for none between them. */
        public var every: Long?
            get() = (values.configuration[Settings.EVERY] as? Every.Steps)?.count
            set(steps) = values.assign(Settings.EVERY, steps?.let(Every::Steps))

        public fun every(steps: Long): Builder = apply { every = steps }

        /** Such a loop saves as often as it costs least, by what saves take and how often hosts fail. */
        public fun everyAuto(): Builder = apply { values.assign(Settings.EVERY, Every.Auto) }

        /** The time between saves of such a loop. */
        public var everyTime: Duration? by values[Settings.EVERY_SECONDS]

        public fun everyTime(time: java.time.Duration?): Builder =
            assign(Settings.EVERY_SECONDS, time?.toKotlinDuration())

        /** The mean time between failures of one host, for saves as often as it costs least ([everyAuto]). */
        public var hostFailures: Duration by values[Settings.MTBF]

        public fun hostFailures(time: java.time.Duration?): Builder = assign(Settings.MTBF, time?.toKotlinDuration())

        /** The largest share of the time that such saves may take, above 0 and below 1. */
        public var overhead: Double? by values[Settings.OVERHEAD]

        public fun overhead(share: Double): Builder = apply { overhead = share }

        /** Whether the program begins at step 0, and its first restore ignores existing checkpoints. */
        public var fresh: Boolean by values[Settings.FRESH]

        public fun fresh(fresh: Boolean): Builder = apply { this.fresh = fresh }

        /** The number of the save that the first restore takes; null for the newest good one. */
        public var from: Int? by values[Settings.FROM]

        public fun from(number: Int): Builder = apply { from = number }

        /** Whether a line on the terminal shows the steps and saves of a loop that calls `saveIfDue`. */
        public var progress: Boolean by values[Settings.PROGRESS]

        public fun progress(progress: Boolean): Builder = apply { this.progress = progress }

        /** Whether the signals USR1, TERM and INT ask a loop for saves and stops; otherwise the program handles them. */
        public var signals: Boolean by values[Settings.SIGNALS]

        public fun signals(signals: Boolean): Builder = apply { this.signals = signals }

        /** The physical files of the data. */
        public var files: DataFiles by values[Settings.FILES]

        public fun files(files: DataFiles?): Builder = assign(Settings.FILES, files)

        /** The alignment of chunks in bytes; null for the preferred size of the file system. */
        public var blockSize: Int? by values[Settings.BLOCK_SIZE]

        public fun blockSize(bytes: Int): Builder = apply { blockSize = bytes }

        /** The size of a rank's chunks, of which it takes as many as it needs; null for one of the exact size. */
        public var chunkSize: Long? by values[Settings.CHUNK_SIZE]

        public fun chunkSize(bytes: Long): Builder = apply { chunkSize = bytes }

        /**
         * Groups of ranks that share blocks, with one writer each; by default ranks are grouped in files with many
         * ranks that have less than a block each.
         */
        public var grouping: Grouping by values[Settings.GROUPING]

        public fun grouping(grouping: Grouping?): Builder = assign(Settings.GROUPING, grouping)

        /** The ranks that write the fields for all ranks, in large pieces; without them each rank writes its own. */
        public var concentrators: Concentrators? by values[Settings.CONCENTRATE]

        public fun concentrators(concentrators: Concentrators?): Builder = assign(Settings.CONCENTRATE, concentrators)

        /** Whether a checkpoint survives a power loss, and not only a killed process. */
        public var durability: ForcePolicy by values[Settings.DURABILITY]

        public fun durability(durability: ForcePolicy?): Builder = assign(Settings.DURABILITY, durability)

        /** Whether a save reads the state again after it is written, and refuses changes. */
        public var verifySnapshot: Boolean by values[Settings.VERIFY_SNAPSHOT]

        public fun verifySnapshot(verifySnapshot: Boolean): Builder = apply { this.verifySnapshot = verifySnapshot }

        /**
         * After the second save of a run, if it is of another step than the first, both are restored into the running
         * program, the second one last; if its state then differs from theirs, it ends with
         * [CheckpointException.StateDiffers] on all ranks. For tests and first runs: it costs two restores.
         */
        public var checkRestart: Boolean by values[Settings.CHECK_RESTART]

        public fun checkRestart(checkRestart: Boolean): Builder = apply { this.checkRestart = checkRestart }

        /** The number of newest good checkpoints that are kept; at least two, but see [keepOnlyNewest]. */
        public var keepLast: Int
            get() = values.configuration[Settings.KEEP_LAST]
            set(count) {
                // What keepOnlyNewest() has set may be assigned again.
                require(count >= 2 || count == keepLast) {
                    "at least 2 checkpoints are kept, not $count; keepOnlyNewest() keeps one"
                }
                values.assign(Settings.KEEP_LAST, count)
            }

        public fun keepLast(count: Int): Builder = apply { keepLast = count }

        /** Keeps only the newest good checkpoint: a single damaged file then ends the run. */
        public fun keepOnlyNewest(): Builder = apply { values.assign(Settings.KEEP_LAST, 1) }

        /** Every n-th save is kept permanently. */
        public var keepEvery: Int? by values[Settings.KEEP_EVERY]

        public fun keepEvery(count: Int): Builder = apply { keepEvery = count }

        /**
         * Whether to take the directory from an owner that may still be alive, such as one that is stopped, or on
         * another host; that owner can no longer save.
         */
        public var takeOver: Boolean by values[Settings.TAKE_OVER]

        public fun takeOver(takeOver: Boolean): Builder = apply { this.takeOver = takeOver }

        /** The maximum size of a process's buffers for saves and restores; at least 1 MiB. */
        public var memory: Long by values[Settings.MEMORY]

        public fun memory(bytes: Long): Builder = apply { memory = bytes }

        /** The time that one collective of a save or restore waits for other ranks; null for the communicator's. */
        public var limit: Duration? by values[Settings.LIMIT_SECONDS]

        public fun limit(limit: java.time.Duration?): Builder =
            assign(Settings.LIMIT_SECONDS, limit?.toKotlinDuration())

        /** The action of a restart for an output whose file is missing, or differs from the checkpoint's. */
        public var lostOutputs: LostOutputs by values[Settings.LOST_OUTPUTS]

        public fun lostOutputs(lostOutputs: LostOutputs?): Builder = assign(Settings.LOST_OUTPUTS, lostOutputs)

        /** The file to which each event of the checkpoints is appended as a line of JSON. */
        public var events: Path? by values[Settings.EVENTS]

        public fun events(file: Path?): Builder = assign(Settings.EVENTS, file)

        /**
         * The bytes at which the store's own file of events becomes the older one of two, and a new one is begun; 0 for
         * a store without events.
         */
        public var keepEvents: Long by values[Settings.KEEP_EVENTS]

        public fun keepEvents(bytes: Long): Builder = apply { keepEvents = bytes }

        /**
         * How long a save blocks the program; by default until it is committed, but [dev.cairn.Checkpoints.saveAsync]
         * until the state is copied.
         */
        public var wait: Wait? by values[Settings.WAIT]

        public fun wait(wait: Wait?): Builder = assign(Settings.WAIT, wait)

        /** What a program does that saves while the save before is still being written. */
        public var whenBusy: WhenBusy by values[Settings.WHEN_BUSY]

        public fun whenBusy(whenBusy: WhenBusy?): Builder = assign(Settings.WHEN_BUSY, whenBusy)

        /**
         * The maximum size of the copies of a process's state, for saves in the background; what has no room is written
         * before the program goes on. By default as much as the state needs and the process may have.
         */
        public var snapshotMemory: Long? by values[Settings.SNAPSHOT_MEMORY]

        public fun snapshotMemory(bytes: Long): Builder = apply { snapshotMemory = bytes }

        /**
         * The directory of each host, under the same name on all, for saves that do not block the program until they
         * are committed; by default they go to the shared store.
         */
        public var local: Path? by values[Settings.LOCAL]

        public fun local(directory: Path?): Builder = assign(Settings.LOCAL, directory)

        /** What a restart does with a save that is complete on hosts of which it cannot reach all. */
        public var lostLocal: LostLocal by values[Settings.LOST_LOCAL]

        public fun lostLocal(lostLocal: LostLocal?): Builder = assign(Settings.LOST_LOCAL, lostLocal)

        /** The copies of each host's file on other hosts. */
        public var localCopies: LocalCopies by values[Settings.LOCAL_COPIES]

        public fun localCopies(copies: LocalCopies?): Builder = assign(Settings.LOCAL_COPIES, copies)

        /** Which hosts fail together. */
        public var failureGroups: FailureGroups by values[Settings.FAILURE_GROUPS]

        public fun failureGroups(groups: FailureGroups?): Builder = assign(Settings.FAILURE_GROUPS, groups)

        /**
         * The maximum number of sealed saves on the hosts, besides the one that is being written; one that is
         * superseded is given up for a newer one, and if there is none, the program waits for the drain.
         */
        public var localKeep: Int by values[Settings.LOCAL_KEEP]

        public fun localKeep(count: Int): Builder = apply { localKeep = count }

        /** The maximum number of bytes that the saves of this program take on a host. */
        public var localLimit: Long? by values[Settings.LOCAL_LIMIT]

        public fun localLimit(bytes: Long): Builder = apply { localLimit = bytes }

        /** What happens to a save that has no room on the hosts. */
        public var onFull: OnFull by values[Settings.ON_FULL]

        public fun onFull(onFull: OnFull?): Builder = assign(Settings.ON_FULL, onFull)

        /** Which sealed saves are drained and committed while the program goes on. */
        public var drain: DrainRule by values[Settings.DRAIN]

        public fun drain(rule: DrainRule?): Builder = assign(Settings.DRAIN, rule)

        /** The bytes that each host drains in a second; null for as many as it can. */
        public var drainRate: Long? by values[Settings.DRAIN_RATE]

        public fun drainRate(bytesPerSecond: Long): Builder = apply { drainRate = bytesPerSecond }

        /** When the job ends; a simulation saves and stops before. Null for what the job system says. */
        public var endsAt: Instant?
            get() = (values.configuration[Settings.ENDS_AT] as? EndsAt.At)?.time
            set(time) = values.assign(Settings.ENDS_AT, time?.let(EndsAt::At))

        public fun endsAt(time: Instant?): Builder = apply { endsAt = time }

        /** The time from the start of the job to its end. */
        public var timeLimit: Duration? by values[Settings.TIME_LIMIT]

        public fun timeLimit(limit: java.time.Duration?): Builder =
            assign(Settings.TIME_LIMIT, limit?.toKotlinDuration())

        /**
         * Adds [listener], which receives the events of checkpoints, to those that were added before. It is called on rank 0 alone, by
         * the coroutine or thread of that rank, while the other ranks wait: it should be brief. Its exceptions are logged, and do
         * not affect the save. It must not call the program's communicator.
         */
        public fun listener(listener: Consumer<CheckpointEvent>): Builder =
            apply { listeners = (listeners + listener).distinct() }

        private fun <T> assign(setting: Setting<T>, value: T?): Builder = apply { values.assign(setting, value) }

        public fun build(): CheckpointOptions = CheckpointOptions(values.configuration, listeners)
    }

    internal companion object {
        @JvmField
        val DEFAULT: CheckpointOptions = CheckpointOptions(Configuration.of(Settings.OF_CHECKPOINTS))

        @JvmStatic
        fun builder(): Builder = DEFAULT.toBuilder()
    }
}

/** The options [from], changed by what [set] assigns. */
public fun CheckpointOptions(
    from: CheckpointOptions = CheckpointOptions.DEFAULT,
    set: CheckpointOptions.Builder.() -> Unit = {},
): CheckpointOptions = from.toBuilder().apply(set).build()
