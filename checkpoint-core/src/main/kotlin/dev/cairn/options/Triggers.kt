package dev.cairn.options

import kotlin.time.Duration

/** When a simulation saves, where it begins, and where it stops early. */
internal data class Triggers(
    val everySteps: Long? = null,
    val everySeconds: Double? = null,
    val auto: AutoSaves? = null,
    val start: Start = Start.Newest,
    val stopAt: Long? = null,
    val goOn: Boolean = false,
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

/** The starting point of a simulation. */
internal sealed interface Start {
    /** From the newest good checkpoint, if there is any. */
    data object Newest : Start

    /** From step 0, ignoring existing checkpoints. */
    data object Fresh : Start

    /** From the save [number] and no other. */
    data class Chosen(val number: Int) : Start
}
