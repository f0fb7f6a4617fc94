package dev.cairn.options

import dev.cairn.concentrate.Concentrators
import dev.cairn.config.Configuration
import dev.cairn.config.Origin
import dev.cairn.config.Setting
import dev.cairn.config.SettingsSources
import dev.cairn.contents.TableOfContents.Companion.FRAME_SIZE
import dev.cairn.event.CheckpointListener
import dev.cairn.event.and
import dev.cairn.failure.CheckpointException
import dev.cairn.failure.CheckpointException.Details
import dev.cairn.failure.CheckpointException.InvalidDeclaration
import dev.cairn.job.EndsAt
import dev.cairn.sion.FileMapping
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.Grouping
import dev.cairn.sion.MultifileSpec
import dev.cairn.state.LostOutputs
import dev.cairn.store.Retention
import java.nio.file.Path
import java.time.Instant
import kotlin.time.Duration
import kotlin.time.toKotlinDuration

/**
 * How checkpoints are written. Immutable; the same on all ranks. docs/configuration.md lists the defaults, and the
 * settings of a file and the environment that override the program's ([configured]). Java callers begin with [DEFAULT]
 * and the functions whose names begin with "with".
 */
public class CheckpointOptions internal constructor(
    internal val configuration: Configuration,
    internal val listeners: List<CheckpointListener> = emptyList(),
) {
    /**
     * The program's settings; null where it sets none.
     *
     * @param files the physical files of the data
     * @param blockSize the alignment of chunks in bytes; otherwise the preferred size of the file system
     * @param chunkSize the size of a rank's chunks, of which it takes as many as it needs; otherwise one of the exact size
     * @param grouping groups of ranks that share blocks, with one writer each; by default ranks are grouped in files
     *     with many ranks that have less than a block each
     * @param durability whether a checkpoint survives a power loss, and not only a killed process
     * @param verifySnapshot whether a save reads the state again after it is written, and refuses changes
     * @param checkRestart whether the first two saves of different steps are restored into the running program, one
     *     after the other, and compared with its state
     * @param keepLast the number of newest good checkpoints that are kept; at least two, but see [withOnlyNewest]
     * @param keepEvery every n-th save is kept permanently
     * @param takeOver whether to take the directory from an owner that may still be alive, such as one that is stopped,
     *     or on another host; that owner can no longer save
     * @param memory the maximum size of a process's buffers for saves and restores; at least 1 MiB
     * @param limit the time that one collective of a save or restore waits for other ranks; by default that of the
     *     communicator
     * @param lostOutputs the action of a restart for an output whose file is missing, or differs from the checkpoint's
     * @param wait how long a save keeps the program; by default until it is committed, but [dev.cairn.Checkpoints.saveAsync] until
     *     the state is copied
     * @param whenBusy what a program does that saves while the save before is still being written
     * @param snapshotMemory the maximum size of the copies of a process's state, for saves that do not keep the program; what has
     *     no room is written before the program goes on. By default as much as the state needs and the process may have
     * @param local the directory of each host, under the same name on all, to which saves go first that do not keep the program until
     *     they are committed; by default they go to the shared store
     * @param lostLocal what a restart does with a save that is complete on hosts of which it cannot reach all
     * @param localCopies the copies of each host's file on other hosts
     * @param failureGroups which hosts fail together
     * @param localKeep the maximum number of sealed saves on the hosts, besides the one that is being written; one that is superseded
     *     is given up for a newer one, and if there is none, the program waits for the drain
     * @param localLimit the maximum number of bytes that the saves of this program take on a host
     * @param onFull what happens to a save that has no room there
     * @param drain which sealed saves are drained and committed while the program goes on
     * @param drainRate the bytes that each host drains in a second; otherwise as many as it can
     * @param endsAt when the job of this program ends: a simulation saves and stops before; by default as the job system says
     * @param timeLimit the time from the start of the job to its end
     * @param concentrators the ranks that write the fields for all ranks, in large pieces; without them each rank writes its own
     * @param events the file to which each event of the checkpoints is appended as a line of JSON
     * @param keepEvents the bytes at which the store's own file of events becomes the older one of two, and a new one is begun; 0
     *     for a store without events
     * @param listener receives the same events on rank 0
     */
    public constructor(
        files: DataFiles? = null,
        blockSize: Int? = null,
        chunkSize: Long? = null,
        grouping: Grouping? = null,
        durability: ForcePolicy? = null,
        verifySnapshot: Boolean? = null,
        checkRestart: Boolean? = null,
        keepLast: Int? = null,
        keepEvery: Int? = null,
        takeOver: Boolean? = null,
        memory: Long? = null,
        limit: Duration? = null,
        lostOutputs: LostOutputs? = null,
        wait: Wait? = null,
        whenBusy: WhenBusy? = null,
        snapshotMemory: Long? = null,
        local: Path? = null,
        lostLocal: LostLocal? = null,
        localCopies: LocalCopies? = null,
        failureGroups: FailureGroups? = null,
        localKeep: Int? = null,
        localLimit: Long? = null,
        onFull: OnFull? = null,
        drain: DrainRule? = null,
        drainRate: Long? = null,
        endsAt: Instant? = null,
        timeLimit: Duration? = null,
        concentrators: Concentrators? = null,
        events: Path? = null,
        keepEvents: Long? = null,
        listener: CheckpointListener? = null,
    ) : this(
        NOTHING_SAID
            .orSaid(Settings.FILES, files)
            .orSaid(Settings.BLOCK_SIZE, blockSize)
            .orSaid(Settings.CHUNK_SIZE, chunkSize)
            .orSaid(Settings.GROUPING, grouping)
            .orSaid(Settings.DURABILITY, durability)
            .orSaid(Settings.VERIFY_SNAPSHOT, verifySnapshot)
            .orSaid(Settings.CHECK_RESTART, checkRestart)
            .orSaid(Settings.KEEP_LAST, keepLast?.also(::requireTwo))
            .orSaid(Settings.KEEP_EVERY, keepEvery)
            .orSaid(Settings.TAKE_OVER, takeOver)
            .orSaid(Settings.MEMORY, memory)
            .orSaid(Settings.LIMIT_SECONDS, limit)
            .orSaid(Settings.LOST_OUTPUTS, lostOutputs)
            .orSaid(Settings.WAIT, wait)
            .orSaid(Settings.WHEN_BUSY, whenBusy)
            .orSaid(Settings.SNAPSHOT_MEMORY, snapshotMemory)
            .orSaid(Settings.LOCAL, local)
            .orSaid(Settings.LOST_LOCAL, lostLocal)
            .orSaid(Settings.LOCAL_COPIES, localCopies)
            .orSaid(Settings.FAILURE_GROUPS, failureGroups)
            .orSaid(Settings.LOCAL_KEEP, localKeep)
            .orSaid(Settings.LOCAL_LIMIT, localLimit)
            .orSaid(Settings.ON_FULL, onFull)
            .orSaid(Settings.DRAIN, drain)
            .orSaid(Settings.DRAIN_RATE, drainRate)
            .orSaid(Settings.ENDS_AT, endsAt?.let(EndsAt::At))
            .orSaid(Settings.TIME_LIMIT, timeLimit)
            .orSaid(Settings.CONCENTRATE, concentrators)
            .orSaid(Settings.EVENTS, events)
            .orSaid(Settings.KEEP_EVENTS, keepEvents),
        listOfNotNull(listener),
    )

    public fun withFiles(files: DataFiles): CheckpointOptions = with(Settings.FILES, files)

    public fun withBlockSize(bytes: Int): CheckpointOptions = with(Settings.BLOCK_SIZE, bytes)

    public fun withChunkSize(bytes: Long): CheckpointOptions = with(Settings.CHUNK_SIZE, bytes)

    public fun withGrouping(grouping: Grouping): CheckpointOptions = with(Settings.GROUPING, grouping)

    public fun withDurability(durability: ForcePolicy): CheckpointOptions = with(Settings.DURABILITY, durability)

    public fun withVerifySnapshot(verifySnapshot: Boolean): CheckpointOptions =
        with(Settings.VERIFY_SNAPSHOT, verifySnapshot)

    /**
     * After the second save of a run, if it is of another step than the first, both are restored into the running
     * program, the second one last; if its state then differs from theirs, it ends with
     * [CheckpointException.StateDiffers] on all ranks. For tests and first runs: it costs two restores.
     */
    public fun withCheckRestart(checkRestart: Boolean): CheckpointOptions = with(Settings.CHECK_RESTART, checkRestart)

    public fun withKeepLast(count: Int): CheckpointOptions = with(Settings.KEEP_LAST, count.also(::requireTwo))

    /** Keeps only the newest good checkpoint: a single damaged file then ends the run. */
    public fun withOnlyNewest(): CheckpointOptions = with(Settings.KEEP_LAST, 1)

    public fun withKeepEvery(count: Int): CheckpointOptions = with(Settings.KEEP_EVERY, count)

    public fun withTakeOver(takeOver: Boolean): CheckpointOptions = with(Settings.TAKE_OVER, takeOver)

    public fun withMemory(bytes: Long): CheckpointOptions = with(Settings.MEMORY, bytes)

    public fun withLimit(limit: java.time.Duration): CheckpointOptions =
        with(Settings.LIMIT_SECONDS, limit.toKotlinDuration())

    public fun withLostOutputs(lostOutputs: LostOutputs): CheckpointOptions = with(Settings.LOST_OUTPUTS, lostOutputs)

    public fun withWait(wait: Wait): CheckpointOptions = with(Settings.WAIT, wait)

    public fun withWhenBusy(whenBusy: WhenBusy): CheckpointOptions = with(Settings.WHEN_BUSY, whenBusy)

    public fun withSnapshotMemory(bytes: Long): CheckpointOptions = with(Settings.SNAPSHOT_MEMORY, bytes)

    public fun withLocal(directory: Path): CheckpointOptions = with(Settings.LOCAL, directory)

    public fun withLostLocal(lostLocal: LostLocal): CheckpointOptions = with(Settings.LOST_LOCAL, lostLocal)

    public fun withLocalCopies(copies: LocalCopies): CheckpointOptions = with(Settings.LOCAL_COPIES, copies)

    public fun withFailureGroups(groups: FailureGroups): CheckpointOptions = with(Settings.FAILURE_GROUPS, groups)

    public fun withLocalKeep(count: Int): CheckpointOptions = with(Settings.LOCAL_KEEP, count)

    public fun withLocalLimit(bytes: Long): CheckpointOptions = with(Settings.LOCAL_LIMIT, bytes)

    public fun withOnFull(onFull: OnFull): CheckpointOptions = with(Settings.ON_FULL, onFull)

    /** The ranks that write the fields for all ranks. */
    public fun withConcentrators(concentrators: Concentrators): CheckpointOptions =
        with(Settings.CONCENTRATE, concentrators)

    public fun withDrain(rule: DrainRule): CheckpointOptions = with(Settings.DRAIN, rule)

    public fun withDrainRate(bytesPerSecond: Long): CheckpointOptions = with(Settings.DRAIN_RATE, bytesPerSecond)

    /** When the job of this program ends, as far as the program knows. */
    public fun withEndsAt(time: Instant): CheckpointOptions = with(Settings.ENDS_AT, EndsAt.At(time))

    public fun withTimeLimit(limit: java.time.Duration): CheckpointOptions =
        with(Settings.TIME_LIMIT, limit.toKotlinDuration())

    public fun withEvents(file: Path): CheckpointOptions = with(Settings.EVENTS, file)

    public fun withKeepEvents(bytes: Long): CheckpointOptions = with(Settings.KEEP_EVENTS, bytes)

    /** Adds [listener], which receives the events of checkpoints, to those that were added before. */
    public fun withListener(listener: CheckpointListener): CheckpointOptions =
        CheckpointOptions(configuration, listeners.and(listener))

    /**
     * These options, overridden by a file and then by the environment. For programs with a loop of their own; a
     * [dev.cairn.simulation] reads both by itself, and its command line after them.
     *
     * @throws IllegalArgumentException if one of them has an invalid value
     */
    public fun configured(): CheckpointOptions = configured(SettingsSources.ofThisProcess())

    internal fun configured(sources: SettingsSources): CheckpointOptions {
        val all = sources.configure(Configuration.of(Settings.ALL).with(configuration))
        return CheckpointOptions(all.only(Settings.OF_CHECKPOINTS), listeners)
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

    internal fun spec(
        data: Path,
        mapping: FileMapping,
    ): MultifileSpec {
        val spec =
            MultifileSpec
                .parallel(data)
                .withMapping(mapping)
                .withGrouping(configuration[Settings.GROUPING])
                .withForcePolicy(configuration[Settings.DURABILITY])
        return configuration[Settings.BLOCK_SIZE]?.let(spec::withBlockSize) ?: spec
    }

    private fun <T> with(
        setting: Setting<T>,
        value: T,
    ) = CheckpointOptions(configuration.with(setting, value, Origin.PROGRAM), listeners)

    override fun equals(other: Any?): Boolean =
        other is CheckpointOptions && configuration == other.configuration && listeners == other.listeners

    override fun hashCode(): Int = configuration.hashCode()

    override fun toString(): String = "CheckpointOptions($configuration)"

    public companion object {
        private val NOTHING_SAID = Configuration.of(Settings.OF_CHECKPOINTS)

        @JvmField
        public val DEFAULT: CheckpointOptions = CheckpointOptions(NOTHING_SAID)
    }
}

/** The program's value, if it sets one. */
internal fun <T> Configuration.orSaid(
    setting: Setting<T>,
    value: T?,
): Configuration = if (value == null) this else with(setting, value, Origin.PROGRAM)

private fun requireTwo(keepLast: Int) =
    require(keepLast >= 2) { "at least 2 checkpoints are kept, not $keepLast; withOnlyNewest() keeps one" }
