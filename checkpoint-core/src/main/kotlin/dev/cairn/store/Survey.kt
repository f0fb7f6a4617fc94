package dev.cairn.store

import dev.cairn.event.sentence
import dev.cairn.sion.store.BlockStore
import java.io.IOException
import java.nio.file.NotDirectoryException
import java.nio.file.Path

/** An entry of a store of checkpoints, judged by its name only. */
internal sealed interface Entry {
    val path: Path

    /** An entry with a save's number. */
    sealed interface Numbered : Entry {
        val number: Int

        /** Whether a user protects it from deletion. */
        val isPinned: Boolean get() = false
    }

    /** A save with a manifest. Only [CheckpointStore.judge] determines whether it is good. */
    data class Save(override val number: Int, override val path: Path, override val isPinned: Boolean) : Numbered

    /**
     * Data without a manifest, and without a mark of an unfinished save or a deletion. Only [CheckpointStore.judge]
     * determines whether they are whole; if not, the save was never finished.
     */
    data class Lost(override val number: Int, override val path: Path) : Numbered

    /**
     * A directory without a manifest: a save that was never finished, or one that is half deleted. Not a checkpoint.
     */
    data class Unfinished(override val number: Int, override val path: Path, val failure: String?) : Numbered

    /**
     * A save whose data are complete on the disks of its hosts, and not yet, or only in part, here. Not a checkpoint before it is
     * drained and committed. Its seal may be lost or not written yet, if the note of its places is whole.
     */
    data class Sealed(override val number: Int, override val path: Path) : Numbered

    /**
     * An empty directory, which keeps the highest number from being used again: its save was deleted. A program that
     * was killed before its save wrote any file leaves the same.
     */
    data class Deleted(override val number: Int, override val path: Path) : Numbered

    /** A save's directory that cannot be listed, so it may hold a checkpoint. */
    data class Unreadable(override val number: Int, override val path: Path, val reason: String) : Numbered

    /** An entry that Cairn did not make: it is mentioned, and otherwise ignored. */
    data class Foreign(override val path: Path) : Entry
}

/**
 * All that lies in a store at one moment, in the order of the names. [highestNumber] is that of any name, or 0.
 *
 * @property hasKeptOutputs whether the store has recorded outputs that are kept for saves
 */
internal class Survey(val entries: List<Entry>, val highestNumber: Int, val hasKeptOutputs: Boolean = false) {
    /** Those with a manifest, newest first. */
    val saves: List<Entry.Save> get() = entries.filterIsInstance<Entry.Save>().sortedByDescending { it.number }

    /** The newest save, if it is newer than [number] and may be restored one day; null otherwise. */
    fun saveAfter(number: Int): Int? =
        numbered
            .firstOrNull { it is Entry.Save || it is Entry.Sealed || it is Entry.Lost || it is Entry.Unreadable }
            ?.number
            ?.takeIf { it > number }

    val unfinished: List<Entry.Unfinished> get() = entries.filterIsInstance<Entry.Unfinished>()

    val sealed: List<Entry.Sealed> get() = entries.filterIsInstance<Entry.Sealed>()

    val sealedNumbers: List<Int> get() = sealed.map { it.number }

    /** The sealed save that a restart completes, since no checkpoint is newer; null if there is none. */
    val newestSealed: Entry.Sealed? get() =
        numbered.firstOrNull { it !is Entry.Unfinished && it !is Entry.Deleted } as? Entry.Sealed

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
    val (ofStore, paths) = list(directory).partition { SaveNames.isOfStore(it.name) }
    val highestNumber = paths.maxOfOrNull { SaveNames.numberOf(it.name) ?: 0 } ?: 0
    return Survey(paths.map(::entryOf), highestNumber, ofStore.any { it.name == SaveNames.KEPT_OUTPUTS })
}

private fun BlockStore.entryOf(path: Path): Entry {
    val number = SaveNames.numberOf(path.name) ?: return Entry.Foreign(path)
    return try {
        val entry = listed(number, path)
        // A listing that is made while the manifest is renamed may hold neither of its names.
        if (entry is Entry.Lost) listed(number, path) else entry
    } catch (_: NotDirectoryException) {
        Entry.Foreign(path)
    } catch (unreadable: IOException) {
        Entry.Unreadable(number, path, unreadable.sentence())
    }
}

private fun BlockStore.listed(number: Int, path: Path): Entry.Numbered {
    val names = list(path).map { it.name }.toSet()
    return when {
        names.isEmpty() -> Entry.Deleted(number, path)

        SaveNames.MANIFEST in names -> Entry.Save(number, path, SaveNames.PIN in names)

        SaveNames.FAILURE in names -> Entry.Unfinished(number, path, failureIn(path))

        SaveNames.SEAL in names -> Entry.Sealed(number, path)

        SaveNames.HOSTS in names && SaveNames.NEW_MANIFEST in names &&
            hasWholePlaces(
                path,
            )
        -> Entry.Sealed(number, path)

        SaveNames.NEW_MANIFEST in names -> Entry.Unfinished(number, path, failure = null)

        SaveNames.DATA !in names -> Entry.Unfinished(number, path, failure = null)

        else -> Entry.Lost(number, path)
    }
}

private fun BlockStore.failureIn(path: Path): String =
    readWhole(path.resolve(SaveNames.FAILURE), MOST_FAILURE_BYTES)
        ?.decodeToString()
        ?.ifBlank { "there was no room to note the reason" }
        ?: "for reasons too long to list"

private const val MOST_FAILURE_BYTES = 1 shl 16
