package dev.cairn.store

import dev.cairn.CheckpointException.StoreInUse
import dev.cairn.CheckpointException.StoreTakenOver
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.io.Closeable
import java.nio.file.FileAlreadyExistsException
import java.nio.file.Path
import java.time.Clock

/**
 * The right to write into a store. The operating system's lock on the file `lock` is the truth wherever it reaches; the
 * note in `owner.json` tells people who holds it, and fences: an owner that slept through a takeover finds another
 * identity there.
 *
 * It owns the locked file until it is closed, and closing it gives the store back. Any thread may call it.
 */
internal class StoreLock private constructor(
    private val locked: BlockFile,
    private val noteFile: OwnerFile,
    private val note: PlacedNote,
    private val clock: Clock,
    /** From whom the store was taken over, for people; null if there was nobody. */
    val takeover: String?,
) : Closeable {
    private var isClosed = false

    /** Says that this program lives; a store whose owner is silent may be taken over. */
    @Synchronized
    fun heartbeat() {
        requireHeld()
        note.beat(clock.instant())
    }

    /** Fails when another program has taken the store over. */
    @Synchronized
    fun requireHeld() {
        check(!isClosed) { "${noteFile.path}: the store was given back already; own it again to write into it" }
        val found = noteFile.read()
        if (!isOwn(found)) throw StoreTakenOver(noteFile.path, note.owner.toString(), found.toString())
    }

    @Synchronized
    override fun close() {
        if (isClosed) return
        isClosed = true
        locked.use { note.use { if (isOwn(noteFile.read())) noteFile.clear() } }
    }

    private fun isOwn(found: OwnerNote) = found is OwnerNote.Known && found.owner.identity == note.owner.identity

    companion object {
        private val HELD = Claim.Refused("Wait until it has ended, or use another directory.")

        /** Takes the lock of the store in [directory] for [owner], or says who has it. */
        fun take(
            files: BlockStore,
            directory: Path,
            owner: Owner,
            clock: Clock,
            takeover: Takeover,
        ): StoreLock {
            val locked = files.openOrCreate(directory.resolve(SaveNames.LOCK))
            try {
                val noteFile = OwnerFile(files, directory)
                val claim = decide(locked, noteFile, owner, clock, takeover)
                noteFile.removeUnused()
                val note = noteFile.place(owner)
                return StoreLock(locked, noteFile, note, clock, (claim as? Claim.Inherited)?.explanation)
            } catch (failure: Throwable) {
                locked.use { throw failure }
            }
        }

        /** The note is read when it is known who has the lock, so that it cannot be that of an owner before. */
        private fun decide(
            locked: BlockFile,
            noteFile: OwnerFile,
            owner: Owner,
            clock: Clock,
            takeover: Takeover,
        ): Claim {
            val isOurs = locked.tryLock()
            val found = noteFile.read()
            val claim = if (isOurs) takeover.claim(found, owner.host, clock.instant()) else HELD
            if (claim is Claim.Refused) throw StoreInUse(locked.path(), found.toString(), claim.advice)
            return claim
        }

        private fun BlockStore.openOrCreate(file: Path): BlockFile =
            try {
                create(file)
            } catch (_: FileAlreadyExistsException) {
                open(file, Access.READ_WRITE)
            }
    }
}
