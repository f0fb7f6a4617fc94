package dev.cairn.report

import java.time.Instant

/** Whether a program is running in a store. */
internal sealed interface StoreUse {
    data object None : StoreUse

    /** The owner's file cannot be read. */
    data object Unknown : StoreUse

    /** The process [pid] on [host] has owned the store [since] then. */
    class ByProcess(
        private val pid: Long,
        private val host: String,
        private val since: Instant,
    ) : StoreUse {
        /** Whether the process is that of [program]. A program that began before the process took the store is another one. */
        fun isBy(program: ProgramHistory): Boolean = !program.begin.clock.isBefore(since)

        override fun toString(): String = "process $pid on $host"
    }
}
