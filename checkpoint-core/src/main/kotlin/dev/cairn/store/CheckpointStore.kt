package dev.cairn.store

import dev.cairn.CheckpointException
import dev.cairn.CheckpointException.MisplacedSave
import dev.cairn.CheckpointException.StoreUnusable
import dev.cairn.CheckpointException.UnsupportedManifest
import dev.cairn.sion.SionException
import dev.cairn.sion.store.BlockStore
import java.io.IOException
import java.nio.file.AccessDeniedException
import java.nio.file.NoSuchFileException
import java.nio.file.NotDirectoryException
import java.nio.file.Path
import java.time.Clock

/**
 * A directory of numbered checkpoints, for whoever only reads it; [own] gives the right to write.
 *
 * ```
 * heat.cairn/
 *   lock            held by the operating system
 *   owner.json      who holds it
 *   000007/         a save's number, always growing
 *     data.sion …   its data
 *     manifest.json its commit: renamed into place when all else is durable
 * ```
 *
 * It keeps nothing open and nothing in memory. One rank calls it, between the collectives of all; any thread may.
 */
internal class CheckpointStore(
    private val files: BlockStore,
    val directory: Path,
) {
    /** What lies here now. */
    fun survey(): Survey = files.survey(directory)

    /**
     * Looks for the newest checkpoint that is good: first its manifest, then what [inspection] re-reads of its data.
     *
     * @throws CheckpointException.UnsupportedManifest when it comes to one that only a newer version can read
     */
    fun discover(inspection: Inspection): Discovery {
        val survey = survey()
        val notes = survey.entries.mapNotNull(::noteOn)
        val rejected = mutableListOf<Verdict.Rejected>()
        val numbered = survey.entries.filterIsInstance<Entry.Numbered>().sortedByDescending { it.number }
        for (entry in numbered) {
            when (val verdict = judge(entry, inspection)) {
                is Verdict.Accepted -> return Discovery.Good(
                    verdict.candidate,
                    rejected,
                    survey.olderThan(entry),
                    notes,
                )

                is Verdict.Rejected -> rejected += verdict

                is Verdict.Unsupported -> throw verdict.failure

                null -> continue
            }
        }
        return if (rejected.isEmpty()) Discovery.None(notes) else Discovery.DamagedOnly(rejected, notes)
    }

    /** Whether this is a good checkpoint; null when it is none at all, because it has no manifest. */
    fun judge(
        entry: Entry.Numbered,
        inspection: Inspection,
    ): Verdict? =
        when (entry) {
            is Entry.Save -> judge(entry, inspection)
            is Entry.Unfinished -> null
            is Entry.Unreadable -> Verdict.Rejected(entry.number, entry.path, entry.reason)
        }

    /** Whether this save is a good checkpoint. */
    fun judge(
        save: Entry.Save,
        inspection: Inspection,
    ): Verdict =
        try {
            Verdict.Accepted(read(save).also(inspection::inspect))
        } catch (newer: UnsupportedManifest) {
            Verdict.Unsupported(save.number, save.path, newer)
        } catch (refused: CheckpointException) {
            Verdict.Rejected(save.number, save.path, refused.message.toString())
        } catch (damaged: SionException) {
            Verdict.Rejected(save.number, save.path, damaged.message.toString())
        } catch (unreadable: IOException) {
            Verdict.Rejected(save.number, save.path, unreadable.sentence())
        }

    /**
     * Takes the right to write, for [owner], until the result is closed. Makes the directory if there is none yet.
     *
     * @throws CheckpointException.StoreInUse when another program writes here, or may do so
     * @throws CheckpointException.StoreUnusable when there can be no such directory
     */
    fun own(
        owner: Owner,
        clock: Clock,
        takeover: Takeover = Takeover.IfDead(),
    ): OwnedStore {
        makeDirectory()
        return OwnedStore(files, this, StoreLock.take(files, directory, owner, clock, takeover))
    }

    private fun makeDirectory() {
        val parent = directory.parent ?: Path.of("")
        try {
            if (!files.exists(directory)) files.makeDirectory(directory)
            // Also where it exists already: whoever made it may have been killed before it got that far.
            files.forceDirectory(parent)
            files.list(directory)
        } catch (missing: NoSuchFileException) {
            throw StoreUnusable(directory, "the directory $parent does not exist, in which it is to be made")
        } catch (denied: AccessDeniedException) {
            throw StoreUnusable(directory, "permission is denied")
        } catch (other: NotDirectoryException) {
            throw StoreUnusable(directory, "it is a file, and no directory")
        }
    }

    /**
     * Reads the manifest of a save, and no more of it.
     *
     * @throws CheckpointException when it is damaged, or another save's
     */
    fun read(save: Entry.Save): Candidate {
        val file = save.path.resolve(SaveNames.MANIFEST)
        val stored = ManifestFormat.read(files, file)
        if (stored.manifest.save != save.number) throw MisplacedSave(file, save.number, stored.manifest.save)
        return Candidate(save.number, save.path, stored, save.isPinned)
    }

    private fun Survey.olderThan(entry: Entry.Numbered) = saves.filter { it.number < entry.number }

    private fun noteOn(entry: Entry): String? =
        when (entry) {
            is Entry.Save, is Entry.Unreadable -> null
            is Entry.Unfinished -> "${entry.path}: no checkpoint, the save has not finished" + because(entry.failure)
            is Entry.Foreign -> "${entry.path}: no checkpoint, left alone"
        }

    private fun because(failure: String?) = if (failure == null) "" else ": $failure"
}
