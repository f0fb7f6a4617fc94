package dev.cairn.event

import java.lang.System.Logger.Level.WARNING

/**
 * Receives the events of the checkpoints of a program; see [dev.cairn.options.CheckpointOptions.Builder.listener].
 *
 * It is called on rank 0 alone, by the coroutine or thread of that rank, while the other ranks wait: it should be
 * brief. Its exceptions are logged, and do not affect the save. It must not call the program's communicator.
 */
public fun interface CheckpointListener {
    public fun onEvent(event: CheckpointEvent)
}

/** All listeners of both, in the order in which they were added; one that was added twice receives each event once. */
internal fun List<CheckpointListener>.and(others: List<CheckpointListener>): List<CheckpointListener> =
    (this + others).distinct()

internal fun List<CheckpointListener>.and(another: CheckpointListener): List<CheckpointListener> = and(listOf(another))

/** Passes each event to all [listeners]; only on rank 0. */
internal class Events(
    private val listeners: List<CheckpointListener>,
) {
    fun notify(event: CheckpointEvent) = listeners.forEach { notify(it, event) }

    /** Catches errors, too: if rank 0 stopped here, the other ranks would wait for it in the middle of a save. */
    private fun notify(
        listener: CheckpointListener,
        event: CheckpointEvent,
    ) {
        try {
            listener.onEvent(event)
        } catch (failure: Throwable) {
            LOG.log(WARNING, "$listener threw at the event '$event'; the checkpoints are not affected", failure)
        }
    }

    private companion object {
        val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
    }
}

/** The logger of all messages about checkpoints, from any class. */
internal const val CHECKPOINTS_LOGGER: String = "dev.cairn.Checkpoints"
