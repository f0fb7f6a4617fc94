package dev.cairn.event

import dev.cairn.disk.readWhole
import dev.cairn.sion.store.BlockStore
import java.io.IOException
import java.nio.file.NoSuchFileException
import java.nio.file.Path

/**
 * The events that a store keeps, in the order in which they were written.
 *
 * @property unreadableCount the lines that are no event, such as one that a kill has cut short
 * @property isComplete whether no older events were lost, since the file of events has not been begun anew twice
 */
internal class EventHistory(
    val lines: List<EventLine>,
    val unreadableCount: Int,
    val isComplete: Boolean,
) {
    companion object {
        /** The largest file of events that is read. */
        const val MOST_BYTES: Int = 32 shl 20

        /** Reads the [older] file and then the [newer] one; either may be missing. */
        fun read(
            files: BlockStore,
            older: Path,
            newer: Path,
        ): EventHistory {
            val texts = listOf(older, newer).mapNotNull { files.textOf(it) }
            val lines = texts.flatMap { it.lines() }.filter { it.isNotEmpty() }
            val events = lines.mapNotNull(EventLine::decode)
            // A file that follows another begins where that one ended; the first file of all begins with the start of a program.
            return EventHistory(
                events,
                lines.size - events.size,
                events.firstOrNull()?.event is CheckpointEvent.Started,
            )
        }

        private fun BlockStore.textOf(file: Path): String? =
            try {
                val bytes = readWhole(file, MOST_BYTES)
                bytes?.decodeToString()
                    ?: throw IOException(
                        "$file: a file of events has at most $MOST_BYTES bytes, but this one has more. Move it away.",
                    )
            } catch (_: NoSuchFileException) {
                null
            }
    }
}
