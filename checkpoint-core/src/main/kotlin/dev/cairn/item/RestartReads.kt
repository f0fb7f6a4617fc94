package dev.cairn.item

import dev.cairn.checkpoint.ItemRecords
import dev.cairn.checkpoint.TableOfContents
import dev.cairn.event.counted
import dev.cairn.redistribution.FieldPlan
import kotlinx.serialization.Serializable

/**
 * The reads of [newCount] ranks that restore a checkpoint of [oldCount] ranks, computed from tables of contents alone. Each
 * [ItemKind] adds those of its items.
 */
internal class RestartReads(val oldCount: Int, val newCount: Int) {
    val readers: List<Reader> = List(newCount) { Reader(it) }
    val isSameCount: Boolean get() = oldCount == newCount
    val ofOldRanks: String get() = "of ${counted(oldCount, "rank")}"

    /** Adds the frames of [plan], whose cells have [cellSize] bytes each. */
    fun add(plan: FieldPlan, cellSize: Int) {
        for (reader in readers) {
            for (number in plan.share(reader.rank).reads()) {
                val frame = plan.frame(number)
                reader.reads(frame.size.toLong())
                frame.pieces.filter { it.rank != reader.rank }.forEach { piece ->
                    readers[piece.rank].receives(piece.cells.cellCount() * cellSize)
                }
            }
        }
    }
}

/** The reads of one rank. */
@Serializable
internal class Reader(val rank: Int) {
    var frameCount = 0L
        private set
    var readBytes = 0L
        private set
    var receivedBytes = 0L
        private set

    /** Adds a read of [size] consecutive bytes. */
    fun reads(size: Long) {
        frameCount += TableOfContents.frameCount(size)
        readBytes += size
    }

    /** Adds [size] bytes that other ranks read and send. */
    fun receives(size: Long) {
        receivedBytes += size
    }
}

/** The result for one item of a restart, in a sentence. */
@Serializable
internal class PlannedItem(val name: String, val note: String, val isRefused: Boolean = false)

/** An item that the restart would restore; [note] describes how. */
internal fun ItemRecords.planned(note: String) = PlannedItem(described.name, note)
