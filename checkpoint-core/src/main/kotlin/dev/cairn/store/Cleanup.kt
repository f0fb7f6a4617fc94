package dev.cairn.store

import dev.cairn.event.sentence
import dev.cairn.sion.store.BlockStore
import java.io.IOException
import java.nio.file.Path

/** The result of a cleanup: saves that were [removed], and what was [left] with a reason, to be tried again next time. */
internal data class Cleanup(val removed: List<Int>, val left: List<Leftover>) {
    companion object {
        val NOTHING = Cleanup(emptyList(), emptyList())
    }
}

/** Takes all steps of a deletion, and returns the result of all. */
internal fun Sequence<Cleanup>.total(): Cleanup =
    fold(Cleanup.NOTHING) { sum, step -> Cleanup(sum.removed + step.removed, sum.left + step.left) }

/** A save, or a file that was kept for saves, that could not be deleted. */
internal data class Leftover(val path: Path, val reason: String)

/**
 * Deletes saves so that a crash at any moment leaves each of them whole or no checkpoint at all: the manifest is first
 * renamed to that of a save that was not committed, durably; then the data are deleted, and that name last. So data
 * whose deletion has begun are not taken for those of a checkpoint that lost its manifest. A save that cannot be
 * deleted does not prevent the deletion of others.
 *
 * The directory of the store's highest number stays, though empty, until there is a higher one: so a number is never
 * used again, and the last number need not be stored.
 *
 * All functions are lazy: each element that is taken of a sequence is one small step, such as the deletion of a few files. After any of
 * them the rest may be left to the next program.
 */
internal class Cleaner(private val files: BlockStore, private val directory: Path) {
    /** The last step of a save brings its result; the steps before it bring nothing. */
    fun remove(saves: List<Entry.Numbered>, highestNumber: Int): Sequence<Cleanup> =
        saves.asSequence().flatMap { remove(it, highestNumber) }

    private fun remove(save: Entry.Numbered, highestNumber: Int): Sequence<Cleanup> =
        sequence {
            // A user may have pinned it since it was chosen.
            if (save is Entry.Save && files.exists(save.path.resolve(SaveNames.PIN))) return@sequence
            try {
                // Not yieldAll, which takes the steps outside of this block.
                for (step in empty(save.path)) yield(Cleanup.NOTHING)
                val foreign = files.list(save.path).map { it.name }
                if (foreign.isEmpty() && save.number != highestNumber) removeDirectory(save.path)
                yield(if (foreign.isEmpty()) removed(save) else left(save, "it holds $foreign, which no save wrote"))
            } catch (failure: IOException) {
                yield(left(save, failure.sentence()))
            }
        }

    /** Deletes all remaining files of the save in the directory [save]. */
    fun empty(save: Path): Sequence<Unit> =
        sequence {
            val mark = save.resolve(SaveNames.NEW_MANIFEST)
            val names = files.list(save).map { it.name }.filter(SaveNames::isOfSave)
            if (names.isEmpty()) return@sequence
            withdraw(save, names, mark)
            yield(Unit)
            for (some in (
                names -
                    setOf(
                        SaveNames.MANIFEST,
                        SaveNames.SEAL,
                        SaveNames.HOSTS,
                        mark.name,
                    )
            ).chunked(FILES_AT_ONCE)) {
                files.deleteAll(some.map(save::resolve))
                yield(Unit)
            }
            files.forceDirectory(save)
            files.deleteIfThere(mark)
            yield(Unit)
        }

    /** From here on the save with these [names] is no checkpoint, durably. */
    private fun withdraw(save: Path, names: List<String>, mark: Path) {
        // Without its manifest, a save that has a seal, or the note of its places, would be completed from its hosts.
        if (files.deleteIfThere(save.resolve(SaveNames.SEAL))) files.forceDirectory(save)
        files.deleteIfThere(save.resolve(SaveNames.HOSTS))
        when {
            SaveNames.MANIFEST in names -> files.rename(save.resolve(SaveNames.MANIFEST), mark)
            mark.name !in names && names.any(SaveNames::isData) -> files.create(mark).close()
        }
        // Also if there is no manifest: the program that renamed it may have been killed before this point.
        files.forceDirectory(save)
    }

    private fun removeDirectory(save: Path) {
        files.delete(save)
        files.forceDirectory(directory)
    }

    private fun removed(save: Entry.Numbered) = Cleanup(listOf(save.number), emptyList())

    private fun left(save: Entry.Numbered, reason: String): Cleanup {
        val sentence = "${save.path}: could not be deleted, tried again next time: $reason"
        return Cleanup(emptyList(), listOf(Leftover(save.path, sentence)))
    }
}

/** More at once are deleted no faster. */
private const val FILES_AT_ONCE = 8
