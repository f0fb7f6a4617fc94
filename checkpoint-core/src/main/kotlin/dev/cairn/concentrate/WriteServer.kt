package dev.cairn.concentrate

import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.MessageTags
import dev.cairn.ranks.Worker
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.withContext

/**
 * Gathers the bytes of all ranks on a concentrator, window by window: it copies those of its own process, and receives the others.
 * While it gathers one window, [worker] writes the one before. After a failure it goes on to receive what was sent already, and stops
 * the others.
 *
 * @param copied the requests whose bytes it copies, each with its rank
 * @param writeSubFile writes into the sub-files of this concentrator
 * @param nameOf see [writeConcentrated]
 */
internal class WriteServer(
    private val ranks: Communicator,
    private val set: ServedFile,
    private val span: ServedFile.Span,
    private val copied: Map<Int, Request>,
    worker: Worker,
    private val writeSubFile: SubFileAccess,
    private val nameOf: (position: Long) -> String,
) {
    private val server = set.concentrators.indexOf(ranks.rank)
    private val copies = DirectCopies(set, span, server, copied)
    private val grants = WindowGrants(ranks, set, span)
    private val writing = WriteBehind(worker)
    private var memory = ReusedMemory(::directMemory)
    private var memoryInWriting = ReusedMemory(::directMemory)

    /** Why this concentrator does not write any more. */
    var failure: Throwable? = null
        private set

    val next: Long get() = minOf(copies.next, grants.nextWindow)

    /** Receives from the other ranks their first windows. */
    suspend fun admit() {
        for (client in 0 until ranks.size) if (client !in copied) grants.note(client, receive(client).next)
        grants.grantAll()
    }

    suspend fun serve(window: Long) {
        val clients = grants.clientsOf(window)
        val pieces = HashMap<Int, WindowPiece>()
        for (slice in set.slicesOf(server, window, span)) {
            val share = attempt { WindowMemory(slice, memory) }
            val coverage = WindowCoverage()
            attempt { copies.place(slice, share!!, coverage) }
            for (client in clients) {
                val piece = pieces.getOrPut(client) { receive(client, window) }
                attempt { place(client, piece, share!!, coverage) }
            }
            attempt { writing.begin { write(share!!, coverage) } }
            memory = memoryInWriting.also { memoryInWriting = memory }
        }
        copies.pass(window)
        if (failure == null) grants.grantAll() else grants.stopAll()
    }

    /** Returns when nothing is written any more, even if this rank was cancelled: then its files may be closed. */
    suspend fun end() = withContext(NonCancellable) { attempt { writing.end() } }

    private suspend fun receive(client: Int, window: Long): WindowPiece {
        val piece = receive(client)
        grants.note(client, piece.next)
        if (failure == null) grants.grant(client, window)
        return piece
    }

    private suspend fun receive(client: Int) = WindowPiece.read(ranks.receive(client, MessageTags.WINDOW_PIECE))

    /** The next extents of [piece] belong to this slice. */
    private fun place(client: Int, piece: WindowPiece, share: WindowMemory, coverage: WindowCoverage) {
        val extents = piece.readExtents()
        var from = piece.rest.position()
        share.forEachPosition(extents) { position, length ->
            share.bytes.put(position, piece.rest, from, length)
            coverage.add(client, position, length)
            from += length
        }
        piece.rest.position(from)
    }

    private fun write(share: WindowMemory, coverage: WindowCoverage) =
        try {
            coverage.forEachRange { from, to -> share.forEachRange(from, to, writeSubFile) }
        } catch (overlap: WindowCoverage.Overlap) {
            throw share.refusal(overlap)
        }

    private fun WindowMemory.refusal(overlap: WindowCoverage.Overlap): Exception {
        var offset = 0L
        forEachRange(overlap.from, overlap.from + 1) { number, local, _ ->
            offset =
                set.layout.logicalOffsetOf(number, local)
        }
        return InvalidDeclaration(
            Details("${nameOf(offset)}, and perhaps others, would be written by $overlap. Let each have one writer"),
        )
    }

    private inline fun <T> attempt(work: () -> T): T? {
        if (failure != null) return null
        val outcome = runCatching(work)
        failure = outcome.exceptionOrNull()?.also { if (it is CancellationException) throw it }
        return outcome.getOrNull()
    }
}
