package dev.cairn.report

import java.time.Instant

/** Whether a program is at work in a store. */
internal sealed interface StoreUse {
    data object None : StoreUse

    /** The note of the owner cannot be read. */
    data object Unknown : StoreUse

    /** By the process [pid] on [host], to which the store has belonged since then. */
    class ByProcess(
        private val pid: Long,
        private val host: String,
        private val since: Instant,
    ) : StoreUse {
        /** Whether it is [program], which has told events. One before the process took the store is another one. */
        fun isBy(program: ProgramHistory): Boolean = !program.begin.told.isBefore(since)

        override fun toString(): String = "process $pid on $host"
    }
}
