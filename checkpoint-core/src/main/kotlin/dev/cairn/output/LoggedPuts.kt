package dev.cairn.output

import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.sentence
import dev.cairn.redistribution.Cells
import dev.cairn.sion.log.LogIdentity
import dev.cairn.sion.log.LogReader
import dev.cairn.sion.log.LogRecord
import dev.cairn.sion.log.Region
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.DiskException
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path

/** A [RankLog] of any rank of this host. */
internal class LogPlace(val directory: Path, val identity: LogIdentity, val recordCount: Long)

/**
 * Reads the cells of logs. All bytes that it returns are verified.
 *
 * It keeps the number of files that are open, and the memory of their readers, within bounds.
 */
internal class LoggedPuts(private val store: BlockStore, private val variables: List<FileVariable>) : AutoCloseable {
    private val readers = mutableListOf<LogReader>()
    private val awake = LinkedHashSet<LogReader>()

    /** Adds the puts of the log at [place] to [target]; their cells can be read until this is closed. */
    fun addTo(target: PendingPuts, place: LogPlace) {
        verifying(place.directory) {
            val reader = LogReader.open(store, place.directory).also(readers::add)
            requireWhole(reader, place)
            val cursor = reader.cursor()
            while (cursor.advance() && cursor.record().sequence() <= place.recordCount) {
                val record = cursor.record()
                record.region().ifPresent { addTo(target, place, reader, record, it) }
            }
            use(reader)
        }
    }

    private inline fun <T> verifying(log: Path, read: () -> T): T =
        try {
            read()
        } catch (failure: DiskException) {
            // The cells may still be there.
            throw failure
        } catch (failure: IOException) {
            throw lostCells(log, failure.sentence(), failure)
        }

    /** What follows these records is of an append that failed, whose cells wait elsewhere. */
    private fun requireWhole(reader: LogReader, place: LogPlace) {
        val found = reader.recordCount()
        if (found >= place.recordCount && reader.identity().orElse(null) == place.identity) return
        throw lostCells(
            place.directory,
            "the log of rank ${place.identity.rank} should have ${place.recordCount} records, but $found of it can be read.",
        )
    }

    private fun addTo(target: PendingPuts, place: LogPlace, reader: LogReader, record: LogRecord, region: Region) {
        val variable = variables[region.variable()]
        var offset = 0L
        for (put in region.boxes()) {
            val start = LongArray(put.dimensionCount(), put::start)
            val box = variable.boxOf(start, LongArray(put.dimensionCount(), put::count))
            val first = offset
            val cells =
                Cells.of({ position, bytes ->
                    verifying(place.directory) { read(reader, record, first + position, bytes) }
                }, 1)
            target.add(Put(variable, start[0], box, cells))
            offset += put.cellCount() * region.elementSize()
        }
    }

    private fun read(reader: LogReader, record: LogRecord, position: Long, target: ByteBuffer) {
        use(reader)
        reader.read(record, position, target)
    }

    private fun use(reader: LogReader) {
        awake -= reader
        awake += reader
        if (awake.size > MOST_AWAKE) awake.first().also { awake -= it }.rest()
    }

    override fun close() = readers.forEach { it.close() }
}

private const val MOST_AWAKE = 64

/**
 * Cells are neither in the [log] nor in the file. So no later save can succeed, and the output can only continue from a checkpoint.
 */
private fun lostCells(log: Path, reason: String, cause: IOException? = null) =
    NotSaved(
        Details(
            "$log: cells that wait in this log are lost, so no later save of this run can succeed. Start the program " +
                "again: it goes on from its last checkpoint. The reason: $reason",
            path = log,
            reason = Reason.LOST_CELLS,
            cause = cause,
        ),
    )
