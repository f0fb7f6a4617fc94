package dev.cairn.store

import dev.cairn.disk.deleteIfThere
import dev.cairn.failure.sentence
import dev.cairn.sion.store.BlockStore
import java.io.IOException
import java.nio.file.Path

/**
 * The result of a cleanup: saves that were [removed], and saves that were [left] with a reason, to be tried again next
 * time.
 */
internal data class Cleanup(
    val removed: List<Int>,
    val left: List<Leftover>,
)

/** A save that could not be deleted. */
internal data class Leftover(
    val number: Int,
    val path: Path,
    val reason: String,
)

/**
 * Deletes saves so that a crash at any moment leaves each of them whole or no checkpoint at all: the manifest is first
 * renamed to that of a save that was not committed, durably; then the data are deleted, and that name last. So data
 * whose deletion has begun are not taken for those of a checkpoint that lost its manifest. A save that cannot be
 * deleted does not prevent the deletion of others.
 *
 * The directory of the store's highest number stays, though empty, until there is a higher one: so a number is never
 * used again, and the last number need not be stored.
 */
internal class Cleaner(
    private val files: BlockStore,
    private val directory: Path,
) {
    fun remove(
        saves: List<Entry.Numbered>,
        highestNumber: Int,
    ): Cleanup {
        val left = saves.mapNotNull { remove(it, highestNumber) }
        return Cleanup(saves.map { it.number } - left.map { it.number }.toSet(), left)
    }

    private fun remove(
        save: Entry.Numbered,
        highestNumber: Int,
    ): Leftover? =
        try {
            empty(save.path)
            val foreign = files.list(save.path)
            when {
                foreign.isNotEmpty() -> left(save, "it holds ${foreign.map { it.name }}, which no save wrote")
                save.number == highestNumber -> null
                else -> null.also { removeDirectory(save.path) }
            }
        } catch (failure: IOException) {
            left(save, failure.sentence())
        }

    /** Deletes all remaining files of the save in the directory [save]. */
    fun empty(save: Path) {
        val mark = save.resolve(SaveNames.NEW_MANIFEST)
        val names = files.list(save).map { it.name }.filter(SaveNames::isOfSave)
        if (names.isEmpty()) return
        // Without its manifest, a save that has a seal would be completed from its hosts.
        if (files.deleteIfThere(save.resolve(SaveNames.SEAL))) files.forceDirectory(save)
        when {
            SaveNames.MANIFEST in names -> files.rename(save.resolve(SaveNames.MANIFEST), mark)
            mark.name !in names && names.any(SaveNames::isData) -> files.create(mark).close()
        }
        // Also if there is no manifest: the program that renamed it may have been killed before this point.
        files.forceDirectory(save)
        val others = names - setOf(SaveNames.MANIFEST, SaveNames.SEAL, mark.name)
        others.forEach { files.deleteIfThere(save.resolve(it)) }
        files.forceDirectory(save)
        files.deleteIfThere(mark)
    }

    private fun removeDirectory(save: Path) {
        files.delete(save)
        files.forceDirectory(directory)
    }

    private fun left(
        save: Entry.Numbered,
        reason: String,
    ) = Leftover(save.number, save.path, "${save.path}: could not be deleted, tried again next time: $reason")
}
