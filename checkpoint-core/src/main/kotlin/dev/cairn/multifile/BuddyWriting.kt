package dev.cairn.multifile

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.DONE
import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.MessageTags
import dev.cairn.ranks.Structure
import dev.cairn.ranks.one
import dev.cairn.ranks.optional
import dev.cairn.sion.TaskSlot
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.BlockFile
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import java.nio.ByteBuffer

/**
 * One rank's part in copying the data of all ranks to one level of buddies. The first rank of each physical file reads the
 * file, sends it to the rank that writes its copy, and writes the copy of another file. So each file is read where it was
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
    /** Collective: [usage] states what this rank has written; null if it failed. */
    suspend fun copy(usage: TaskUsage?): Result<Unit> {
        val streams = fileRanks.gather(STREAM_OF_RANK, usage?.let { Stream(original, buddy.slot, it) })
        if (!fileRanks.isCollector) return Result.success(Unit)
        return coroutineScope {
            val sent = async { send(streams) }
            val received = async { receive() }
            sent.await().mapCatching { received.await().getOrThrow() }
        }
    }

    /** Sends a frame for each request of the writer; none, and so the end, if a rank has failed. */
    private suspend fun send(streams: List<Stream?>): Result<Unit> {
        val complete = if (null in streams) emptyList() else streams.filterNotNull()
        val frames = complete.asSequence().flatMap { it.frames() }.iterator()
        while (true) {
            ranks.receive(buddy.writer, MessageTags.COPY_READY)
            val frame = runCatching { if (frames.hasNext()) frames.next() else null }
            ranks.send(buddy.writer, MessageTags.COPY_FRAME, FRAME_OF_COPY.encode(frame.getOrNull()))
            if (frame.getOrNull() == null) return frame.map { }
        }
    }

    /** The bytes of the copy; all frames share one buffer. */
    private fun Stream.frames(): Sequence<PositionedBytes> =
        sequence {
            val file = open(original.fileNumber())
            val frame = ByteBuffer.allocate(FRAME_SIZE)
            for (block in 0L until usage.blockCount()) {
                val byteCount = usage.bytesInBlock(block.toInt())
                for (start in 0 until byteCount step FRAME_SIZE.toLong()) {
                    frame.clear().limit(minOf(FRAME_SIZE.toLong(), byteCount - start).toInt())
                    file.readFully(original.position(block, start), frame)
                    yield(PositionedBytes(copy.position(block, start), frame.flip()))
                }
            }
        }

    /** Receives all frames also after writing has failed, since the sender is not notified of that. */
    private suspend fun receive(): Result<Unit> {
        val opened = runCatching { openCopy(buddy.keptFile) }
        var outcome = opened.map { }
        while (true) {
            ranks.send(buddy.keptSender, MessageTags.COPY_READY, DONE.encode(Unit))
            val frame = FRAME_OF_COPY.decode(ranks.receive(buddy.keptSender, MessageTags.COPY_FRAME)) ?: break
            outcome = outcome.mapCatching { opened.getOrThrow().write(frame) }
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

/** The stream of a task: its place, the place of its copy, and its usage. */
private class Stream(val original: TaskSlot, val copy: TaskSlot, val usage: TaskUsage)

private val STREAM =
    Structure(Stream(SLOT.blank, SLOT.blank, USAGE.blank)) {
        Stream(one(it.original, SLOT), one(it.copy, SLOT), one(it.usage, USAGE))
    }

/** There is none of a rank that failed. */
private val STREAM_OF_RANK =
    MessageFields<Stream?>("the stream of a task that is copied", null) { optional(it, STREAM) }

/** There is none at the end. */
private val FRAME_OF_COPY =
    MessageFields<PositionedBytes?>("a frame of a copy", null) { optional(it, POSITIONED_BYTES) }
