package dev.cairn.save

import dev.cairn.checkpoint.SnapshotMemory
import dev.cairn.sion.store.PositionedOutput
import java.nio.ByteBuffer

/**
 * Keeps the writes of a rank that collects for its group, or is large in one, in [memory] until they are [written][writeAll].
 * Writes that do not fit there go to the file at once: the writes of a save do not overlap, so their order does not matter.
 */
internal class DeferredWrites(
    private val memory: SnapshotMemory,
    private val file: PositionedOutput,
) : PositionedOutput {
    private val kept = ArrayList<Pair<Long, ByteBuffer>>()

    /** The bytes for which there was no room. */
    var notKept = 0L
        private set

    override fun path() = file.path()

    override fun write(
        position: Long,
        source: ByteBuffer,
    ) {
        val room = memory.take(source.remaining().toLong())
        if (room == null) {
            notKept += source.remaining()
            file.write(position, source)
        } else {
            keep(position, source, room)
        }
    }

    private fun keep(
        position: Long,
        source: ByteBuffer,
        room: List<ByteBuffer>,
    ) {
        var next = position
        for (piece in room) {
            piece.put(source.slice(source.position(), piece.remaining())).flip()
            source.position(source.position() + piece.remaining())
            kept += next to piece
            next += piece.remaining()
        }
    }

    /** Calls [pause] before each write. */
    suspend fun writeAll(pause: suspend () -> Unit) {
        for ((position, bytes) in kept) {
            pause()
            file.write(position, bytes)
        }
        kept.clear()
    }
}
