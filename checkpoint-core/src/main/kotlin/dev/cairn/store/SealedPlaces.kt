package dev.cairn.store

import dev.cairn.sion.store.BlockStore
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import java.util.zip.CRC32C

/**
 * A physical file of a sealed save, and its [places]: first that on the host whose ranks wrote it, then those of copies, which are the
 * same byte for byte.
 */
internal class SealedFile(val name: String, val places: List<HostPlace>) {
    /** Of its meta data. */
    val checksum: Int get() = places.first().checksum

    override fun toString(): String = "$name on ${places.joinToString(" or on ") { it.place }}"
}

/**
 * Where the physical [files] of a sealed save lie, as its note `hosts` says; there should be [count] of them. The note is a line for each
 * [HostPlace] and the CRC32C of these lines, which earlier versions did not write:
 *
 * ```
 * data.sion on node0 below /scratch/me/cairn-3f2a91c0-5d7e-8b64, meta data 9a0c33e1
 * these lines have the CRC32C 5e1f0c77
 * ```
 *
 * A damaged note is not taken for damaged files: it shows by its last line whether another checksum of a file is the right one.
 *
 * @property doubt says that a line may be wrong, as the end of a sentence; null if none is known to be. A file that has the checksum
 * which the note gives it is good nevertheless
 */
internal class SealedPlaces private constructor(
    private val note: String,
    val files: List<SealedFile>,
    private val count: Int,
    val doubt: String?,
) {
    /** What makes the note useless, as the end of a sentence; null if nothing does. */
    val flaw: String?
        get() {
            val torn = files.find { file -> file.places.any { it.checksum != file.checksum } }
            return when {
                files.size != count -> "$NOTE should name $count files, and names ${files.size}$remedy"
                torn != null -> "$NOTE gives ${torn.name} more than one checksum"
                else -> null
            }
        }

    /** A user can correct what is there. */
    private val remedy: String
        get() =
            if (SUM !in note) {
                ""
            } else {
                ": correct the line that does not read FILE on HOST below DIRECTORY, meta data CHECKSUM, until the " +
                    "last line is the CRC32C of the others"
            }

    /** Whether the note is damaged where it gives [file] another checksum than this one, with which the note is whole. */
    fun isWholeWith(file: String, checksum: Int): Boolean = doubt != null && isWhole(note.with(file, checksum))

    companion object {
        private const val NOTE = "its file '${SaveNames.HOSTS}'"
        private const val SUM = "these lines have the CRC32C "

        /** The note of these [places]. */
        fun noteOf(places: List<HostPlace>): ByteArray {
            val lines = places.joinToString("") { "${it.line}\n" }
            return "$lines$SUM${checksumOf(lines)}\n".encodeToByteArray()
        }

        /** Of the sealed save of [manifest] in the directory [save]. */
        fun read(files: BlockStore, save: Path, manifest: Manifest): SealedPlaces =
            of(files.noteIn(save), manifest.hints.fileCount)

        fun of(text: String, count: Int): SealedPlaces {
            val files = filesIn(text)
            val doubt = doubtOf(text)
            val better = if (doubt == null) null else files.firstNotNullOfOrNull { wholeNote(text, it) }
            return SealedPlaces(text, better?.let(::filesIn) ?: files, count, doubt)
        }

        /** The [note] with one of the checksums of [file] for all of its places, if that makes it whole. */
        private fun wholeNote(note: String, file: SealedFile): String? =
            file.places
                .map { it.checksum }
                .distinct()
                .map { note.with(file.name, it) }
                .find(::isWhole)

        private fun filesIn(text: String): List<SealedFile> {
            val places = text.lines().mapNotNull(HostPlace::parse).filter { SaveNames.isOriginal(it.file) }
            return places.groupBy { it.file }.map { (name, its) -> SealedFile(name, its) }
        }

        /** This note, if the meta data of [file] had the [checksum]. */
        private fun String.with(file: String, checksum: Int) =
            lines().joinToString("\n") { line ->
                HostPlace
                    .parse(line)
                    ?.takeIf { it.file == file }
                    ?.copy(checksum = checksum)
                    ?.line ?: line
            }

        /** False for the note of an earlier version, too. */
        fun isWhole(note: String): Boolean = SUM in note && doubtOf(note) == null

        private fun doubtOf(text: String): String? {
            if (SUM !in text) return null
            val expected = text.substringAfterLast(SUM).trimEnd()
            val found = checksumOf(text.substringBeforeLast(SUM))
            if (found == expected) return null
            return "$NOTE is damaged: its lines should have the CRC32C $expected, but have " +
                "$found, so that a place or a checksum in it may be wrong"
        }

        private fun checksumOf(lines: String): String {
            val crc = CRC32C()
            crc.update(lines.encodeToByteArray())
            return "%08x".format(crc.value)
        }
    }
}

/** Whether the note of the save in [path] was written to its end, so that all files are complete on their hosts. */
internal fun BlockStore.hasWholePlaces(path: Path): Boolean = SealedPlaces.isWhole(noteIn(path))

/** Empty if there is none. */
private fun BlockStore.noteIn(save: Path): String =
    try {
        readWhole(save.resolve(SaveNames.HOSTS), MOST_BYTES)?.decodeToString().orEmpty()
    } catch (_: NoSuchFileException) {
        ""
    }

private const val MOST_BYTES = 16 shl 20

/** The names of the physical files that have been drained into the directory [save]: each got its name when it was whole and checked. */
internal fun BlockStore.drainedFiles(save: Path): Set<String> =
    list(save).map { it.name }.filter(SaveNames::isOriginal).toSet()
