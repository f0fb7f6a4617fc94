package dev.cairn.run

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.allReduce

/**
 * Whether a rank can meet for work in the background without waiting for its worker.
 *
 * @property making for the save that is written
 * @property draining for the save that is drained
 */
internal data class Ready(
    val making: Boolean,
    val draining: Boolean,
) {
    val any: Boolean get() = making || draining

    /** Encoded so that the maximum over all ranks is the readiness of all. */
    fun toLongs(): LongArray = longArrayOf(if (making) 0 else 1, if (draining) 0 else 1)

    companion object {
        val NOTHING = Ready(making = false, draining = false)

        fun of(
            making: Long,
            draining: Long,
        ) = Ready(making == 0L, draining == 0L)
    }
}

/** Collective: the work for which all ranks are ready. */
internal suspend fun Communicator.readyOnAll(own: Ready): Ready {
    val (making, draining) = allReduce(own.toLongs(), Math::max)
    return Ready.of(making, draining)
}
