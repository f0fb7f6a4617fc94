package dev.cairn.options

import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.DurationUnit

/** When a loop saves, where it begins, and where it stops early. */
internal data class Triggers(
    val everySteps: Long? = null,
    val everySeconds: Double? = null,
    val auto: AutoSaves? = null,
    val start: Start = Start.Newest,
    val stopAt: Long? = null,
    val goOn: Boolean = false,
    val holdAt: Long? = null,
    val holdHeap: Path? = null,
) {
    /** Whether it saves periodically. */
    val arePeriodic: Boolean get() = everySteps != null || everySeconds != null || auto != null
}

/**
 * Saves as often as it costs least.
 *
 * @property hostFailures the mean time between failures of one host
 * @property overhead the largest share of the time that saves may take; null if there is no bound
 */
internal data class AutoSaves(val hostFailures: Duration, val overhead: Double?)

/** The starting point of a program. */
internal sealed interface Start {
    /** From the newest good checkpoint, if there is any. */
    data object Newest : Start

    /** From step 0, ignoring existing checkpoints. */
    data object Fresh : Start

    /** From the save [number] and no other. */
    data class Chosen(val number: Int) : Start
}

/** The triggers that these settings say. */
internal val Configuration.triggers: Triggers
    get() {
        val every = this[Settings.EVERY]
        return Triggers(
            (every as? Every.Steps)?.count,
            this[Settings.EVERY_SECONDS]?.toDouble(DurationUnit.SECONDS),
            AutoSaves(this[Settings.MTBF], this[Settings.OVERHEAD]).takeIf { every == Every.Auto },
            start,
            goOn = this[Settings.GO_ON],
            holdAt = this[Settings.HOLD_AT],
            holdHeap = this[Settings.HOLD_HEAP],
        )
    }

/** @throws IllegalArgumentException if two settings say it */
internal val Configuration.start: Start
    get() {
        val number = this[Settings.FROM]
        val isFresh = this[Settings.FRESH]
        require(number == null || !isFresh) {
            "fresh begins at step 0 and from = $number at a checkpoint, so they exclude each other. Leave one out."
        }
        return number?.let(Start::Chosen) ?: if (isFresh) Start.Fresh else Start.Newest
    }
