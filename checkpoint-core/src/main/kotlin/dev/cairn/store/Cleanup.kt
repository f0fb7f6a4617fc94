package dev.cairn.store

import dev.cairn.sion.store.BlockStore
import java.io.IOException
import java.nio.file.Path

/** What became of saves that were to go: those [removed], and those [left] with a reason, to be tried again next time. */
internal data class Cleanup(
    val removed: List<Int>,
    val left: List<Verdict.Rejected>,
)

/**
 * Deletes saves so that a crash at any moment leaves each of them whole or no checkpoint at all: the manifest goes first,
 * durably, and only then the data. One that cannot be deleted does not keep the others.
 *
 * The directory of the store's highest number stays, though empty, until there is a higher one: so a number is never given
 * out again, and nobody has to write down which was the last.
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
    ): Verdict.Rejected? =
        try {
            empty(save.path)
            val foreign = files.list(save.path)
            when {
                foreign.isNotEmpty() -> left(save, "it holds ${foreign.map { it.name }}, which no save made")
                save.number == highestNumber -> null
                else -> null.also { removeDirectory(save.path) }
            }
        } catch (failure: IOException) {
            left(save, failure.sentence())
        }

    /** Deletes what belongs to the save in the directory [save], whatever is left of it. */
    fun empty(save: Path) {
        files.deleteIfThere(save.resolve(SaveNames.MANIFEST))
        // Also where there is no manifest: whoever deleted it may have been killed before it got that far.
        files.forceDirectory(save)
        files.list(save).filter { SaveNames.isOfSave(it.name) }.forEach { files.deleteIfThere(it) }
    }

    private fun removeDirectory(save: Path) {
        files.delete(save)
        files.forceDirectory(directory)
    }

    private fun left(
        save: Entry.Numbered,
        reason: String,
    ) = Verdict.Rejected(save.number, save.path, "${save.path}: could not be deleted, tried again next time: $reason")
}
