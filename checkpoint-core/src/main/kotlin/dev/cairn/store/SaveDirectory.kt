package dev.cairn.store

import dev.cairn.sion.store.BlockStore
import java.io.IOException
import java.lang.System.Logger.Level.WARNING
import java.nio.file.Path

/**
 * A save under way: a directory of its own, into which all ranks write their data. It ends with [commit] or [abandon];
 * until then, and after a crash, it is no checkpoint.
 *
 * One rank calls it.
 */
internal class SaveDirectory(
    private val files: BlockStore,
    private val lock: StoreLock,
    private val cleaner: Cleaner,
    /** Gets the manifest of the save, by its number, when it is durable. */
    private val durable: MutableMap<Int, StoredManifest>,
    val number: Int,
    val path: Path,
    /** The result of the cleanup of unfinished saves. */
    val cleanup: Cleanup = Cleanup.NOTHING,
    /** The earlier saves that are sealed, and not committed. */
    val sealedBefore: List<Int> = emptyList(),
    isSealed: Boolean = false,
) {
    private enum class Stage {
        UNDER_WAY,

        /** Sealed, and not to be committed by this program. */
        LEFT,
        ENDED,
    }

    @Volatile private var stage = Stage.UNDER_WAY

    val isUnderWay: Boolean get() = stage == Stage.UNDER_WAY

    /** Whether it is committed or abandoned. */
    val hasEnded: Boolean get() = stage == Stage.ENDED

    /** Whether a restart can complete the save from the disks of its hosts. */
    @Volatile var isSealed: Boolean = isSealed
        private set

    /** Whether another program may have completed it, after a takeover. */
    private var mayBeCompleted = isSealed

    /** Whether a commit that failed may have left a manifest, so that the save is a checkpoint all the same. */
    @Volatile var mayBeCheckpoint: Boolean = false
        private set

    private val manifest = path.resolve(SaveNames.MANIFEST)

    /** The multifile for the data. */
    val data: Path = path.resolve(SaveNames.DATA)

    /**
     * Notes, durably, that the data are complete and forced on the hosts, so that a restart can drain and commit them. That is no
     * commit. The [places] say where; from their note on, another program may complete the save if this one is killed.
     */
    fun seal(manifest: Manifest, places: List<HostPlace>) {
        requireUnderWay()
        lock.requireHeld()
        mayBeCompleted = true
        files.writeNew(path.resolve(SaveNames.HOSTS), SealedPlaces.noteOf(places))
        files.forceDirectory(path)
        val seal = path.resolve(SaveNames.SEAL)
        files.replace(seal, path.resolve(SaveNames.NEW_SEAL), ManifestFormat.encode(manifest), lock::requireHeld)
        isSealed = true
    }

    /** Ends a save that is sealed and cannot be committed now. */
    fun leaveSealed() {
        check(isSealed) { "$path: this save is not sealed" }
        stage = Stage.LEFT
    }

    /** Goes on with a sealed save, also after [leaveSealed]. */
    fun goOnSealed() {
        check(isSealed) { "$path: this save is not sealed" }
        stage = Stage.UNDER_WAY
    }

    /**
     * Makes a checkpoint of it, durably. Every host must have forced the data that it wrote, and the directory if it
     * created files there. When this fails the save is still under way: abandon it, or leave it if it is sealed.
     *
     * The last check of the owner and the rename cannot be made atomic. An owner that stops just between the two, is
     * taken over and wakes up, adds one old, whole checkpoint; the numbers of its successor are higher.
     *
     * @param stored its bytes are kept: a newer version may have sealed it, with fields that this one does not know
     */
    fun commit(stored: StoredManifest) {
        requireUnderWay()
        val save = stored.manifest.save
        require(save == number) { "the manifest of save $number cannot be that of $save" }
        lock.requireHeld()
        // An earlier program may have drained files into it, and been killed before their names were durable.
        if (isSealed) files.forceDirectory(path)
        val prepared = path.resolve(SaveNames.NEW_MANIFEST)
        files.fillAndRename(manifest, prepared, stored.toBytes()) {
            lock.requireHeld()
            mayBeCheckpoint = true
        }
        durable[number] = stored
        stage = Stage.ENDED
        if (isSealed) deleteSeal()
        isSealed = false
    }

    /** The commit has made it obsolete, and stands whether it can be deleted or not. */
    private fun deleteSeal() {
        try {
            listOf(SaveNames.SEAL, SaveNames.HOSTS).forEach { files.deleteIfThere(path.resolve(it)) }
        } catch (failure: IOException) {
            LOG.log(
                WARNING,
                "$path: the seal of this committed save could not be deleted; it goes with the save",
                failure,
            )
        }
    }

    /**
     * Abandons the save: deletes the data, so that the next save has their space, and leaves a note of the [reason].
     * A sealed save that was [left][leaveSealed] may be abandoned later.
     *
     * No other program writes into the directory of a save before it is sealed, so it may be deleted even after a takeover. A new owner
     * may have completed a sealed save under the same number, or may have restored one whose commit failed when it had its manifest, so
     * such a directory is deleted by the owner of the store only. A sealed save with a manifest stays, and expires as checkpoints do.
     */
    fun abandon(reason: String) {
        if (stage != Stage.LEFT) requireUnderWay()
        if (isSealed) lock.requireHeld()
        val isCheckpoint = isSealed && files.exists(manifest)
        // A save that is not sealed has ended even if its directory cannot be deleted now.
        stage = Stage.ENDED
        isSealed = false
        if (isCheckpoint) return files.forceDirectory(path)
        if (mayBeCompleted || mayBeCheckpoint) lock.requireHeld()
        if (!files.exists(path)) return lock.requireHeld()
        cleaner.empty(path).forEach { _ -> }
        files.writeNew(path.resolve(SaveNames.FAILURE), reason.take(LONGEST_REASON).encodeToByteArray())
        files.forceDirectory(path)
    }

    private fun requireUnderWay() = check(isUnderWay) { "$path: this save has ended already; begin another one" }

    private companion object {
        const val LONGEST_REASON = 4000
        val LOG: System.Logger = System.getLogger(SaveDirectory::class.java.name)
    }
}
