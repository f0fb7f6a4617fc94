package dev.cairn.store

import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InUse
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.io.Closeable
import java.nio.file.FileAlreadyExistsException
import java.nio.file.FileSystemException
import java.nio.file.Path
import java.time.Clock

/**
 * The right to write into a store. The operating system's lock on the file `lock` excludes other programs wherever it
 * reaches; the note in `owner.json` names the owner, and fences: an owner that slept through a takeover finds another
 * identity there.
 *
 * It owns the locked file until it is closed, and closing it releases the store. Any thread may call it.
 */
internal class StoreLock private constructor(
    private val locked: BlockFile,
    private val lockFile: LockFile,
    private val noteFile: OwnerFile,
    private val note: PlacedNote,
    private val clock: Clock,
    /** The former owner of a store that was taken over, for people; null if it had none. */
    val takeover: String?,
) : Closeable {
    private var isClosed = false

    val identity: String get() = note.owner.identity

    /** Whether the directory has a lock: one that has replaced it has none. */
    val isLocked: Boolean get() = lockFile.exists

    /** Writes a heartbeat; a store whose owner is silent may be taken over. */
    @Synchronized
    fun heartbeat() {
        requireHeld()
        note.beat(clock.instant())
    }

    /** Fails when another program has taken the store over. */
    @Synchronized
    fun requireHeld() {
        check(!isClosed) { "${noteFile.path}: the store was released already; own it again to write into it" }
        val found = noteFile.read()
        if (isOwn(found)) return
        val (path, owner) = noteFile.path to note.owner
        throw InUse(
            Details(
                "$path: the store should belong to $owner, but ${lossOf(found)}",
                path = path,
                reason = Reason.TAKEN_OVER,
            ),
        )
    }

    /**
     * Fails when the directory is another one. That can be seen if it has neither this owner's note nor a lock: a successor that
     * has ended leaves the lock.
     */
    @Synchronized
    fun requireInPlace() {
        if (isLocked || isOwn(noteFile.read())) return
        throw FileSystemException(
            "${lockFile.path}",
            null,
            "it is not there, since the directory was moved away or replaced",
        )
    }

    private fun lossOf(found: OwnerNote): String =
        when {
            found !is OwnerNote.None -> {
                "belongs to $found: it was taken over meanwhile. This program can no longer save here: end it, and " +
                    "continue with the other one."
            }

            noteFile.isDirectoryThere && !isLocked -> {
                "has no owner and no lock: the directory was replaced by another one, or its files were deleted. " +
                    "This program can no longer save here: put the directory back, and start the program again."
            }

            noteFile.isDirectoryThere -> {
                "has no owner: it was taken over by a program that has ended since, or the note was deleted. This " +
                    "program can no longer save here: start it again."
            }

            else -> {
                "the directory no longer exists: it was moved away or deleted. This program can no longer save " +
                    "here: put the directory back, and start the program again."
            }
        }

    @Synchronized
    override fun close() {
        if (isClosed) return
        isClosed = true
        OpenedHere.remove(identity)
        locked.use { note.use { if (isOwn(noteFile.read())) noteFile.clear() } }
    }

    private fun isOwn(found: OwnerNote) = found is OwnerNote.Known && found.owner.identity == note.owner.identity

    companion object {
        /** Takes the store in [directory] for [owner], or throws an exception that names its owner. */
        fun take(
            files: BlockStore,
            directory: Path,
            owner: Owner,
            clock: Clock,
            takeover: Takeover,
            line: String,
        ): StoreLock {
            val lockFile = LockFile(files, directory)
            val locked = lockFile.open()
            return locked.closedOnFailure {
                val isFree = locked.tryLock()
                val noteFile = OwnerFile(files, directory)
                // Read after the lock attempt, so that it cannot be the note of an earlier owner.
                val found = noteFile.read()
                val claim =
                    if (isFree) {
                        takeover.claim(found, owner.host, watched(files, directory, found, noteFile::read))
                    } else {
                        takeover.claimHeld(found)
                    }
                if (claim is Claim.Refused) throw refusal(lockFile.path, found, claim)
                removeUnused(files, directory)
                // Before the note: from then on the former owner is fenced, and its successor must know of it.
                if (claim is Claim.Displacing) DisplacedOwner(files, directory).remember()
                val note = noteFile.place(owner)
                val own = if (isFree) locked else note.closedOnFailure { locked.use { lockFile.replace(owner) } }
                StoreLock(
                    own,
                    lockFile,
                    noteFile,
                    note,
                    clock,
                    claim.explanation(),
                ).also { OpenedHere.add(owner.identity, line) }
            }
        }

        private fun refusal(lock: Path, found: OwnerNote, claim: Claim.Refused): InUse {
            val owner = (found as? OwnerNote.Known)?.owner
            val line = owner?.takeIf { it.isHere }?.let { OpenedHere.lineOf(it.identity) }
            // Its lock comes before its note.
            val isBeginning = found is OwnerNote.None
            val holder = if (isBeginning) "a program that is just beginning, and has left no note yet" else "$found"
            val text =
                if (line == null) {
                    "it belongs to $holder. ${claim.advice}"
                } else {
                    "this program itself has opened it, in $line, and not closed it yet. Close it before it is " +
                        "opened again, or use another directory."
                }
            return InUse(Details("$lock: the store is in use: $text", path = lock))
        }

        /** As [look]; says the first time that this program waits, and for what. */
        private fun watched(
            files: BlockStore,
            directory: Path,
            found: OwnerNote,
            look: () -> OwnerNote,
        ): () -> OwnerNote {
            var isTold = false
            return {
                if (!isTold) LOG.inform(files, "$directory belongs to $found: waiting for a sign of life from there")
                isTold = true
                look()
            }
        }

        private val LOG: System.Logger = System.getLogger(StoreLock::class.java.name)

        private fun Claim.explanation(): String? =
            when (this) {
                is Claim.Inherited -> explanation
                is Claim.Displacing -> explanation
                is Claim.Free, is Claim.Refused -> null
            }

        /** Removes half-prepared files of owners that died. */
        private fun removeUnused(files: BlockStore, directory: Path) =
            files.list(directory).filter { SaveNames.isPrepared(it.name) }.forEach { files.deleteIfThere(it) }
    }
}

/** The file that the operating system locks. */
internal class LockFile(private val files: BlockStore, directory: Path) {
    val path: Path = directory.resolve(SaveNames.LOCK)

    val exists: Boolean get() = files.exists(path)

    fun open(): BlockFile =
        try {
            files.create(path)
        } catch (_: FileAlreadyExistsException) {
            files.open(path, Access.READ_WRITE)
        }

    /**
     * Puts another file, locked by [owner], in place of one that another process keeps locked. That process then has a
     * lock on a file without a name, which excludes no other; it is fenced by the note, which was written first.
     */
    fun replace(owner: Owner): BlockFile {
        val prepared = path.resolveSibling(SaveNames.newLock(owner.identity))
        val file = files.create(prepared)
        return file.closedOnFailure {
            check(file.tryLock()) { "$prepared: another process has locked a file that was created just now" }
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
