package dev.cairn.multifile

import dev.cairn.ranks.NOTHING
import dev.cairn.ranks.ROOT
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.TaskSlot
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.PositionedOutput
import java.io.IOException
import java.nio.ByteBuffer

/**
 * All bytes of a group go to its collector's chunks, call by call: first those of the collector as one piece, then those
 * of each other rank, cut into pieces of [pieceSize] bytes.
 *
 * The order in the merged stream depends on the calls, so an empty write counts as one: a rank without bytes for a round makes
 * an empty write, and its next bytes belong to the next round.
 */
internal class MergedWriting(
    private val ranks: GroupRanks,
    private val pieceSize: Int,
    slot: TaskSlot,
    file: PositionedOutput,
) : GroupWriting {
    /** Each call is a run. */
    private val calls = WriteBatch(LARGEST_MERGED)
    private val stream = ChunkWriter.of(file, slot)
    override val chunks: ChunkWriter =
        ChunkWriter.of(
            calls.output(file.path()) { _, bytes ->
                throw IOException(
                    "${file.path()}: task ${slot.task()} has written ${calls.byteCount} bytes, which are in memory " +
                        "for its group's collector, and now writes ${bytes.remaining()} more, but a merged task may " +
                        "have at most $LARGEST_MERGED bytes. Group without merging.",
                )
            },
            slot,
        )

    override suspend fun end(outcome: Result<TaskUsage>): Result<TaskUsage> {
        val report = if (outcome.isSuccess) Report(calls.runs.size.toLong(), stays = true) else null
        val written =
            ranks.collect(report, ::bytes) {
                return@collect { call, answers -> (listOf(bytes(call)) + answers).forEachIndexed(::write) }
            }
        return outcome.mapCatching { written.map { stream.usage() }.getOrThrow() }
    }

    /** The bytes of a call of this rank; none if there were fewer calls. */
    private fun bytes(call: Long): ByteBuffer {
        val run = calls.runs.getOrNull(call.toInt())
        return run?.bytes?.duplicate() ?: NOTHING
    }

    private fun write(member: Int, bytes: ByteBuffer) {
        val most = if (member == ROOT) bytes.remaining() else pieceSize
        while (bytes.hasRemaining()) {
            val size = minOf(most, bytes.remaining())
            stream.write(bytes.slice(bytes.position(), size))
            bytes.position(bytes.position() + size)
        }
    }
}

private const val LARGEST_MERGED = 16L shl 20
