package dev.cairn.checkpoint

import dev.cairn.checkpoint.TableOfContents.Companion.FRAME_SIZE
import dev.cairn.redistribution.DigestFormula
import dev.cairn.sion.GlobalView
import dev.cairn.sion.failure.SionException
import dev.cairn.store.Manifest
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.channels.ClosedChannelException
import java.nio.file.Path

/**
 * The state in the data of a save, or in one physical file of them. A restart, a drain, the reading back of a save, `cairn verify` and
 * programs without ranks get all frames from here, where each is compared with its checksum in [contents]. Any rank may read it.
 *
 * @property contents the tables of contents of the ranks in [view], in the order of their tasks
 */
internal class StoredState(private val view: GlobalView, private val manifest: Manifest, val contents: Contents) {
    /** The number of the save. */
    val save: Int get() = manifest.save

    /** The formula of its digests. */
    val digestFormula: DigestFormula get() = manifest.digestFormula

    /** The first of the files that hold it. */
    val file: Path get() = view.info().path()

    /** The rank that wrote something, in words; empty if there was only one, whose program may know no ranks. */
    fun writerOf(rank: Int): String = manifest.writerOf(rank)

    /** The bytes of a small item of one rank; empty if it has none. */
    fun readWhole(rank: Int, key: Int): ByteBuffer {
        val bytes = ByteBuffer.allocate(arraySize(size(rank, key), "'${manifest.nameOf(key)}'${writerOf(rank)}"))
        readWhole(rank, key, bytes)
        return bytes.flip()
    }

    /** Reads the bytes of an item of one rank into [target], which has room for them. */
    fun readWhole(rank: Int, key: Int, target: ByteBuffer) {
        val entry = contents.tables[rank].entry(key) ?: return
        val end = Math.toIntExact(Math.addExact(target.position().toLong(), size(rank, key)))
        for (index in entry.checksums.indices) {
            target.limit(minOf(end, target.position() + FRAME_SIZE))
            readFrame(rank, key, index, target)
        }
        target.limit(target.capacity())
    }

    /**
     * Reads an item of one rank frame by frame; [use] is called with the position in the item and the bytes of each frame, and
     * must not keep them.
     */
    fun forEachFrame(rank: Int, key: Int, use: (start: Long, frame: ByteBuffer) -> Unit) {
        val entry = contents.tables[rank].entry(key) ?: return
        val frame = ByteBuffer.allocate(minOf(entry.size, FRAME_SIZE.toLong()).toInt())
        for (index in entry.checksums.indices) {
            readFrame(rank, key, index, frame.clear().limit(entry.frameSize(index)))
            use(index.toLong() * FRAME_SIZE, frame.flip())
        }
    }

    /** Reads all frames of one rank; [pause] is called before each, with its size. */
    suspend fun checkFrames(rank: Int, pool: FramePool, pause: suspend (byteCount: Int) -> Unit = {}) {
        for (entry in contents.tables[rank].entries) {
            for (index in entry.checksums.indices) {
                val size = entry.frameSize(index)
                pause(size)
                pool.borrow(position(rank, entry.key, index)) { readFrame(rank, entry.key, index, it.limit(size)) }
            }
        }
    }

    /** Refuses the stream of [rank] if its table of contents or its records are others, or if it holds more than these. */
    fun requireRecords(rank: Int) {
        val table = contents.tables[rank]
        val records = view.recordsOf(rank)
        val expected = table.encode()
        val lengths = table.entries.filter { it.size > 0 }.map { it.key.toLong() to it.size }
        // A stream is written in several records of one key.
        val found = records.entries().groupBy { it.key }.map { (key, parts) -> key to parts.sumOf { it.length } }
        if (found != lengths + (TableOfContents.KEY to expected.remaining().toLong())) {
            throw strayTable(file, writerOf(table.rank), "their keys or lengths differ")
        }
        // Zeros behind the last record are read as empty records with the table's key, so only the size reveals a longer stream.
        val size = table.entries.sumOf { it.storedSize } + TableOfContents.RECORD_HEADER + expected.remaining()
        val written = view.task(rank).size()
        if (written != size) throw strayTable(file, writerOf(table.rank), "they take $written bytes, not $size")
        if (records.whole(TableOfContents.KEY) != expected) {
            throw strayTable(file, writerOf(table.rank), "their table of contents differs")
        }
    }

    /**
     * The number of bytes of an item that one rank stored. It is checked against the length of the rank's stream, so that a
     * damaged size does not lead to a huge allocation.
     */
    fun size(rank: Int, key: Int): Long {
        val size = contents.tables[rank].entry(key)?.size ?: return 0
        val written = view.task(rank).size()
        if (size > written) {
            val difference = "'${manifest.nameOf(key)}' should have $size bytes there, and all of them are $written"
            throw strayTable(file, writerOf(contents.tables[rank].rank), difference)
        }
        return size
    }

    /** The position of frame [index] of an item in the stream of [rank]. */
    fun position(rank: Int, key: Int, index: Int): Long = contents.tables[rank].position(key, index)

    /** Fills [target] with frame [index] of an item of one rank. */
    fun readFrame(rank: Int, key: Int, index: Int, target: ByteBuffer) {
        val table = contents.tables[rank]
        val expected = checkNotNull(table.entry(key)).checksums[index]
        val start = target.position()
        read(rank, position(rank, key, index), target)
        val frame = target.duplicate().flip().position(start)
        val found = checksum(frame)
        if (target.hasRemaining() || found != expected) {
            throw damagedFrame(file, writerOf(table.rank), manifest.nameOf(key), index, expected, found)
        }
    }

    /** Otherwise a read error of the checkpoint looks like one of the program's own files. */
    private fun read(rank: Int, position: Long, target: ByteBuffer) {
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
            throw unreadableData(file, unreadable)
        }
    }
}

/** The tables of contents at the ends of the first [rankCount] streams; refused if they are those of another save than [manifest]. */
internal fun GlobalView.ownTables(rankCount: Int, manifest: Manifest): Contents =
    Contents(List(rankCount) { ownTable(it, manifest) })

private fun GlobalView.ownTable(task: Int, manifest: Manifest): TableOfContents {
    val file = info().path()
    val bytes = recordsOf(task).whole(TableOfContents.KEY)
    val table = decodedContents(file) { TableOfContents.decode(bytes) }
    if (table.save == manifest.save && table.rankCount == manifest.rankCount) return table
    throw strayTable(
        file,
        manifest.writerOf(table.rank),
        "they are of save ${table.save} with ${table.rankCount} ranks",
    )
}

private fun Manifest.writerOf(rank: Int) = if (rankCount == 1) "" else " of rank $rank"
