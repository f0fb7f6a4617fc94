package dev.cairn.restore

import dev.cairn.cells.Cells
import dev.cairn.cells.Image
import dev.cairn.cells.Runs
import dev.cairn.comm.Communicator
import dev.cairn.comm.allReduce
import dev.cairn.comm.collectively
import dev.cairn.redistribution.FieldPlan
import dev.cairn.redistribution.Frame
import dev.cairn.redistribution.Piece
import dev.cairn.state.FieldItem
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/** The cells of a field, or of a column of a table, as they are stored: by which key, and how large each is. */
internal class StoredCells(
    val name: String,
    val key: Int,
    val elementSize: Int,
)

/**
 * Brings one field to the ranks that want it, in rounds, so that memory stays bounded: each rank reads a few frames, takes
 * its own cells, and sends the others theirs.
 */
internal class FieldRestorer(
    private val ranks: Communicator,
    private val stored: StoredState,
    private val source: StoredCells,
    private val blocks: List<FieldItem.Block>,
    private val plan: FieldPlan,
) {
    private val share = plan.share(ranks.rank)
    private val reads = share.reads()
    private val targets = targets()

    /** Collective. */
    suspend fun run() {
        val roundCount = ranks.allReduce(((reads.size + ROUND_FRAMES - 1) / ROUND_FRAMES).toLong(), Math::max)
        for (round in 0 until roundCount) {
            val messages = ranks.collectively("read '${source.name}'") { readRound(round.toInt()) }
            for (target in targets) ranks.send(target, TAG, messages.getValue(target))
            for (source in share.sources()) assign(ranks.receive(source, TAG))
        }
    }

    /** To whom this rank sends. They know, too, so in every round each of them gets a message, though it may be empty. */
    private fun targets(): List<Int> =
        reads
            .asSequence()
            .flatMap { plan.frame(it).pieces }
            .map { it.rank }
            .filter { it != ranks.rank }
            .distinct()
            .sorted()
            .toList()

    private fun readRound(round: Int): Map<Int, ByteBuffer> {
        val messages = targets.associateWith { mutableListOf<ByteBuffer>() }
        for (number in reads.drop(round * ROUND_FRAMES).take(ROUND_FRAMES)) {
            val frame = plan.frame(number)
            val bytes = read(frame)
            for ((target, pieces) in frame.pieces.groupBy { it.rank }) {
                val message = messages[target]
                if (message != null) message += pack(number, pieces, bytes) else take(pieces, bytes)
            }
        }
        return messages.mapValues { (_, parts) -> joined(parts) }
    }

    private fun take(
        own: List<Piece>,
        bytes: ByteBuffer,
    ) = own.forEach { assign(it, bytes, it.source) }

    private fun read(frame: Frame): ByteBuffer =
        ByteBuffer.allocate(frame.size).also {
            stored.readFrame(frame.writer, source.key, Math.toIntExact(frame.index), it)
            it.flip()
        }

    /** The number of the frame, and the cells of its pieces, one after another. */
    private fun pack(
        number: Long,
        pieces: List<Piece>,
        bytes: ByteBuffer,
    ): ByteBuffer {
        val cells = Cells.of(bytes, source.elementSize)
        val size = Math.toIntExact(Long.SIZE_BYTES + pieces.sumOf(::size))
        val message = ByteBuffer.allocate(size).order(LITTLE_ENDIAN).putLong(number)
        for (piece in pieces) {
            cells.copyTo(message, Runs.of(piece.cells, piece.source, Image.of(piece.cells)))
            message.position(message.position() + size(piece).toInt())
        }
        return message.flip()
    }

    private fun assign(message: ByteBuffer) {
        val rest = message.duplicate().order(LITTLE_ENDIAN)
        while (rest.hasRemaining()) {
            for (piece in plan.pieces(rest.getLong(), ranks.rank)) {
                assign(piece, rest, Image.of(piece.cells))
                rest.position(rest.position() + size(piece).toInt())
            }
        }
    }

    private fun assign(
        piece: Piece,
        bytes: ByteBuffer,
        image: Image,
    ) = blocks[piece.boxNumber].assign(piece.cells, bytes, image)

    private fun size(piece: Piece) = piece.cells.cellCount() * source.elementSize

    private fun joined(parts: List<ByteBuffer>): ByteBuffer =
        ByteBuffer.allocate(parts.sumOf { it.remaining() }).also { all -> parts.forEach { all.put(it) } }.flip()

    private companion object {
        const val ROUND_FRAMES = 4

        /** The communicator is our own, so any tag will do. */
        const val TAG = 1
    }
}
