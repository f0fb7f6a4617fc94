package dev.cairn.options

/** When a simulation saves, where it begins, and where it stops early. */
internal data class Triggers(
    val everySteps: Long? = null,
    val everySeconds: Double? = null,
    val start: Start = Start.Newest,
    val stopAt: Long? = null,
    val goOn: Boolean = false,
) {
    /** Whether it saves periodically. */
    val arePeriodic: Boolean get() = everySteps != null || everySeconds != null
}

/** The starting point of a simulation. */
internal sealed interface Start {
    /** From the newest good checkpoint, if there is any. */
    data object Newest : Start

    /** From step 0, ignoring existing checkpoints. */
    data object Fresh : Start

    /** From the save [number] and no other. */
    data class Chosen(
        val number: Int,
    ) : Start
}
