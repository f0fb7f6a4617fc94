package dev.cairn.cli

import dev.cairn.CheckpointException
import dev.cairn.reading.StoredCheckpoint
import dev.cairn.reading.readContents
import dev.cairn.sion.cli.Refusal
import dev.cairn.sion.cli.Shell
import dev.cairn.store.Candidate
import dev.cairn.store.CheckpointStore
import dev.cairn.store.Discovery
import dev.cairn.store.Entry
import picocli.CommandLine.ITypeConverter
import java.io.IOException
import java.nio.file.Path

/** A checkpoint is not what it should be; the message is the sentence that the user reads. */
internal class Damage(
    sentence: String,
) : IOException(sentence)

/** A checkpoint as people name it: `heat.cairn/7`, or `heat.cairn` for the newest good one in it. */
internal class Place(
    val directory: Path,
    val number: Int?,
) {
    /** A last name that is a number is that of a save. */
    class Converter : ITypeConverter<Place> {
        override fun convert(text: String): Place {
            val path = Path.of(text)
            val number = path.fileName?.toString()?.toIntOrNull() ?: return Place(path, null)
            return Place(path.parent ?: Path.of("."), number)
        }
    }
}

/** The store in [directory], which exists. */
internal fun Shell.storeIn(directory: Path): CheckpointStore {
    if (!store().exists(directory)) throw Refusal("$directory: there is no such directory. Check the name.")
    return CheckpointStore(store(), directory)
}

/** The save [number]; a [Refusal] if there is none. */
internal fun CheckpointStore.save(number: Int): Entry.Save =
    when (val entry = survey().entries.find { it is Entry.Numbered && it.number == number }) {
        is Entry.Save -> entry
        is Entry.Unreadable -> throw Refusal("${entry.path} cannot be read: ${entry.reason}")
        is Entry.Unfinished -> throw Refusal("${entry.path} is no checkpoint: its save has not finished.")
        else -> throw Refusal("$directory: there is no save $number. 'cairn ls $directory' shows those that there are.")
    }

/** The checkpoint at a place, its manifest read. */
internal fun Shell.candidate(
    directory: Path,
    number: Int?,
): Candidate {
    val store = storeIn(directory)
    return if (number == null) newest(store) else store.read(store.save(number))
}

/** Opens the checkpoint at [place]; the caller closes it. */
internal fun Shell.open(place: Place): StoredCheckpoint =
    StoredCheckpoint.open(store(), candidate(place.directory, place.number))

private fun Shell.newest(store: CheckpointStore): Candidate =
    when (val discovery = store.discover { store().readContents(it) }) {
        is Discovery.Good -> discovery.newest

        is Discovery.None -> throw Refusal("${store.directory}: it holds no checkpoint.")

        is Discovery.DamagedOnly -> throw CheckpointException.DamagedOnly(
            store.directory,
            discovery.rejected.map { it.reason },
        )
    }
