package dev.cairn.store

import dev.cairn.disk.deleteIfThere
import dev.cairn.disk.replace
import dev.cairn.failure.CheckpointException.StoreInUse
import dev.cairn.failure.CheckpointException.StoreTakenOver
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.io.Closeable
import java.nio.file.FileAlreadyExistsException
import java.nio.file.Path
import java.time.Clock

/**
 * The right to write into a store. The operating system's lock on the file `lock` keeps others off wherever it reaches; the
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
    /** From whom the store was taken over, for people; null if it had no owner. */
    val takeover: String?,
) : Closeable {
    private var isClosed = false

    val identity: String get() = note.owner.identity

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
        if (!isOwn(found)) throw StoreTakenOver(noteFile.path, note.owner.toString(), lossOf(found))
    }

    private fun lossOf(found: OwnerNote): String =
        when {
            found !is OwnerNote.Nobody -> {
                "belongs to $found: it was taken over meanwhile. This program can save nothing here any more: end " +
                    "it, and go on with the other one."
            }

            noteFile.isDirectoryThere -> {
                "belongs to nobody: it was taken over by a program that has ended since, or the note was deleted. " +
                    "This program can save nothing here any more: start it again."
            }

            else -> {
                "the directory is not there any more: it was moved away or deleted. This program can save nothing " +
                    "here any more: put the directory back, and start the program again."
            }
        }

    @Synchronized
    override fun close() {
        if (isClosed) return
        isClosed = true
        locked.use { note.use { if (isOwn(noteFile.read())) noteFile.clear() } }
    }

    private fun isOwn(found: OwnerNote) = found is OwnerNote.Known && found.owner.identity == note.owner.identity

    companion object {
        /** Takes the store in [directory] for [owner], or says who has it. */
        fun take(
            files: BlockStore,
            directory: Path,
            owner: Owner,
            clock: Clock,
            takeover: Takeover,
        ): StoreLock {
            val lockFile = LockFile(files, directory)
            val locked = lockFile.open()
            return locked.closedOnFailure {
                val isFree = locked.tryLock()
                val noteFile = OwnerFile(files, directory)
                // Read when it is known who has the lock, so that it cannot be that of an owner before.
                val found = noteFile.read()
                val now = clock.instant()
                val claim = if (isFree) takeover.claim(found, owner.host, now) else takeover.claimHeld(found)
                if (claim is Claim.Refused) throw StoreInUse(lockFile.path, found.toString(), claim.advice)
                removeUnused(files, directory)
                // Before the note: from then on the former owner is fenced, and its successor must know of it.
                if (claim is Claim.Displacing) DisplacedOwner(files, directory).remember()
                val note = noteFile.place(owner)
                val own = if (isFree) locked else note.closedOnFailure { locked.use { lockFile.replace(owner) } }
                StoreLock(own, noteFile, note, clock, claim.explanation())
            }
        }

        private fun Claim.explanation(): String? =
            when (this) {
                is Claim.Inherited -> explanation
                is Claim.Displacing -> explanation
                is Claim.Free, is Claim.Refused -> null
            }

        /** Removes what owners that died left half-prepared. */
        private fun removeUnused(
            files: BlockStore,
            directory: Path,
        ) = files.list(directory).filter { SaveNames.isPrepared(it.name) }.forEach { files.deleteIfThere(it) }
    }
}

/** The file that the operating system locks. */
internal class LockFile(
    private val files: BlockStore,
    directory: Path,
) {
    val path: Path = directory.resolve(SaveNames.LOCK)

    fun open(): BlockFile =
        try {
            files.create(path)
        } catch (_: FileAlreadyExistsException) {
            files.open(path, Access.READ_WRITE)
        }

    /**
     * Puts another file, locked by [owner], in place of one that somebody else keeps locked. That one has a lock on a file
     * without a name from now on, which keeps nobody off; it is fenced by the note, which comes first.
     */
    fun replace(owner: Owner): BlockFile {
        val prepared = path.resolveSibling(SaveNames.newLock(owner.identity))
        val file = files.create(prepared)
        return file.closedOnFailure {
            check(file.tryLock()) { "$prepared: somebody has locked a file that was made just now" }
            files.rename(prepared, path)
            file
        }
    }
}

private inline fun <T> AutoCloseable.closedOnFailure(body: () -> T): T =
    try {
        body()
    } catch (failure: Throwable) {
        use { throw failure }
    }
