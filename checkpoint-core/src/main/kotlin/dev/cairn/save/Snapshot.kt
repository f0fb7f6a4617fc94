package dev.cairn.save

import dev.cairn.checkpoint.FramePool
import dev.cairn.checkpoint.SnapshotMemory
import dev.cairn.item.Capture
import dev.cairn.item.StateItem
import dev.cairn.item.StreamCapture
import dev.cairn.multifile.WriteBatch
import dev.cairn.ranks.atStep
import java.nio.ByteBuffer

/** An item of a rank at the time when its program goes on. */
internal sealed interface SnapshotItem {
    /** A [capture] that no longer depends on the program's state. */
    class Copied(val capture: Capture) : SnapshotItem

    /** A copied stream. */
    class Frames(val capture: StreamCapture, val frames: List<ByteBuffer>) : SnapshotItem

    /** There was no room for a copy, so the item is in the file. */
    class Written(val item: WrittenItem) : SnapshotItem
}

/**
 * Copies the state of a rank into [memory]; [writer] writes items that do not fit at once. The order of a task's records is free, so the
 * copies are written after them.
 */
internal class Snapshot(
    private val memory: SnapshotMemory,
    private val writer: ItemWriter,
    private val pool: FramePool,
    private val items: List<StateItem>,
) {
    /** Returns an item for each of [captures], in their order. Streams come first, since their size is not known before. */
    suspend fun take(captures: List<Capture>): List<SnapshotItem> {
        val named = items.zip(captures)
        val streams =
            named.mapNotNull { (item, capture) ->
                (capture as? StreamCapture)?.let { it to atStep("copy '${item.name}'") { stream(it) } }
            }
        val written = streams.toMap<Capture, SnapshotItem>()
        return named.map { (item, capture) -> written[capture] ?: atStep("copy '${item.name}'") { copy(capture) } }
    }

    private suspend fun copy(capture: Capture): SnapshotItem =
        capture.copy(memory)?.let(SnapshotItem::Copied) ?: SnapshotItem.Written(writer.write(capture))

    /** Each frame that is kept takes memory of its own size, so it is a run of its own. */
    private suspend fun stream(capture: StreamCapture): SnapshotItem {
        val kept = WriteBatch(memory = memory::take)
        var stream: StreamRecords? = null
        pool.borrow { frame ->
            StreamOutput(capture.part, frame) { next ->
                if (stream != null || !kept.add(kept.byteCount, next)) {
                    val records = stream ?: writer.stream(capture.part)
                    if (stream == null) kept.runs.forEach { records.put(it.bytes) }
                    stream = records
                    records.put(next)
                }
            }.writeAll()
        }
        return stream?.let { SnapshotItem.Written(writer.end(capture, it)) }
            ?: SnapshotItem.Frames(capture, kept.runs.map { it.bytes })
    }
}
