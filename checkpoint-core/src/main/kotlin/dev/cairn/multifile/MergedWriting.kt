package dev.cairn.multifile

import dev.cairn.comm.MessageFields
import dev.cairn.comm.NOTHING
import dev.cairn.comm.ROOT
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.TaskSlot
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.PositionedOutput
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * All bytes of a group go to its collector's chunks, call by call: first those of the collector as one piece, then those
 * of each other rank, cut into pieces of [pieceSize] bytes.
 */
internal class MergedWriting(
    private val ranks: GroupRanks,
    private val pieceSize: Int,
    slot: TaskSlot,
    file: PositionedOutput,
) : GroupWriting {
    private val calls = KeptCalls(file.path(), slot.task())
    private val stream = ChunkWriter.of(file, slot)
    override val chunks: ChunkWriter = ChunkWriter.of(calls, slot)

    override suspend fun end(outcome: Result<TaskUsage>): Result<TaskUsage> {
        val report = if (outcome.isSuccess) Report(stays = true, CALL_COUNT.encode(calls.count.toLong())) else null
        val written =
            ranks.collect(report, calls::bytes) { others, reports ->
                others.askAll(0 until reports.maxOf { CALL_COUNT.decode(it.content) }) { call, answers ->
                    write(listOf(calls.bytes(call)) + answers)
                }
            }
        return outcome.mapCatching { written.map { stream.usage() }.getOrThrow() }
    }

    private fun write(parts: List<ByteBuffer>) = parts.forEachIndexed(::write)

    private fun write(
        member: Int,
        bytes: ByteBuffer,
    ) {
        val most = if (member == ROOT) bytes.remaining() else pieceSize
        while (bytes.hasRemaining()) {
            val size = minOf(most, bytes.remaining())
            stream.write(bytes.slice(bytes.position(), size))
            bytes.position(bytes.position() + size)
        }
    }
}

private val CALL_COUNT = MessageFields("the number of writes of a rank in a group", 0L) { u64(it) }

/**
 * The bytes that a rank wrote in each call. The order in the merged stream depends on the calls, so an empty write counts as
 * one: a rank without bytes for a round makes an empty write, and its next bytes belong to the next round.
 */
private class KeptCalls(
    private val path: Path,
    private val task: Int,
) : PositionedOutput {
    private val calls = ArrayList<ByteArray>()
    private var byteCount = 0L
    val count get() = calls.size

    override fun path() = path

    override fun write(
        position: Long,
        source: ByteBuffer,
    ) {
        if (byteCount + source.remaining() > LARGEST_MERGED) {
            throw IOException(
                "$path: task $task has written $byteCount bytes, which are in memory for its group's collector, and " +
                    "now writes ${source.remaining()} more, but a merged task may have at most $LARGEST_MERGED " +
                    "bytes. Group without merging.",
            )
        }
        byteCount += source.remaining()
        calls += ByteArray(source.remaining()).also(source::get)
    }

    /** The bytes of a call; none if there were fewer calls. */
    fun bytes(call: Long): ByteBuffer = calls.getOrNull(call.toInt())?.let(ByteBuffer::wrap) ?: NOTHING

    private companion object {
        const val LARGEST_MERGED = 16L shl 20
    }
}
