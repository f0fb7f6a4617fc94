package dev.cairn.event

import java.lang.System.Logger.Level.WARNING
import java.util.function.Consumer

/** Passes each event to all listeners and then to [files]; only on rank 0. */
internal class Events(
    private val listeners: List<Consumer<CheckpointEvent>>,
    private val files: List<KeptEvents> = emptyList(),
) {
    fun notify(event: CheckpointEvent) = (listeners + files).forEach { notify(it, event) }

    /** Returns when all events so far are in the [files]. */
    fun flush() = files.forEach(KeptEvents::flush)

    /** Catches errors, too: if rank 0 stopped here, the other ranks would wait for it in the middle of a save. */
    private fun notify(listener: Consumer<CheckpointEvent>, event: CheckpointEvent) {
        try {
            listener.accept(event)
        } catch (failure: Throwable) {
            LOG.log(WARNING, "$listener threw at the event '$event'; the checkpoints are not affected", failure)
        }
    }
}

private val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)

/** The logger of all messages about checkpoints, from any class. */
internal const val CHECKPOINTS_LOGGER: String = "dev.cairn.Checkpoints"
