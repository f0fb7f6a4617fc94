package dev.cairn

import dev.cairn.java.play
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.onTransports
import dev.cairn.ranks.ranks
import kotlin.time.Duration.Companion.minutes

/** Three ranks, which share a process or do not. */
internal enum class World {
    COROUTINES {
        override suspend fun <T> play(body: suspend Communicator.() -> T) = ranks(3, body)
    },
    PROCESSES {
        override suspend fun <T> play(body: suspend Communicator.() -> T) = onTransports(3, 1.minutes) { body() }
    },
    ;

    abstract suspend fun <T> play(body: suspend Communicator.() -> T): List<T>
}
