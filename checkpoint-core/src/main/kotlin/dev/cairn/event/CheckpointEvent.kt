package dev.cairn.event

import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.PrimitiveSerialDescriptor
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit
import kotlin.time.toJavaDuration

/**
 * An event of the checkpoints of a program, immutable. A listener receives it on rank 0, and a file of events gets a line: the
 * properties of each type below, in their order, are the fields of its line. A field that is a time is a number of seconds, and is
 * named so: `time` is the field `seconds`, `slowestTime` is `slowestSeconds`, `waited` is `waitedSeconds`.
 */
@Serializable
public sealed class CheckpointEvent {
    /** All properties: events of one type with equal ones are equal. */
    internal abstract fun facts(): List<Any?>

    override fun equals(other: Any?): Boolean =
        other is CheckpointEvent && javaClass == other.javaClass && facts() == other.facts()

    override fun hashCode(): Int = facts().hashCode()

    /**
     * A program has opened its checkpoints. A restart is a program of its own.
     *
     * @property rankCount the number of its ranks
     * @property hostCount the number of their hosts
     * @property hosts the ranks of each host, such as `0-3, 8`; empty if there are too many to list
     * @property host the host of rank 0
     * @property pid the process of rank 0
     * @property version the version of Cairn; empty where it is not known: Cairn is a module, or is not in a jar
     */
    @Serializable
    @SerialName("started")
    public class Started(
        @get:JvmName("rankCount") public val rankCount: Int,
        @get:JvmName("hostCount") public val hostCount: Int,
        @get:JvmName("hosts") public val hosts: Map<String, String>,
        @get:JvmName("host") public val host: String,
        @get:JvmName("pid") public val pid: Long,
        @get:JvmName("version") public val version: String,
    ) : CheckpointEvent() {
        override fun toString(): String =
            (
                if (rankCount ==
                    1
                ) {
                    "started"
                } else {
                    "started on $rankCount ranks of ${counted(hostCount, "host")}, rank 0"
                }
            ) +
                " as process $pid on $host"

        override fun facts() = listOf(rankCount, hostCount, hosts, host, pid, version)

        internal companion object
    }

    /**
     * A program has closed its checkpoints. There is none after a kill.
     *
     * @property step the steps that were done; null if they are not known, as of a program that has called neither `steps` nor `saveIfDue`
     */
    @Serializable
    @SerialName("ended")
    public class Ended(
        @get:JvmName("how") public val how: ProgramEnd,
        @get:JvmName("step") public val step: Long?,
    ) : CheckpointEvent() {
        override fun toString(): String = "Ended(how=$how, step=$step)"

        override fun facts() = listOf(how, step)

        internal companion object
    }

    /** A save has its number and its directory. It ends as a [SaveOutcome], unless the program dies. */
    @Serializable
    @SerialName("begun")
    public class Begun(
        @get:JvmName("number") public val number: Int,
        @get:JvmName("step") public val step: Long,
        @get:JvmName("phase") public val phase: String,
    ) : CheckpointEvent() {
        override fun toString(): String = "Begun(number=$number, step=$step, phase=$phase)"

        override fun facts() = listOf(number, step, phase)

        internal companion object
    }

    /** A checkpoint was passed over while the program looked for one to restore from. */
    @Serializable
    @SerialName("rejected")
    public class Rejected(
        @get:JvmName("number") public val number: Int,
        @get:JvmName("reason") public val reason: String,
    ) : CheckpointEvent() {
        override fun toString(): String = "Rejected(number=$number, reason=$reason)"

        override fun facts() = listOf(number, reason)

        internal companion object
    }

    /** The store was taken over from an owner that had not released it. */
    @Serializable
    @SerialName("takenOver")
    public class TakenOver(
        @get:JvmName("explanation") public val explanation: String,
    ) : CheckpointEvent() {
        override fun toString(): String = "TakenOver(explanation=$explanation)"

        override fun facts() = listOf(explanation)

        internal companion object
    }

    /** An expired checkpoint was deleted, perhaps some time ago, in the background. */
    @Serializable
    @SerialName("deleted")
    public class Deleted(
        @get:JvmName("number") public val number: Int,
    ) : CheckpointEvent() {
        override fun toString(): String = "Deleted(number=$number)"

        override fun facts() = listOf(number)

        internal companion object
    }

    /** A checkpoint that was restored: its number, the step and phase at which it was made, and the number of its ranks. */
    @Serializable
    @SerialName("restored")
    public class Restored(
        @get:JvmName("number") public val number: Int,
        @get:JvmName("step") public val step: Long,
        @get:JvmName("rankCount") public val rankCount: Int,
        @get:JvmName("phase") public val phase: String = "",
    ) : CheckpointEvent() {
        override fun toString(): String =
            "save $number, step $step" + if (rankCount == 1) "" else " of $rankCount ranks"

        override fun facts() = listOf(number, step, rankCount, phase)

        internal companion object
    }

    /** How a program has closed its checkpoints. */
    @Serializable
    public enum class ProgramEnd {
        /** It has come to its end. */
        @SerialName("finished")
        FINISHED,

        /** It has saved and stopped early, as it was asked to. */
        @SerialName("stopped")
        STOPPED,

        /** It has come to its end, but its last save or an output is not complete. */
        @SerialName("unsaved")
        UNSAVED,

        /** An exception ended it. */
        @SerialName("failed")
        FAILED,

        /** It called `close` itself, so more is not known. */
        @SerialName("closed")
        CLOSED,
        ;

        internal companion object
    }

    internal companion object
}

/**
 * The outcome of a save: [Saved], [Skipped], [Failed] or [Superseded]; or [under way][UnderWay]. The same on all ranks.
 */
@Serializable
public sealed class SaveOutcome : CheckpointEvent() {
    /**
     * The save was not attempted, for this [reason]. Nothing was written. The [number] is null if the save before was still
     * under way.
     */
    @Serializable
    @SerialName("skipped")
    public class Skipped(
        @get:JvmName("number") public val number: Int?,
        @get:JvmName("step") public val step: Long,
        @get:JvmName("phase") public val phase: String,
        @get:JvmName("reason") public val reason: String,
    ) : SaveOutcome() {
        override fun toString(): String = "${nameOf(number)} at step $step was skipped: $reason"

        override fun facts() = listOf(number, step, phase, reason)

        internal companion object
    }

    /**
     * The program goes on, and later meetings of the ranks end the save: as [Saved] or [Failed], or, if it [is sealed][isSealed], perhaps as
     * [Superseded].
     */
    @Serializable
    public sealed class UnderWay : SaveOutcome() {
        @get:JvmSynthetic
        public abstract val number: Int

        @get:JvmSynthetic
        public abstract val step: Long

        @get:JvmSynthetic
        public abstract val phase: String

        /**
         * Whether all data are complete and forced on the disks of the hosts, from where they are drained into the store that all ranks
         * share, unless the option `drain` says that they stay there. Such a save survives the death of all processes, and a restart
         * that reaches all these disks completes it. Otherwise the state is copied, and until the save is written it survives
         * the failure of nothing.
         */
        public abstract val isSealed: Boolean

        /** For Java. */
        public fun number(): Int = number

        /** For Java. */
        public fun step(): Long = step

        /** For Java. */
        public fun phase(): String = phase

        override fun facts(): List<Any?> = listOf(number, step, phase)

        internal companion object
    }

    /** The state is copied. */
    @Serializable
    @SerialName("copied")
    internal class Copied(override val number: Int, override val step: Long, override val phase: String) : UnderWay() {
        override val isSealed get() = false

        override fun toString(): String = "save $number, step $step: copied, and not committed yet"
    }

    /** The data are complete on the disks of the hosts. */
    @Serializable
    @SerialName("sealed")
    internal class Sealed(override val number: Int, override val step: Long, override val phase: String) : UnderWay() {
        override val isSealed get() = true

        override fun toString(): String =
            "save $number, step $step: complete on the disks of its hosts, and not committed yet"
    }

    /**
     * The save was sealed on the disks of its hosts, but before it was drained, save [by] was: a restart continues from that one. Its
     * data are deleted.
     */
    @Serializable
    @SerialName("superseded")
    public class Superseded(
        @get:JvmName("number") public val number: Int,
        @get:JvmName("step") public val step: Long,
        @get:JvmName("phase") public val phase: String,
        @get:JvmName("by") public val by: Int,
    ) : SaveOutcome() {
        override fun toString(): String = "save $number, step $step: superseded by save $by, before it was drained"

        override fun facts() = listOf(number, step, phase, by)

        internal companion object
    }

    /**
     * The save failed, for this [reason]. Its data were deleted, unless the reason says that they stay on the disks of their hosts. The
     * [number] is null if it had no directory yet.
     */
    @Serializable
    @SerialName("failed")
    public class Failed(
        @get:JvmName("number") public val number: Int?,
        @get:JvmName("step") public val step: Long,
        @get:JvmName("phase") public val phase: String,
        @get:JvmName("reason") public val reason: String,
    ) : SaveOutcome() {
        override fun toString(): String = "${nameOf(number)} at step $step failed: $reason"

        override fun facts() = listOf(number, step, phase, reason)

        internal companion object
    }

    /**
     * A checkpoint that was committed.
     *
     * @property byteCount the bytes of state in it
     * @property time the duration until it was committed, as measured by rank 0
     * @property slowestRank the rank that took longest to write its data, without forcing them to disk
     * @property slowestTime the time of that rank
     * @property waited how long the program waited for the save, as measured by rank 0
     */
    @Serializable
    @SerialName("committed")
    public class Saved(
        @get:JvmName("number") public val number: Int,
        @get:JvmName("step") public val step: Long,
        @get:JvmName("phase") public val phase: String,
        @get:JvmName("byteCount") public val byteCount: Long,
        @SerialName("seconds")
        @Serializable(with = SecondsNumber::class)
        @get:JvmSynthetic
        public val time: Duration,
        @get:JvmName("slowestRank") public val slowestRank: Int,
        @SerialName("slowestSeconds")
        @Serializable(with = SecondsNumber::class)
        @get:JvmSynthetic
        public val slowestTime: Duration,
        @SerialName("waitedSeconds")
        @Serializable(with = SecondsNumber::class)
        @get:JvmSynthetic
        public val waited: Duration,
    ) : SaveOutcome() {
        /** For Java. */
        public fun time(): java.time.Duration = time.toJavaDuration()

        /** For Java. */
        public fun slowestTime(): java.time.Duration = slowestTime.toJavaDuration()

        /** For Java. */
        public fun waited(): java.time.Duration = waited.toJavaDuration()

        override fun toString(): String =
            "save $number, step $step: ${sizeText(byteCount)} in ${secondsText(time)}, ${rateText(byteCount, time)}" +
                if (waited < time) ", the program waited ${secondsText(waited)}" else ""

        override fun facts() = listOf(number, step, phase, byteCount, time, slowestRank, slowestTime, waited)

        internal companion object
    }

    internal companion object
}

private fun nameOf(number: Int?) = if (number == null) "a save" else "save $number"

/** A time as a number of seconds, which any program can parse. */
private object SecondsNumber : KSerializer<Duration> {
    override val descriptor = PrimitiveSerialDescriptor("dev.cairn.Seconds", PrimitiveKind.DOUBLE)

    override fun serialize(encoder: Encoder, value: Duration) =
        encoder.encodeDouble(value.toDouble(DurationUnit.SECONDS))

    override fun deserialize(decoder: Decoder): Duration = decoder.decodeDouble().seconds
}
