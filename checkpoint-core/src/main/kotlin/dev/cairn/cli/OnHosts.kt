package dev.cairn.cli

import dev.cairn.event.CheckpointException
import dev.cairn.event.counted
import dev.cairn.reading.StoredSave
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.Entry
import dev.cairn.store.Manifest
import dev.cairn.store.SealedPlaces
import dev.cairn.store.drainedFiles
import kotlinx.serialization.Serializable
import java.nio.file.Path

/**
 * Where a sealed save lies; [survival] says in a sentence which hosts may be lost, and [doubt] that a place may be wrong. If [newer] is
 * committed, no restart needs the save, and its hosts delete their files.
 */
@Serializable
internal class OnHosts(
    val files: List<FileOnHosts>,
    val survival: String,
    val doubt: String? = null,
    val newer: Int? = null,
) {
    fun lines(): List<String> =
        columns(
            listOf(HEAD) +
                files.map { listOf(it.name, if (it.isDrained) "yes" else "no", it.places.joinToString("; ")) },
        ) +
            "" +
            survival +
            listOfNotNull(doubt)

    /** Where the data are, after a colon. */
    val place: String
        get() =
            when {
                newer != null -> notNeeded(newer)
                files.all { it.isDrained } -> "all of its files are here, and $NEXT $VERIFIES it"
                else -> "it lies on its hosts"
            }

    companion object {
        private val HEAD = listOf("file", "drained", "lies on")

        fun of(files: BlockStore, sealed: Entry.Sealed, manifest: Manifest, newer: Int? = null): OnHosts {
            val places = SealedPlaces.read(files, sealed.path, manifest)
            places.flaw?.let { throw Damage("${sealed.path}: $it.") }
            val drained = files.drainedFiles(sealed.path)
            val its =
                places.files.map { file ->
                    FileOnHosts(file.name, file.name in drained, file.places.map { it.place })
                }
            val needed = places.files.filter { it.name !in drained }
            val survival =
                if (newer == null) {
                    survival(needed.map { file -> file.places.map { it.host }.toSet() })
                } else {
                    "The save is ${notNeeded(newer)}: its hosts delete their files."
                }
            return OnHosts(its, survival, places.doubt?.let { "${sealed.path}: $it." }, newer)
        }

        /** If only these files are needed, each of which has one host at least. */
        fun survival(hostsOfFiles: List<Set<String>>): String {
            if (hostsOfFiles.isEmpty()) {
                return "The save survives the loss of all hosts if its files here are good: $NEXT $VERIFIES it."
            }
            val most = hostsOfFiles.minOf { it.size } - 1
            val alone = hostsOfFiles.filter { it.size == 1 }.flatten().distinct()
            return if (most > 0) {
                "The save survives the loss of any ${counted(most, "host")}."
            } else {
                "The save is lost with ${alone.joinToString(" or ")}."
            }
        }
    }
}

/** Whether all files of a [sealed] save of [store] are in its directory, so that only the commit is missing. */
internal fun Shell.isDrained(sealed: Entry.Sealed, store: Path): Boolean =
    try {
        store().drainedFiles(sealed.path).size ==
            storeIn(store)
                .read(sealed)
                .manifest.hints.fileCount
    } catch (_: CheckpointException) {
        // Another verb says what is wrong with it.
        false
    }

/** A physical file of a sealed save. */
@Serializable
internal class FileOnHosts(val name: String, val isDrained: Boolean, val places: List<String>) {
    override fun toString(): String = "$name on ${places.joinToString(" or on ")}"
}

/** What becomes of the sealed save [number], as the end of a sentence on the hosts where its data lie. */
internal fun List<StoredSave>.prospectOf(number: Int): String {
    val newest = filterIsInstance<StoredSave.Good>().maxOfOrNull { it.number }
    return if (newest != null && newest > number) {
        notNeeded(newest)
    } else {
        "'cairn drain' there, or a restart that reaches them, commits it"
    }
}

/** Of a sealed save, when [newer] is committed. */
internal fun notNeeded(newer: Int) = "not needed, since save $newer is newer and committed"

/** No file is good by its name alone. */
internal const val VERIFIES = "verifies and commits"
private const val NEXT = "the next start or 'cairn drain'"
