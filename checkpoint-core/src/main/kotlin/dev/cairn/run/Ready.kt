package dev.cairn.run

import dev.cairn.comm.Communicator
import dev.cairn.comm.allReduce

/**
 * For which work in the background the ranks can meet without waiting for a worker.
 *
 * @property making the save that is written
 * @property draining the save that is drained
 */
internal data class Ready(
    val making: Boolean,
    val draining: Boolean,
) {
    val any: Boolean get() = making || draining

    /** In a form whose maximum over all ranks says for what all of them are ready. */
    fun toLongs(): LongArray = longArrayOf(if (making) 0 else 1, if (draining) 0 else 1)

    companion object {
        val NOTHING = Ready(making = false, draining = false)

        fun of(
            making: Long,
            draining: Long,
        ) = Ready(making == 0L, draining == 0L)
    }
}

/** Collective: for what all ranks are ready. */
internal suspend fun Communicator.readyOnAll(own: Ready): Ready {
    val (making, draining) = allReduce(own.toLongs(), Math::max)
    return Ready.of(making, draining)
}
