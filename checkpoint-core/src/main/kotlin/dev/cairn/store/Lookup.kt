package dev.cairn.store

import dev.cairn.CheckpointException.NoSuchCheckpoint
import java.io.IOException

/** The save [number], which was finished. */
internal fun CheckpointStore.save(number: Int): Entry.Save =
    when (val entry = survey().entries.find { it is Entry.Numbered && it.number == number }) {
        is Entry.Save -> entry

        is Entry.Unreadable -> throw IOException("${entry.path} cannot be read: ${entry.reason}")

        is Entry.Unfinished -> throw NoSuchCheckpoint("${entry.path} is no checkpoint: its save has not finished.")

        else -> throw NoSuchCheckpoint(
            "$directory: there is no save $number. 'cairn ls $directory' shows those that there are.",
        )
    }
