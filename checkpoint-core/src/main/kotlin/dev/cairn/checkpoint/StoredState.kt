package dev.cairn.checkpoint

import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.Unreadable
import dev.cairn.event.phrase
import dev.cairn.redistribution.DigestFormula
import dev.cairn.sion.GlobalView
import dev.cairn.sion.failure.SionException
import dev.cairn.store.Manifest
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.channels.ClosedChannelException
import java.nio.file.Path

/** The state in an open checkpoint: its data, read frame by frame and verified. Any rank may read it. */
internal class StoredState(
    private val view: GlobalView,
    private val manifest: Manifest,
    val contents: Contents,
) {
    /** The number of the save. */
    val save: Int get() = manifest.save

    /** The formula of its digests. */
    val digestFormula: DigestFormula get() = manifest.digestFormula

    /** The first of the files that hold it. */
    val file: Path get() = view.info().path()

    /** The bytes of a small item of one rank; empty if it has none. */
    fun readWhole(
        rank: Int,
        key: Int,
    ): ByteBuffer {
        val bytes = ByteBuffer.allocate(arraySize(size(rank, key), "'${manifest.nameOf(key)}' of rank $rank"))
        readWhole(rank, key, bytes)
        return bytes.flip()
    }

    /** Reads the bytes of an item of one rank into [target], which has room for them. */
    fun readWhole(
        rank: Int,
        key: Int,
        target: ByteBuffer,
    ) {
        val entry = contents.tables[rank].entry(key) ?: return
        val end = Math.toIntExact(Math.addExact(target.position().toLong(), size(rank, key)))
        for (index in entry.checksums.indices) {
            target.limit(minOf(end, target.position() + TableOfContents.FRAME_SIZE))
            readFrame(rank, key, index, target)
        }
        target.limit(target.capacity())
    }

    /**
     * Reads an item of one rank frame by frame; [use] is called with the position in the item and the bytes of each frame, and
     * must not keep them.
     */
    fun forEachFrame(
        rank: Int,
        key: Int,
        use: (start: Long, frame: ByteBuffer) -> Unit,
    ) {
        val entry = contents.tables[rank].entry(key) ?: return
        val frame = ByteBuffer.allocate(minOf(entry.size, FRAME_SIZE).toInt())
        for (index in entry.checksums.indices) {
            val start = index * FRAME_SIZE
            frame.clear().limit(minOf(FRAME_SIZE, entry.size - start).toInt())
            readFrame(rank, key, index, frame)
            use(start, frame.flip())
        }
    }

    /**
     * The number of bytes of an item that one rank stored. It is checked against the length of the rank's stream, so that a
     * damaged size does not lead to a huge allocation.
     */
    fun size(
        rank: Int,
        key: Int,
    ): Long {
        val size = contents.tables[rank].entry(key)?.size ?: return 0
        val written = view.task(rank).size()
        if (size > written) {
            val difference = "'${manifest.nameOf(key)}' should have $size bytes there, and all of them are $written"
            throw strayTable(file, rank, difference)
        }
        return size
    }

    /** The position of frame [index] of an item in the stream of [rank]. */
    fun position(
        rank: Int,
        key: Int,
        index: Int,
    ): Long = contents.tables[rank].position(key, index)

    /** Fills [target] with frame [index] of an item of one rank. */
    fun readFrame(
        rank: Int,
        key: Int,
        index: Int,
        target: ByteBuffer,
    ) {
        val checksums = checkNotNull(contents.tables[rank].entry(key)).checksums
        val start = target.position()
        read(rank, position(rank, key, index), target)
        val frame = target.duplicate().flip().position(start)
        val found = checksum(frame)
        if (target.hasRemaining() || found != checksums[index]) {
            throw damagedFrame(file, rank, manifest.nameOf(key), index, checksums[index], found)
        }
    }

    /** Otherwise a read error of the checkpoint looks like one of the program's own files. */
    private fun read(
        rank: Int,
        position: Long,
        target: ByteBuffer,
    ) {
        try {
            view.read(rank, position, target)
        } catch (damaged: SionException) {
            throw damaged
        } catch (closed: ClosedChannelException) {
            throw IllegalStateException(
                "$file: the checkpoint is closed: read from it before close()",
                closed,
            )
        } catch (unreadable: IOException) {
            throw Unreadable(
                Details(
                    "$file: it cannot be read now: ${unreadable.phrase()}. The checkpoint may be good: make it " +
                        "readable, and start again.",
                    path = file,
                ),
            )
        }
    }

    private companion object {
        const val FRAME_SIZE = TableOfContents.FRAME_SIZE.toLong()
    }
}
