package dev.cairn.report

import dev.cairn.options.ConfiguredValue
import java.time.Instant

/**
 * The facts of a report about a store besides its events.
 *
 * @property store the name of the store
 * @property made when this was read
 * @property use the program that seems to be running, if any
 * @property restart the effect of a restart, in a sentence
 * @property saves the saves that are there
 * @property items the fate of each item of the newest good checkpoint on another number of ranks
 * @property settings those of the newest good checkpoint, each with its origin
 * @property unknown a sentence for each part that could not be read
 */
internal class StoreFacts(
    val store: String,
    val made: Instant,
    val use: StoreUse,
    val history: EventHistory,
    val restart: String,
    val saves: Table,
    val items: Table,
    val settings: List<ConfiguredValue>,
    val unknown: List<String>,
)

/** Whether a program is at work in a store. */
internal sealed interface StoreUse {
    data object None : StoreUse

    /** The note of the owner cannot be read. */
    data object Unknown : StoreUse

    /** By the process [pid] on [host], to which the store has belonged since then. */
    class ByProcess(private val pid: Long, private val host: String, private val since: Instant) : StoreUse {
        /** Whether it is [program], which has logged events. One before the process took the store is another one. */
        fun isBy(program: ProgramHistory): Boolean = !program.begin.clock.isBefore(since)

        override fun toString(): String = "process $pid on $host"
    }
}
