package dev.cairn.store

import dev.cairn.base.readWhole
import dev.cairn.sion.store.BlockStore
import java.nio.file.Path

/**
 * A physical file of a sealed save, and its [places]: first that on the host whose ranks wrote it, then those of copies, which are the
 * same byte for byte.
 */
internal class SealedFile(
    val name: String,
    val places: List<HostPlace>,
) {
    /** Of its meta data. */
    val checksum: Int get() = places.first().checksum

    override fun toString(): String = "$name on ${places.joinToString(" or on ") { it.place }}"
}

/** Where the physical [files] of a sealed save lie, as its note `hosts` says; there should be [count] of them. */
internal class SealedPlaces private constructor(
    val files: List<SealedFile>,
    private val count: Int,
) {
    /** What is wrong with the note, as the end of a sentence; null if nothing is. */
    val flaw: String?
        get() {
            val torn = files.find { file -> file.places.any { it.checksum != file.checksum } }
            return when {
                files.size != count -> "its file '${SaveNames.HOSTS}' should name $count files, and names ${files.size}"
                torn != null -> "its file '${SaveNames.HOSTS}' gives ${torn.name} more than one checksum"
                else -> null
            }
        }

    companion object {
        private const val MOST_BYTES = 16 shl 20

        /** Of the sealed save of [manifest] in the directory [save]. */
        fun read(
            files: BlockStore,
            save: Path,
            manifest: Manifest,
        ): SealedPlaces {
            val note = save.resolve(SaveNames.HOSTS)
            val text = if (files.exists(note)) files.readWhole(note, MOST_BYTES)?.decodeToString() else null
            return of(text.orEmpty(), manifest.hints.fileCount)
        }

        fun of(
            text: String,
            count: Int,
        ): SealedPlaces {
            val places = text.lines().mapNotNull(HostPlace::parse).filter { SaveNames.isOriginal(it.file) }
            return SealedPlaces(places.groupBy { it.file }.map { (name, its) -> SealedFile(name, its) }, count)
        }
    }
}

/** The names of the physical files that have been drained into the directory [save]: each got its name when it was whole and checked. */
internal fun BlockStore.drainedFiles(save: Path): Set<String> =
    list(save).map { it.name }.filter(SaveNames::isOriginal).toSet()
