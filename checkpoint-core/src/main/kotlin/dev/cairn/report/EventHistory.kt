package dev.cairn.report

import dev.cairn.event.CheckpointEvent
import dev.cairn.event.EventLine
import dev.cairn.event.MOST_BYTES_OF_EVENTS
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.readWhole
import java.io.IOException
import java.nio.file.NoSuchFileException
import java.nio.file.Path

/**
 * The events that a store keeps, in the order in which they were written.
 *
 * @property unreadableCount the lines that are no event, such as one that a kill has cut short
 * @property isComplete whether these are all events since the first program started; false if older files may have been replaced
 */
internal class EventHistory(val lines: List<EventLine>, val unreadableCount: Int, val isComplete: Boolean) {
    companion object {
        /** Reads the [older] file and then the [newer] one; either may be missing. */
        fun read(files: BlockStore, older: Path, newer: Path): EventHistory {
            val before = files.textOf(older)
            val texts = listOfNotNull(before, files.textOf(newer))
            val lines = texts.flatMap { it.lines() }.filter { it.isNotEmpty() }
            val events = lines.mapNotNull(EventLine::decode)
            val isFromStart = before == null && events.firstOrNull()?.event is CheckpointEvent.Started
            return EventHistory(events, lines.size - events.size, isFromStart)
        }

        private fun BlockStore.textOf(file: Path): String? =
            try {
                val bytes = readWhole(file, MOST_BYTES_OF_EVENTS)
                bytes?.decodeToString()
                    ?: throw IOException(
                        "$file: a file of events has at most $MOST_BYTES_OF_EVENTS bytes, but this one has more. Move it away.",
                    )
            } catch (_: NoSuchFileException) {
                null
            }
    }
}
