package dev.cairn

import dev.cairn.comm.counted
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
 * Something that happened to the checkpoints of a program. A [CheckpointListener] hears of it, and a file of events gets a
 * line: the properties of each type below, in their order, are the fields of its line.
 */
@Serializable
public sealed interface CheckpointEvent {
    /** A save has its number and its directory. It ends as a [SaveOutcome], unless the program dies. */
    @Serializable
    @SerialName("begun")
    public data class Begun(
        @get:JvmName("number") val number: Int,
        @get:JvmName("step") val step: Long,
        @get:JvmName("phase") val phase: String,
    ) : CheckpointEvent

    /** A checkpoint was passed over while the program looked for one to restore from. */
    @Serializable
    @SerialName("rejected")
    public data class Rejected(
        @get:JvmName("number") val number: Int,
        @get:JvmName("reason") val reason: String,
    ) : CheckpointEvent

    /** The store was taken over from an owner that had left without saying so. */
    @Serializable
    @SerialName("takenOver")
    public data class TakenOver(
        @get:JvmName("explanation") val explanation: String,
    ) : CheckpointEvent

    /** A checkpoint that need not stay was deleted, or what was left of a save that had not ended. */
    @Serializable
    @SerialName("deleted")
    public data class Deleted(
        @get:JvmName("number") val number: Int,
    ) : CheckpointEvent
}

/** A checkpoint that was restored: its number, the step and phase at which it was made, and on how many ranks. */
@Serializable
@SerialName("restored")
public data class Restored(
    @get:JvmName("number") val number: Int,
    @get:JvmName("step") val step: Long,
    @get:JvmName("rankCount") val rankCount: Int,
    @get:JvmName("phase") val phase: String = "",
) : CheckpointEvent {
    override fun toString(): String = "save $number, step $step of ${counted(rankCount, "rank")}"
}

/** How a save ended: as [Saved], [Skipped] or [Failed]; the same on all ranks. */
@Serializable
public sealed interface SaveOutcome : CheckpointEvent {
    /** It was not worth trying, for this [reason]. Nothing was written. */
    @Serializable
    @SerialName("skipped")
    public data class Skipped(
        @get:JvmName("number") val number: Int?,
        @get:JvmName("step") val step: Long,
        @get:JvmName("phase") val phase: String,
        @get:JvmName("reason") val reason: String,
    ) : SaveOutcome {
        override fun toString(): String = "${nameOf(number)} at step $step was skipped: $reason"
    }

    /**
     * It came to nothing, for this [reason], and what it had written was deleted. The [number] is null if it did not even get
     * a directory.
     */
    @Serializable
    @SerialName("failed")
    public data class Failed(
        @get:JvmName("number") val number: Int?,
        @get:JvmName("step") val step: Long,
        @get:JvmName("phase") val phase: String,
        @get:JvmName("reason") val reason: String,
    ) : SaveOutcome {
        override fun toString(): String = "${nameOf(number)} at step $step failed: $reason"
    }
}

/**
 * A checkpoint that was committed.
 *
 * @property byteCount the bytes of state in it
 * @property time how long it took, from rank 0's point of view
 * @property slowestRank which rank took longest to write what it has, without forcing it to disk
 * @property slowestTime how long that rank took
 */
@Serializable
@SerialName("committed")
public data class Saved(
    @get:JvmName("number") val number: Int,
    @get:JvmName("step") val step: Long,
    @get:JvmName("phase") val phase: String,
    @get:JvmName("byteCount") val byteCount: Long,
    @SerialName("seconds")
    @Serializable(with = SecondsNumber::class)
    @get:JvmSynthetic
    val time: Duration,
    @get:JvmName("slowestRank") val slowestRank: Int,
    @SerialName("slowestSeconds")
    @Serializable(with = SecondsNumber::class)
    @get:JvmSynthetic
    val slowestTime: Duration,
) : SaveOutcome {
    /** For Java. */
    public fun time(): java.time.Duration = time.toJavaDuration()

    /** For Java. */
    public fun slowestTime(): java.time.Duration = slowestTime.toJavaDuration()

    override fun toString(): String =
        "save $number, step $step: ${sizeText(byteCount)} in ${secondsText(time)}, ${rateText(byteCount, time)}, " +
            "slowest rank $slowestRank with ${secondsText(slowestTime)}"
}

private fun nameOf(number: Int?) = if (number == null) "a save" else "save $number"

/** A time as a number of seconds, with which anybody can calculate. */
private object SecondsNumber : KSerializer<Duration> {
    override val descriptor = PrimitiveSerialDescriptor("dev.cairn.Seconds", PrimitiveKind.DOUBLE)

    override fun serialize(
        encoder: Encoder,
        value: Duration,
    ) = encoder.encodeDouble(value.toDouble(DurationUnit.SECONDS))

    override fun deserialize(decoder: Decoder): Duration = decoder.decodeDouble().seconds
}
