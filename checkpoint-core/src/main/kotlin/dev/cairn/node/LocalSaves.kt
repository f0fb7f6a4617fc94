package dev.cairn.node

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.DiskException
import dev.cairn.store.ManifestFormat
import dev.cairn.store.SaveNames
import dev.cairn.store.StoredManifest
import dev.cairn.store.deleteIfThere
import dev.cairn.store.readWhole
import dev.cairn.store.writeNew
import java.nio.file.FileAlreadyExistsException
import java.nio.file.FileSystemException
import java.nio.file.NoSuchFileException
import java.nio.file.NotDirectoryException
import java.nio.file.Path

/**
 * The files of one host for the saves of one store, below the directory that the program names:
 *
 * ```
 * cairn-3f2a91c0-5d7e-8b64/    the identity of the store
 *   000007/                    a save's number
 *     data.sion.000001         the host's physical file
 *     manifest.json            a copy of the manifest, when the file is complete
 * ```
 *
 * Names belong to one store and one save, so two programs on a host do not conflict here, and the lock of the store suffices. Nothing
 * stays open. Ranks of one host may call it at the same time.
 */
internal class LocalSaves(private val files: BlockStore, private val parent: Path, store: String) {
    private val directory: Path = parent.resolve("cairn-$store")

    /** The name of the directory that holds them. */
    val name: String get() = "${directory.fileName}"

    /** As [makeDirectories], but refuses a name that cannot be a directory, and one without permission. */
    fun prepare() {
        try {
            makeDirectories()
        } catch (_: NoSuchFileException) {
            throw unusable("its parent directory does not exist, or it is a link to a place that does not exist")
        } catch (_: NotDirectoryException) {
            throw unusable("a file has its name")
        } catch (failed: DiskException) {
            if (failed.trouble() != DiskException.Trouble.DENIED) throw failed
            throw unusable(failed.reason.removeSuffix("."))
        } catch (other: FileSystemException) {
            throw unusable(other.reason ?: "$other")
        }
    }

    /** Makes missing directories, durably; other ranks may make them at the same time. */
    private fun makeDirectories() {
        makeIfMissing(parent)
        makeIfMissing(directory)
        // Also if they exist already: their creator may have been killed before this point.
        files.forceDirectory(parent.parent ?: Path.of(""))
        files.forceDirectory(parent)
        files.list(directory)
    }

    private fun unusable(reason: String) = localUnusable(parent.toAbsolutePath(), reason)

    /** Makes the directory of save [number]. The directories above it may have been deleted since the start. */
    fun begin(number: Int) {
        makeDirectories()
        makeIfMissing(directoryOf(number))
    }

    /** The room for another save, if all saves of this host may take [limit] bytes. */
    fun room(limit: Long?): HostRoom {
        val held = if (limit == null) 0 else numbers().sumOf(::sizeOf)
        return HostRoom.of("$this", files.freeSpace(directory), held, limit)
    }

    private fun sizeOf(number: Int): Long =
        files.list(directoryOf(number)).filter { SaveNames.isOriginal("${it.fileName}") }.sumOf { file ->
            files.open(file, Access.READ).use { it.size() }
        }

    /** Creates the marker file of [host] for the run [run]. */
    fun createMarker(run: String, host: Int) = files.create(directory.resolve("$run.$host$MARKER")).close()

    /** The hosts with marker files of [run] in this directory: more than one if they share it. */
    fun markers(run: String): List<Int> =
        files
            .list(directory)
            .map { "${it.fileName}" }
            .filter { it.startsWith("$run.") && it.endsWith(MARKER) }
            .map { it.removePrefix("$run.").removeSuffix(MARKER).toInt() }

    /** Deletes all marker files, including those of killed runs. */
    fun deleteMarkers() =
        files.list(directory).filter { "${it.fileName}".endsWith(MARKER) }.forEach { files.deleteIfThere(it) }

    /** The store through which ranks write this host's physical files of save [number]. */
    fun storeFor(number: Int): BlockStore = HostFiles(files, directoryOf(number))

    /** The place of the physical file [name] of save [number]. */
    fun file(number: Int, name: String): Path = directoryOf(number).resolve(name)

    /** Gives the complete file of save [number] its [manifest], and makes the names durable. */
    fun describe(number: Int, manifest: ByteArray) {
        files.writeNew(file(number, SaveNames.MANIFEST), manifest)
        files.forceDirectory(directoryOf(number))
        files.forceDirectory(directory)
    }

    /**
     * The names of the physical files of the save of this [manifest], whose number is [number]. It was sealed, so they were complete; their
     * manifest here may be lost or damaged since. None if they are those of another save.
     */
    fun filesOf(number: Int, manifest: ByteArray): List<String> {
        val save = directoryOf(number)
        val isOther = manifestOf(number)?.toBytes()?.contentEquals(manifest) == false
        if (isOther || !files.exists(save)) return emptyList()
        return files.list(save).map { "${it.fileName}" }.filter(SaveNames::isOriginal)
    }

    /** The whole copy of the manifest of save [number]; null if this host has none. */
    fun manifestOf(number: Int): StoredManifest? {
        val file = file(number, SaveNames.MANIFEST)
        if (!files.exists(file)) return null
        return try {
            ManifestFormat.read(files, file).takeIf { it.manifest.save == number }
        } catch (_: CheckpointException) {
            null
        }
    }

    /** False if the files of save [number] on this host belong to another [manifest]. */
    fun fits(number: Int, manifest: ByteArray): Boolean {
        val own = file(number, SaveNames.MANIFEST)
        return !files.exists(own) || files.readWhole(own, ManifestFormat.MOST_BYTES).contentEquals(manifest)
    }

    /** The numbers of the saves with files on this host. */
    fun numbers(): List<Int> {
        if (!files.exists(directory)) return emptyList()
        return files.list(directory).mapNotNull { SaveNames.numberOf("${it.fileName}") }
    }

    /** Deletes the files of all saves but [wanted] on this host. */
    fun keepOnly(wanted: Set<Int>) = (numbers() - wanted).forEach(::remove)

    /** As above, but leaves the saves after number [last]: if there are any, a program that has displaced this one has made them. */
    fun keepOnly(wanted: Set<Int>, last: Int) = (numbers() - wanted).filter { it <= last }.forEach(::remove)

    /**
     * Deletes the files of save [number] on this host, if any: the manifest first, without which no file counts as complete. A worker of
     * the last save, or of the last program, may delete the same files at the same time.
     */
    fun remove(number: Int) {
        try {
            removeNow(directoryOf(number))
        } catch (_: NoSuchFileException) {
            // Another worker has deleted it.
        }
    }

    private fun removeNow(save: Path) {
        if (files.deleteIfThere(save.resolve(SaveNames.MANIFEST))) files.forceDirectory(save)
        val names = files.list(save).filter { SaveNames.isOriginal("${it.fileName}") }
        names.forEach { files.deleteIfThere(it) }
        files.delete(save)
        files.forceDirectory(directory)
    }

    private fun directoryOf(number: Int): Path = directory.resolve(SaveNames.directory(number))

    private fun makeIfMissing(directory: Path) {
        try {
            if (!files.exists(directory)) files.makeDirectory(directory)
        } catch (_: FileAlreadyExistsException) {
            // Another rank has made it.
        }
    }

    override fun toString(): String = "${directory.toAbsolutePath()}"

    private companion object {
        const val MARKER = ".sign"
    }
}

/** The setting `local` names a [directory] that cannot take saves. */
internal fun localUnusable(directory: Path, reason: String) =
    InvalidDeclaration(
        Details(
            "$directory: the setting local names it for saves on the disk of each host, but $reason. Name another " +
                "directory, or correct that.",
            path = directory,
        ),
    )
