package dev.cairn.store

import dev.cairn.event.CheckpointException.InUse
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import java.io.Closeable
import java.io.IOException
import java.lang.System.Logger.Level.WARNING
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap

/**
 * The right to write into a store, from [CheckpointStore.own] until it is closed. Every change first makes sure that
 * the store was not taken over, and fails with [InUse] if it was.
 *
 * One save is written at a time, while those before it may be sealed and drained. One rank calls it, and its worker may take the steps
 * of [retain] meanwhile; [heartbeat] may be called from any thread.
 */
internal class OwnedStore(private val files: BlockStore, val store: CheckpointStore, private val lock: StoreLock) :
    Closeable {
    private val cleaner = Cleaner(files, store.directory)

    /** The saves that have not ended, and perhaps others that have. */
    @Volatile private var begun = emptyList<SaveDirectory>()

    /** The saves that [retain] deletes or has deleted, as long as they may be there: [begin] leaves their remains to it. */
    private val expired: MutableSet<Int> = ConcurrentHashMap.newKeySet()

    /** The manifests that this program has made durable, by the numbers of their saves. */
    private val durable: MutableMap<Int, StoredManifest> = ConcurrentHashMap()

    /** Whether the store had recorded outputs that are kept for saves, when this owner last looked. */
    @Volatile var hasKeptOutputs = false
        private set

    /** The former owner of a store that was taken over, in one line for people; null if it had none. */
    val takeover: String? get() = lock.takeover

    /** The unique identity of this owner. */
    val identity: String get() = lock.identity

    /** The owner from which the store was taken and that may still hold the program's files open, if there is one. */
    val displaced: DisplacedOwner get() = DisplacedOwner(files, store.directory)

    /** The identity under which hosts keep saves of this store; made when it is first asked for. */
    fun identityOnHosts(): String {
        lock.requireHeld()
        HostIdentity.read(files, store.directory)?.let { return it }
        val prepared = store.directory.resolve(SaveNames.NEW_IDENTITY)
        val identity = HostIdentity.random()
        val file = store.directory.resolve(SaveNames.IDENTITY)
        files.replace(file, prepared, identity.encodeToByteArray(), lock::requireHeld)
        return identity
    }

    /** Fails with [InUse] when another program has taken the store over. */
    fun requireHeld() = lock.requireHeld()

    /** Fails when the directory is seen to be another one: no file may be written there. */
    fun requireInPlace() = lock.requireInPlace()

    /** The failure of [requireHeld]; null while the store is held, or if its owner cannot be read now. */
    val loss: InUse?
        get() =
            try {
                requireHeld()
                null
            } catch (loss: InUse) {
                loss
            } catch (_: IOException) {
                null
            }

    /** Whether another program is known to have the store; a directory that has replaced it is no such store. */
    val isTakenOver: Boolean
        get() =
            try {
                loss != null && lock.isLocked
            } catch (_: IOException) {
                false
            }

    /** Writes a heartbeat. Call it more often than others wait before they take over; see [Takeover.IfDead]. */
    fun heartbeat() = lock.heartbeat()

    /**
     * Begins a save with a new number, and deletes the remains of unfinished saves, but for those that [retain] deletes. The program
     * continues from the save [parent], which may have been deleted.
     */
    fun begin(parent: Int? = null): SaveDirectory {
        begun.forEach {
            check(
                !it.isUnderWay || it.isSealed,
            ) { "${it.path}: this save is still under way: commit or abandon it first" }
        }
        val survey = survey()
        val highest = maxOf(survey.highestNumber, parent ?: 0)
        if (highest > survey.highestNumber) tellOfLoss(highest, survey.highestNumber)
        val number = Math.addExact(highest, 1)
        val path = store.directory.resolve(SaveNames.directory(number))
        files.makeDirectory(path)
        files.create(path.resolve(SaveNames.NEW_MANIFEST)).close()
        files.forceDirectory(path)
        files.forceDirectory(store.directory)
        val cleanup = steps(remains(survey), number).total()
        val present = survey.numbered.map { it.number }.toSet()
        expired.retainAll(present)
        durable.keys.retainAll(present)
        return SaveDirectory(files, lock, cleaner, durable, number, path, cleanup, survey.sealedNumbers).also(::add)
    }

    /** Goes on with a sealed save, which another run or this one has begun. A save has one [SaveDirectory] here at a time. */
    fun resume(save: Entry.Sealed): SaveDirectory {
        lock.requireHeld()
        val mark = save.path.resolve(SaveNames.NEW_MANIFEST)
        if (files.exists(mark)) files.open(mark, Access.READ_WRITE).use { it.resize(0) } else files.create(mark).close()
        begun.find { !it.hasEnded && it.number == save.number }?.let { return it.apply { goOnSealed() } }
        return SaveDirectory(files, lock, cleaner, durable, save.number, save.path, isSealed = true).also(::add)
    }

    /** Gives a sealed save its seal again, from a copy of its [manifest] on a host. */
    fun reseal(save: Entry.Sealed, manifest: StoredManifest) {
        val prepared = save.path.resolve(SaveNames.NEW_SEAL)
        files.replace(save.path.resolve(SaveNames.SEAL), prepared, manifest.toBytes(), lock::requireHeld)
    }

    private fun tellOfLoss(expected: Int, highest: Int) =
        LOG.log(
            WARNING,
            "${store.directory}: the newest save should be $expected, which this program has made or restored, but " +
                "the highest number is $highest: saves were deleted, or the directory was replaced by an older copy. " +
                "The program continues with save ${expected + 1}.",
        )

    /**
     * Deletes expired checkpoints, and what an earlier call has left of them. A checkpoint is deleted only after [inspection] has
     * verified once more the ones that replace it. These are checkpoints of [present], the history of the program, or if that
     * has none yet, of the newest good one: those of another branch do not count.
     *
     * Each element that is taken of the result is a small step, before which the owner is checked.
     */
    fun retain(retention: Retention, inspection: Inspection, present: Lineage? = null): Sequence<Cleanup> =
        sequence {
            val survey = survey()
            val left = (survey.unfinished + survey.deleted).filter { it.number in expired }
            val saves = left + outdated(survey, retention, inspection, present)
            expired += saves.map { it.number }
            yield(Cleanup.NOTHING)
            yieldAll(steps(saves, survey.highestNumber))
        }

    private fun outdated(
        survey: Survey,
        retention: Retention,
        inspection: Inspection,
        present: Lineage?,
    ): List<Entry.Numbered> {
        var lineage = present?.takeIf { it.parent != null }
        val good = HashMap<Int, StoredManifest>()
        val plan =
            retention.plan(survey.saves) { save ->
                val verdict = store.judge(save, durable[save.number], inspection)
                val stored = (verdict as? Verdict.Accepted)?.candidate?.stored ?: return@plan false
                good[save.number] = stored
                val newest = lineage ?: stored.manifest.lineage.also { lineage = it }
                stored.manifest in newest
            }
        // They are visible, but the program that committed them may have been killed before the commit was durable.
        plan.reliable.filterNot { it.number in durable }.forEach {
            files.forceDirectory(it.path)
            durable[it.number] = good.getValue(it.number)
        }
        return plan.outdated + survey.sealed.filter { plan.isOlder(it) && !isOpen(it) }
    }

    /** Deletes the remains of unfinished saves, as [begin] does, in small steps. */
    fun clear(): Sequence<Cleanup> =
        sequence {
            val survey = survey()
            yieldAll(steps(remains(survey), survey.highestNumber).map { it.copy(removed = emptyList()) })
        }

    /** The deletion of [saves], as long as the store is held. */
    private fun steps(saves: List<Entry.Numbered>, highestNumber: Int): Sequence<Cleanup> =
        sequence {
            val steps = cleaner.remove(saves, highestNumber).iterator()
            while (true) {
                lock.requireHeld()
                if (!steps.hasNext()) break
                yield(steps.next())
            }
        }

    /** The remains of unfinished saves, but for those that [retain] deletes. */
    private fun remains(survey: Survey) = store.leftovers(survey).filterNot { isOpen(it) || it.number in expired }

    /** All that is a checkpoint, or may become one again: `cairn recover` may take a save back whose deletion has begun. */
    fun present(): List<Entry.Numbered> =
        survey().numbered.filterNot { it is Entry.Deleted || (it is Entry.Unfinished && isOpen(it)) }

    /** Whether this program has begun [save], and will commit or abandon it. */
    private fun isOpen(save: Entry.Numbered) = begun.any { !it.hasEnded && it.number == save.number }

    private fun add(save: SaveDirectory) {
        begun = begun.filterNot { it.hasEnded } + save
    }

    /** Deletes one save on the user's request. */
    fun remove(save: Entry.Numbered): Cleanup {
        require(!save.isPinned) { "${save.path}: this checkpoint is pinned: unpin it first" }
        return steps(listOf(save), survey().highestNumber).total()
    }

    /** Keeps a save from being deleted until it is unpinned. A user may also create the file `pinned` by hand. */
    fun pin(save: Entry.Save) {
        lock.requireHeld()
        if (save.isPinned) return
        files.writeNew(save.path.resolve(SaveNames.PIN), byteArrayOf())
        files.forceDirectory(save.path)
    }

    /** Ends the protection of a save. */
    fun unpin(save: Entry.Save) {
        lock.requireHeld()
        if (files.deleteIfThere(save.path.resolve(SaveNames.PIN))) files.forceDirectory(save.path)
    }

    /**
     * Gives a checkpoint a manifest with other [hints], after its data were rewritten, or after the manifest was lost.
     * The replacement is atomic: readers find the old manifest, if there was one, or the new one, and both describe the
     * same state. Fields of a newer version of the format stay.
     */
    fun rebind(candidate: Candidate, hints: DataHints): StoredManifest {
        forceData(candidate.path)
        val file = candidate.path.resolve(SaveNames.MANIFEST)
        val bytes = ManifestFormat.withHints(candidate.stored, hints)
        val stored = ManifestFormat.decode(file, bytes)
        files.replace(file, candidate.path.resolve(SaveNames.REBOUND_MANIFEST), bytes, lock::requireHeld)
        // The mark of an uncommitted or half deleted save is obsolete.
        files.deleteIfThere(candidate.path.resolve(SaveNames.NEW_MANIFEST))
        return stored
    }

    /** A copy that was made by hand need not be on the disk yet. */
    private fun forceData(save: Path) {
        val data = files.list(save).filter { SaveNames.isData(it.name) }
        data.forEach { file -> files.open(file, Access.READ_WRITE).use { it.force() } }
        files.forceDirectory(save)
    }

    /** Releases the store. Another program on any host may own it at once. */
    override fun close() = lock.close()

    /**
     * The owner is checked after the survey: so files of a successor are not taken for our own remains, even if this program is stopped
     * right now and continues while the successor runs.
     */
    private fun survey(): Survey =
        store.survey().also {
            lock.requireHeld()
            hasKeptOutputs = it.hasKeptOutputs
        }

    private companion object {
        val LOG: System.Logger = System.getLogger(OwnedStore::class.java.name)
    }
}
