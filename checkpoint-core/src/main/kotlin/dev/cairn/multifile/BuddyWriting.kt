package dev.cairn.multifile

import dev.cairn.base.one
import dev.cairn.comm.Communicator
import dev.cairn.comm.MessageFields
import dev.cairn.comm.NOTHING
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
        val streams = fileRanks.gather(streamOf(usage))
        if (!fileRanks.isCollector) return Result.success(Unit)
        return coroutineScope {
            val sent = async { send(streams) }
            val received = async { receive() }
            sent.await().mapCatching { received.await().getOrThrow() }
        }
    }

    private fun streamOf(usage: TaskUsage?): ByteBuffer =
        if (usage == null) NOTHING else STREAM.encode(Stream(original, buddy.slot, usage))

    /** Sends a frame for each request of the writer, and an empty frame at the end. */
    private suspend fun send(streams: List<ByteBuffer>): Result<Unit> {
        val complete = if (streams.all { it.hasRemaining() }) streams else emptyList()
        val frames =
            complete
                .asSequence()
                .map(STREAM::decode)
                .flatMap { it.frames() }
                .iterator()
        while (true) {
            ranks.receive(buddy.writer, READY)
            val frame = runCatching { if (frames.hasNext()) FRAME_OF_COPY.encode(frames.next()) else NOTHING }
            val payload = frame.getOrDefault(NOTHING)
            ranks.send(buddy.writer, FRAME, payload)
            if (!payload.hasRemaining()) return frame.map { }
        }
    }

    /** The bytes of the copy; all frames share one buffer. */
    private fun Stream.frames(): Sequence<Fragment> =
        sequence {
            val file = open(original.fileNumber())
            val frame = ByteBuffer.allocate(FRAME_SIZE)
            for (block in 0L until usage.blockCount()) {
                val byteCount = usage.bytesInBlock(block.toInt())
                for (start in 0 until byteCount step FRAME_SIZE.toLong()) {
                    frame.clear().limit(minOf(FRAME_SIZE.toLong(), byteCount - start).toInt())
                    file.readFully(original.position(block, start), frame)
                    yield(Fragment(copy.position(block, start), frame.flip()))
                }
            }
        }

    /** Receives all frames also after writing has failed, since the sender is not notified of that. */
    private suspend fun receive(): Result<Unit> {
        val opened = runCatching { openCopy(buddy.keptFile) }
        var outcome = opened.map { }
        while (true) {
            ranks.send(buddy.keptSender, READY, NOTHING)
            val frame = ranks.receive(buddy.keptSender, FRAME)
            if (!frame.hasRemaining()) break
            outcome = outcome.mapCatching { opened.getOrThrow().write(FRAME_OF_COPY.decode(frame)) }
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

private fun BlockFile.write(frame: Fragment) = write(frame.position, frame.bytes)

/** The stream of a task: its place, the place of its copy, and its usage. */
private class Stream(
    val original: TaskSlot,
    val copy: TaskSlot,
    val usage: TaskUsage,
)

private val STREAM =
    MessageFields("the stream of a task that is copied", Stream(SLOT.blank, SLOT.blank, USAGE.blank)) {
        Stream(one(it.original, SLOT), one(it.copy, SLOT), one(it.usage, USAGE))
    }

private val FRAME_OF_COPY = MessageFields("a frame of a copy", FRAGMENT)
