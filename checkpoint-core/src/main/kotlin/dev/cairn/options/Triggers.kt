package dev.cairn.options

/** When a simulation saves, where it begins, and where it stops early. */
internal data class Triggers(
    val everySteps: Long? = null,
    val everySeconds: Double? = null,
    val start: Start = Start.Newest,
    val stopAt: Long? = null,
    val goOn: Boolean = false,
) {
    /** Whether it saves of itself on its way. */
    val arePeriodic: Boolean get() = everySteps != null || everySeconds != null
}

/** From where a simulation begins. */
internal sealed interface Start {
    /** From the newest good checkpoint, if there is any. */
    data object Newest : Start

    /** From step 0, whatever checkpoints there are. */
    data object Fresh : Start

    /** From the save [number] and no other. */
    data class Chosen(
        val number: Int,
    ) : Start
}
