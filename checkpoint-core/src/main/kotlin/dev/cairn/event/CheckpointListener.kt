package dev.cairn.event

import java.lang.System.Logger.Level.WARNING

/**
 * Hears what happens to the checkpoints of a program; see [dev.cairn.options.CheckpointOptions.withListener].
 *
 * It is called on rank 0 alone, by the coroutine or thread of that rank, while the other ranks wait: it should be brief.
 * Whatever it throws is logged, and spoils no save. It must not call the program's communicator.
 */
public fun interface CheckpointListener {
    public fun onEvent(event: CheckpointEvent)
}

/** All listeners of both, in the order in which they were named; one that was named twice hears everything once. */
internal fun List<CheckpointListener>.and(others: List<CheckpointListener>): List<CheckpointListener> =
    (this + others).distinct()

internal fun List<CheckpointListener>.and(another: CheckpointListener): List<CheckpointListener> = and(listOf(another))

/** Tells all [listeners] of each event; those of rank 0 only. */
internal class Events(
    private val listeners: List<CheckpointListener>,
) {
    fun tell(event: CheckpointEvent) = listeners.forEach { tell(it, event) }

    /** Errors, too: if rank 0 gave up here, the other ranks would wait for it in the middle of a save. */
    private fun tell(
        listener: CheckpointListener,
        event: CheckpointEvent,
    ) {
        try {
            listener.onEvent(event)
        } catch (failure: Throwable) {
            LOG.log(WARNING, "$listener could not take the event '$event'; the checkpoints are as they are", failure)
        }
    }

    private companion object {
        val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
    }
}

/** The logger of all that is told of checkpoints, whichever class tells it. */
internal const val CHECKPOINTS_LOGGER: String = "dev.cairn.Checkpoints"
