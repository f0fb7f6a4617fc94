package dev.cairn.concentrate

import java.util.concurrent.ConcurrentSkipListMap

/**
 * What the ranks of one process write in one call. Complete on a rank that has met all others after they [added][add] their requests.
 *
 * A concentrator copies the bytes of the ranks in its own process out of their memory: a message would cost two copies more.
 */
internal class ProcessRequests {
    private val requests = ConcurrentSkipListMap<Int, Request>()

    fun add(rank: Int, request: Request) {
        requests[rank] = request
    }

    /** Whether rank [server] copies the bytes of [client], which then sends it nothing. */
    fun areCopied(client: Int, server: Int): Boolean = server in requests && requests[client]?.isInMemory == true

    /** Those that a concentrator of this process copies, each with its rank, in the order of ranks. */
    fun copied(): Map<Int, Request> = requests.filterValues { it.isInMemory }
}
