package dev.cairn.store

import dev.cairn.disk.deleteIfThere
import dev.cairn.disk.replace
import dev.cairn.disk.writeNew
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import java.io.Closeable
import java.lang.System.Logger.Level.WARNING
import java.nio.file.Path

/**
 * The right to write into a store, from [CheckpointStore.own] until it is closed. Every change first makes sure that
 * the store was not taken over, and fails with [dev.cairn.failure.CheckpointException.StoreTakenOver] if it was.
 *
 * One save is under way at a time. One rank calls it; [heartbeat] may be called from any thread.
 */
internal class OwnedStore(
    private val files: BlockStore,
    val store: CheckpointStore,
    private val lock: StoreLock,
) : Closeable {
    private val cleaner = Cleaner(files, store.directory)
    private var newest: SaveDirectory? = null

    /** From whom the store was taken over, in one line for people; null if it had no owner. */
    val takeover: String? get() = lock.takeover

    /** Tells this owner from any other. */
    val identity: String get() = lock.identity

    /** The owner from which the store was taken and that may still hold the program's files open, if there is one. */
    val displaced: DisplacedOwner get() = DisplacedOwner(files, store.directory)

    /** Fails with [dev.cairn.failure.CheckpointException.StoreTakenOver] when another program has taken the store over. */
    fun requireHeld() = lock.requireHeld()

    /** Says that this program lives. Call it more often than others wait before they take over; see [Takeover.IfDead]. */
    fun heartbeat() = lock.heartbeat()

    /**
     * Begins a save with a number that no save had before, and clears away what earlier ones left unfinished. The program comes
     * from the save [parent], which need not be here any more.
     */
    fun begin(parent: Int? = null): SaveDirectory {
        val survey = surveyQuietly()
        val highest = maxOf(survey.highestNumber, parent ?: 0)
        if (highest > survey.highestNumber) tellOfLoss(highest, survey.highestNumber)
        val number = Math.addExact(highest, 1)
        val path = store.directory.resolve(SaveNames.directory(number))
        files.makeDirectory(path)
        files.create(path.resolve(SaveNames.NEW_MANIFEST)).close()
        files.forceDirectory(path)
        files.forceDirectory(store.directory)
        val cleanup = cleaner.remove(store.leftovers(survey), number)
        return SaveDirectory(files, lock, cleaner, number, path, cleanup).also { newest = it }
    }

    private fun tellOfLoss(
        expected: Int,
        highest: Int,
    ) = LOG.log(
        WARNING,
        "${store.directory}: the newest save should be $expected, which this program has made or restored, but the " +
            "highest number is $highest: saves were deleted, or an older copy of the directory was put in its place. " +
            "The program goes on with save ${expected + 1}.",
    )

    /**
     * Deletes the checkpoints that need not stay, and what was left unfinished. Nothing goes before [inspection] has found
     * good, once more, those that it goes for. These are checkpoints of [present], the history of the program, or if that has
     * none yet, of the newest good one: those of another branch replace none of them.
     */
    fun retain(
        retention: Retention,
        inspection: Inspection,
        present: Lineage? = null,
    ): Cleanup {
        val survey = surveyQuietly()
        return cleaner.remove(
            store.leftovers(survey) + outdated(survey, retention, inspection, present),
            survey.highestNumber,
        )
    }

    /** As [retain], but lets what was left unfinished lie: the next save clears it away. */
    fun free(
        retention: Retention,
        inspection: Inspection,
        present: Lineage,
    ): Cleanup {
        val survey = surveyQuietly()
        return cleaner.remove(outdated(survey, retention, inspection, present), survey.highestNumber)
    }

    private fun outdated(
        survey: Survey,
        retention: Retention,
        inspection: Inspection,
        present: Lineage?,
    ): List<Entry.Save> {
        var lineage = present?.takeIf { it.parent != null }
        val plan =
            retention.plan(survey.saves) { save ->
                val manifest = (store.judge(save, inspection) as? Verdict.Accepted)?.candidate?.manifest
                if (manifest != null) lineage = lineage ?: manifest.lineage
                manifest != null && lineage.let { it != null && manifest in it }
            }
        // They can be seen, but whoever committed them may have been killed before that was durable.
        plan.reliable.forEach { files.forceDirectory(it.path) }
        return plan.outdated
    }

    /** Deletes one save because a person wants it. */
    fun remove(save: Entry.Numbered): Cleanup {
        require(save !is Entry.Save || !save.isPinned) {
            "${save.path}: this checkpoint is pinned: unpin it before it is deleted"
        }
        return cleaner.remove(listOf(save), surveyQuietly().highestNumber)
    }

    /** Keeps a save from being deleted until it is unpinned. A person may as well make the file `pinned` by hand. */
    fun pin(save: Entry.Save) {
        lock.requireHeld()
        if (save.isPinned) return
        files.writeNew(save.path.resolve(SaveNames.PIN), byteArrayOf())
        files.forceDirectory(save.path)
    }

    /** Lets a save go its way. */
    fun unpin(save: Entry.Save) {
        lock.requireHeld()
        if (files.deleteIfThere(save.path.resolve(SaveNames.PIN))) files.forceDirectory(save.path)
    }

    /**
     * Gives a checkpoint a manifest with other [hints], after its data were rewritten, or after the manifest was lost. In
     * one step: whoever looks finds the old manifest, if there was one, or the new one, and both describe the same state.
     */
    fun rebind(
        candidate: Candidate,
        hints: DataHints,
    ): StoredManifest {
        forceData(candidate.path)
        val file = candidate.path.resolve(SaveNames.MANIFEST)
        val bytes = ManifestFormat.encode(candidate.manifest.copy(hints = hints))
        val stored = ManifestFormat.decode(file, bytes)
        files.replace(file, candidate.path.resolve(SaveNames.REBOUND_MANIFEST), bytes, lock::requireHeld)
        // A mark of a save that was never committed, or half deleted, says nothing any more.
        files.deleteIfThere(candidate.path.resolve(SaveNames.NEW_MANIFEST))
        return stored
    }

    /** A copy that was made by hand need not be on the disk yet. */
    private fun forceData(save: Path) {
        val data = files.list(save).filter { SaveNames.isData(it.name) }
        data.forEach { file -> files.open(file, Access.READ_WRITE).use { it.force() } }
        files.forceDirectory(save)
    }

    /** Gives the store back. Another program on any host may own it at once. */
    override fun close() = lock.close()

    /**
     * What lies here, and no save is under way in it. The look at the owner comes after the survey: so nothing that a successor
     * makes is taken for a leftover of ours, even if this program stops right now and goes on when the successor is at work.
     */
    private fun surveyQuietly(): Survey {
        newest?.let { check(!it.isUnderWay) { "${it.path}: this save is still under way: commit or abandon it first" } }
        return store.survey().also { lock.requireHeld() }
    }

    private companion object {
        val LOG: System.Logger = System.getLogger(OwnedStore::class.java.name)
    }
}
