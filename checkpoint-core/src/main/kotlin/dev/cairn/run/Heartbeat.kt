package dev.cairn.run

import dev.cairn.event.CheckpointException
import dev.cairn.store.OwnedStore
import java.io.IOException
import java.lang.System.Logger.Level.WARNING
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit.SECONDS

/**
 * Writes a heartbeat into the store at intervals, from a thread of its own. Programs on hosts that locks do not reach take the store
 * over when the heartbeat stops.
 */
internal class Heartbeat(private val owned: OwnedStore) : AutoCloseable {
    private val beat =
        Executors.newSingleThreadScheduledExecutor { task -> Thread(task, "cairn-heartbeat").apply { isDaemon = true } }

    init {
        beat.scheduleAtFixedRate(::write, EVERY_SECONDS, EVERY_SECONDS, SECONDS)
    }

    override fun close() {
        beat.shutdown()
    }

    /** This thread ignores a takeover of the store: the next save detects it, and reports it to all ranks. */
    private fun write() {
        try {
            owned.heartbeat()
        } catch (failure: IOException) {
            LOG.log(WARNING, "the heartbeat of this program cannot be written into the store of checkpoints", failure)
        } catch (taken: CheckpointException) {
            LOG.log(WARNING, taken.message)
            beat.shutdown()
        }
    }

    private companion object {
        const val EVERY_SECONDS = 30L
        val LOG: System.Logger = System.getLogger(Heartbeat::class.java.name)
    }
}
