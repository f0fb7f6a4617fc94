package dev.cairn.multifile.task

import dev.cairn.comm.Communicator
import dev.cairn.sion.TaskSlot
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.BlockFile
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/**
 * One rank's part in copying what all ranks have written to one level of buddies. The first rank of each physical file
 * reads it and sends it to the rank that writes the copy, and keeps a copy itself. So each file is read where it was
 * written, and its copy is written elsewhere.
 */
internal class BuddyWriting(
    private val ranks: Communicator,
    private val fileRanks: GroupRanks,
    private val original: TaskSlot,
    private val buddy: BuddySeat,
    private val open: (fileNumber: Int) -> BlockFile,
    private val openCopy: (fileNumber: Int) -> BlockFile,
    private val force: (BlockFile) -> Unit,
) {
    /** Collective: brings what this rank has written, or null if it failed. */
    suspend fun copy(usage: TaskUsage?): Result<Unit> {
        val streams = fileRanks.gather(streamOf(usage))
        if (!fileRanks.isCollector) return Result.success(Unit)
        return coroutineScope {
            val sent = async { send(streams) }
            val received = async { receive() }
            sent.await().mapCatching { received.await().getOrThrow() }
        }
    }

    private fun streamOf(usage: TaskUsage?): ByteBuffer =
        if (usage == null) NOTHING else Stream(original, buddy.slot, usage).toPayload()

    /** Sends a frame whenever the writer is ready for one, and at the end an empty one. */
    private suspend fun send(streams: List<ByteBuffer>): Result<Unit> {
        val complete = streams.all { it.hasRemaining() }
        val frames = (if (complete) streams else emptyList()).asSequence().flatMap { Stream.of(it).frames() }.iterator()
        while (true) {
            ranks.receive(buddy.writer, READY)
            val frame = runCatching { if (frames.hasNext()) frames.next() else NOTHING }
            val payload = frame.getOrDefault(NOTHING)
            ranks.send(buddy.writer, FRAME, payload)
            if (!payload.hasRemaining()) return frame.map { }
        }
    }

    private fun Stream.frames(): Sequence<ByteBuffer> =
        sequence {
            val file = open(original.fileNumber())
            for (block in 0 until usage.blockCount()) {
                for (start in 0 until usage.bytesInBlock(block) step FRAME_SIZE.toLong()) {
                    val size = minOf(FRAME_SIZE.toLong(), usage.bytesInBlock(block) - start).toInt()
                    val frame = ByteBuffer.allocate(Long.SIZE_BYTES + size).order(LITTLE_ENDIAN)
                    frame.putLong(copy.position(block.toLong(), start))
                    file.readFully(original.position(block.toLong(), start), frame)
                    yield(frame.flip())
                }
            }
        }

    /** Hears the sender out also when nothing can be written, since it cannot know. */
    private suspend fun receive(): Result<Unit> {
        val opened = runCatching { openCopy(buddy.keptFile) }
        var outcome = opened.map { }
        while (true) {
            ranks.send(buddy.keptSender, READY, NOTHING)
            val frame = ranks.receive(buddy.keptSender, FRAME)
            if (!frame.hasRemaining()) break
            outcome = outcome.mapCatching { opened.getOrThrow().write(frame.getLong(), frame) }
        }
        return opened.mapCatching { copy ->
            copy.use {
                outcome.getOrThrow()
                force(it)
            }
        }
    }
}

private const val FRAME_SIZE = 1 shl 20

/** What a task has written, where it lies, and where its copy goes. */
private class Stream(
    val original: TaskSlot,
    val copy: TaskSlot,
    val usage: TaskUsage,
) {
    fun toPayload(): ByteBuffer {
        val parts = listOf(original.toPayload(), copy.toPayload(), usage.toPayload())
        val all = ByteBuffer.allocate(parts.sumOf { it.remaining() })
        parts.forEach(all::put)
        return all.flip()
    }

    companion object {
        fun of(payload: ByteBuffer) = Stream(payload.getSlot(), payload.getSlot(), checkNotNull(payload.toUsage()))
    }
}
