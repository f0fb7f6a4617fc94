package dev.cairn.store

import dev.cairn.disk.readWhole
import dev.cairn.failure.sentence
import dev.cairn.sion.store.BlockStore
import java.io.IOException
import java.nio.file.NotDirectoryException
import java.nio.file.Path

/** Something that lies in a store of checkpoints, as far as names tell. */
internal sealed interface Entry {
    val path: Path

    /** What has a save's number. */
    sealed interface Numbered : Entry {
        val number: Int
    }

    /** A save with a manifest. Whether it is a good one, only [CheckpointStore.judge] can say. */
    data class Save(
        override val number: Int,
        override val path: Path,
        val isPinned: Boolean,
    ) : Numbered

    /**
     * Data without a manifest, and no sign that they never had one or were to be deleted. Whether they are whole, only
     * [CheckpointStore.judge] can say; if not, it is a save that was never finished.
     */
    data class Lost(
        override val number: Int,
        override val path: Path,
    ) : Numbered

    /** A directory without a manifest: a save that was never finished, or one that is half deleted. No checkpoint. */
    data class Unfinished(
        override val number: Int,
        override val path: Path,
        val failure: String?,
    ) : Numbered

    /**
     * An empty directory, which keeps the highest number from being given out again: its save was deleted. A program that was
     * killed before its save wrote anything leaves the same.
     */
    data class Deleted(
        override val number: Int,
        override val path: Path,
    ) : Numbered

    /** A save's directory that cannot be listed, so it may hold a checkpoint. */
    data class Unreadable(
        override val number: Int,
        override val path: Path,
        val reason: String,
    ) : Numbered

    /** Nothing of ours: it is mentioned, and left alone. */
    data class Foreign(
        override val path: Path,
    ) : Entry
}

/** All that lies in a store at one moment, in the order of the names. [highestNumber] is that of any name, or 0. */
internal class Survey(
    val entries: List<Entry>,
    val highestNumber: Int,
) {
    /** Those with a manifest, newest first. */
    val saves: List<Entry.Save> get() = entries.filterIsInstance<Entry.Save>().sortedByDescending { it.number }

    val unfinished: List<Entry.Unfinished> get() = entries.filterIsInstance<Entry.Unfinished>()

    val deleted: List<Entry.Deleted> get() = entries.filterIsInstance<Entry.Deleted>()

    /** What has a number, newest first. */
    val numbered: List<Entry.Numbered> get() =
        entries.filterIsInstance<Entry.Numbered>().sortedByDescending {
            it.number
        }
}

/** A store that does not exist holds nothing. */
internal fun BlockStore.survey(directory: Path): Survey {
    if (!exists(directory)) return Survey(emptyList(), 0)
    val paths = list(directory).filterNot { SaveNames.isOfStore(it.name) }
    return Survey(paths.map(::entryOf), paths.maxOfOrNull { SaveNames.numberOf(it.name) ?: 0 } ?: 0)
}

private fun BlockStore.entryOf(path: Path): Entry {
    val number = SaveNames.numberOf(path.name) ?: return Entry.Foreign(path)
    return try {
        val names = list(path).map { it.name }.toSet()
        when {
            names.isEmpty() -> {
                Entry.Deleted(number, path)
            }

            SaveNames.MANIFEST in names -> {
                Entry.Save(number, path, SaveNames.PIN in names)
            }

            SaveNames.FAILURE in names -> {
                Entry.Unfinished(number, path, failureIn(path))
            }

            SaveNames.NEW_MANIFEST in names || SaveNames.DATA !in names -> {
                Entry.Unfinished(
                    number,
                    path,
                    failure = null,
                )
            }

            else -> {
                Entry.Lost(number, path)
            }
        }
    } catch (_: NotDirectoryException) {
        Entry.Foreign(path)
    } catch (unreadable: IOException) {
        Entry.Unreadable(number, path, unreadable.sentence())
    }
}

private fun BlockStore.failureIn(path: Path): String =
    readWhole(path.resolve(SaveNames.FAILURE), MOST_FAILURE_BYTES)?.decodeToString() ?: "for reasons too long to tell"

private const val MOST_FAILURE_BYTES = 1 shl 16
