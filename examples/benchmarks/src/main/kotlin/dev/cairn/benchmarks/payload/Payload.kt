package dev.cairn.benchmarks.payload

import java.nio.ByteBuffer

/**
 * The bytes that both sides of a duel move: equal pieces, each with its number in front. All pieces share one
 * direct buffer to write from and one to read into, so neither side is measured with better memory.
 */
internal class Payload(val pieceSize: Int, val pieceCount: Int) {
    private val source = ByteBuffer.allocateDirect(pieceSize)
    private val target = ByteBuffer.allocateDirect(pieceSize)

    init {
        for (index in 0 until pieceSize) {
            source.put(index, (31 * index).toByte())
        }
    }

    val byteCount: Long get() = pieceSize.toLong() * pieceCount

    /** The piece of this number, ready to be written. Valid until the next call. */
    fun piece(index: Int): ByteBuffer = source.clear().putLong(0, index.toLong())

    /** The piece of this number in a buffer of its own, for ranks that write at the same time. */
    fun pieceOfItsOwn(index: Int): ByteBuffer =
        ByteBuffer.allocate(pieceSize).put(0, source, 0, pieceSize).putLong(0, index.toLong())

    /** Room to read one piece into. */
    fun room(): ByteBuffer = target.clear()

    /** Fails unless the piece in [room] has this number: cheap enough for the timed part of both sides. */
    fun requireNumber(index: Int) {
        val found = target.getLong(0)
        check(found == index.toLong()) { "piece $index was expected, but piece $found was read" }
    }

    /** Fails unless all bytes in [room] are those of the piece of this number. */
    fun requirePiece(index: Int) {
        val difference = piece(index).mismatch(target.clear())
        check(difference == -1) { "piece $index was written and read back, but differs at its byte $difference" }
    }

    companion object {
        fun of(byteCount: Long, pieceSize: Int): Payload = Payload(pieceSize, (byteCount / pieceSize).toInt())
    }
}
