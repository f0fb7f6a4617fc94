package dev.cairn.concentrate

import dev.cairn.concentrate.Request.Companion.NONE
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.worker

/**
 * Collective: writes the requests of all ranks into the sub-files of [set]. No two ranks write the same byte. On a failure all ranks
 * throw the same, and any of the bytes may have been written.
 *
 * @param write writes into the sub-files that this rank serves
 * @param step what this is, for the words of a failure
 * @param nameOf what the bytes at a position are called when two ranks write them
 */
internal suspend fun Communicator.writeConcentrated(
    set: ServedFile,
    request: Request,
    write: SubFileAccess,
    step: String = "write through concentrators",
    nameOf: (position: Long) -> String = { "byte $it" },
) {
    val process = shareInProcess { ProcessRequests() }.also { it.add(rank, request) }
    val span = spanOf(request) ?: return
    val client = WriteClient(this, set, request, span, process)
    val server =
        if (rank in set.concentrators) {
            WriteServer(this, set, span, process.copied(), worker(), write, nameOf)
        } else {
            null
        }
    try {
        client.announce()
        server?.admit()
        while (true) {
            val window = minOf(client.next, server?.next ?: NONE)
            if (window == NONE) break
            if (client.next == window) client.send(window)
            if (server?.next == window) server.serve(window)
        }
    } finally {
        server?.end()
    }
    settle(step, server?.failure ?: client.failure)
}

/** Collective: reads the requests of all ranks out of the sub-files of [set]; as [writeConcentrated]. */
internal suspend fun Communicator.readConcentrated(set: ServedFile, request: Request, read: SubFileAccess) {
    val span = set.framesOf(spanOf(request) ?: return)
    val client = ReadClient(this, set, request, span)
    val server = if (rank in set.concentrators) ReadServer(this, set, span, read) else null
    client.announce()
    server?.admit()
    while (true) {
        val window = minOf(client.next, server?.nextWindow ?: NONE)
        if (window == NONE) break
        if (client.next == window) client.ask(window)
        if (server?.nextWindow == window) server.serve(window)
        client.take()
    }
    settle("read through concentrators", server?.failure)
}

/** Collective: null if no rank has any byte. */
private suspend fun Communicator.spanOf(request: Request): ServedFile.Span? {
    val ends = allReduce(longArrayOf(request.nextByte(0), -request.end), Math::min)
    return if (ends[0] == NONE) null else ServedFile.Span(ends[0], -ends[1])
}
