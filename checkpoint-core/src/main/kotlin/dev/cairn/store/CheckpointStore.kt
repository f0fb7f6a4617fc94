package dev.cairn.store

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Damaged
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.CheckpointException.Unreadable
import dev.cairn.event.sentence
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.DiskException
import java.io.IOException
import java.lang.System.Logger.Level.WARNING
import java.nio.file.FileAlreadyExistsException
import java.nio.file.FileSystemException
import java.nio.file.NoSuchFileException
import java.nio.file.NotDirectoryException
import java.nio.file.Path
import java.time.Clock

/**
 * A directory of numbered checkpoints, for reading; [own] gives the right to write.
 *
 * ```
 * heat.cairn/
 *   lock            held by the operating system
 *   owner.json the owner's identity
 *   000007/         a save's number, always growing
 *     data.sion …   its data
 *     manifest.json its commit: renamed into place when all other data are durable
 * ```
 *
 * Data hold a copy of their manifest, which [copyIn] reads. It fails if there is none.
 *
 * It keeps nothing open and nothing in memory. One rank calls it, between the collectives of all; any thread may.
 */
internal class CheckpointStore(
    private val files: BlockStore,
    val directory: Path,
    private val copyIn: (data: Path) -> StoredManifest,
) {
    /** The present content of the directory. */
    fun survey(): Survey = files.survey(directory)

    /**
     * Looks in a [survey] for the newest good checkpoint: checks first its manifest, then the data that [inspection]
     * re-reads. If a newer one is not good, only saves that led to it are taken.
     */
    fun discover(survey: Survey, inspection: Inspection): Discovery = Walk(this, survey, inspection).newest()

    /**
     * Looks at the one save that the user has chosen.
     *
     * @throws CheckpointException.Unreadable if it is not there, or no checkpoint
     */
    fun discover(number: Int, inspection: Inspection): Discovery {
        val survey = survey()
        val verdict = survey.numbered.find { it.number == number }?.let { judge(it, inspection) }
        val present = survey.saves.map { it.number }
        return when (verdict) {
            is Verdict.Accepted -> Discovery.Good(verdict.candidate, survey.saveAfter(number))
            is Verdict.Rejected -> Discovery.NoneGood(listOf(verdict), others = present - number)
            is Verdict.Unsupported -> Discovery.NoneGood(emptyList(), unsupported = verdict)
            null -> throw noSuch(number, present.reversed())
        }
    }

    private fun noSuch(number: Int, present: List<Int>) =
        noSuchCheckpoint(
            directory,
            "$directory: save $number should be restored, but there is no such checkpoint. " +
                when (present.size) {
                    0 -> "There is none at all."
                    1 -> "There is only save ${present.single()}."
                    else -> "There are ${present.joinToString()}."
                },
        )

    /** Whether this is a good checkpoint; null when it is none at all: its save has not finished, or was deleted. */
    fun judge(entry: Entry.Numbered, inspection: Inspection): Verdict? =
        when (entry) {
            is Entry.Save -> judge(entry, inspection)
            is Entry.Unfinished, is Entry.Deleted, is Entry.Sealed -> null
            is Entry.Lost -> judge(entry)
            is Entry.Unreadable -> Verdict.Rejected(entry, entry.reason, Flaw.UNREADABLE)
        }

    /**
     * Why [entry], which has no manifest, is no checkpoint. Its mark is empty while it is made, and a manifest in it is one that a deletion
     * has renamed, or a commit not yet.
     */
    fun lackOf(entry: Entry): String {
        val mark = entry.path.resolve(SaveNames.NEW_MANIFEST)
        val isWithdrawn = ifReadable { files.open(mark, Access.READ).use { it.size() > 0 } } ?: false
        return if (isWithdrawn) WITHDRAWN else "the save has not finished"
    }

    /** Whether this save is a good checkpoint. */
    fun judge(save: Entry.Save, inspection: Inspection): Verdict = judge(save, known = null, inspection)

    /** As above; its manifest is read again, and parsed again unless it has the bytes of the [known] one. */
    fun judge(save: Entry.Save, known: StoredManifest?, inspection: Inspection): Verdict {
        val verdict = verdictOn(save) { read(save, known).also(inspection::inspect) }
        return if (verdict is Verdict.Rejected) withRemains(verdict, save) else verdict
    }

    /** Whether the manifest that a sealed save will have is good; null if its seal is missing. */
    fun judge(sealed: Entry.Sealed): Verdict? =
        if (files.exists(sealed.path.resolve(SaveNames.SEAL))) {
            verdictOn(sealed) { Candidate(sealed, read(sealed)) }
        } else {
            null
        }

    private inline fun verdictOn(entry: Entry.Numbered, read: () -> Candidate): Verdict =
        try {
            Verdict.Accepted(read())
        } catch (refused: CheckpointException) {
            if (refused.isOfNewerFormat) {
                Verdict.Unsupported(entry.number, refused)
            } else {
                Verdict.Rejected(entry, refused.message.toString(), Flaw.of(refused) ?: Flaw.DAMAGED)
            }
        } catch (unfit: IOException) {
            Verdict.Rejected(entry, unfit.sentence(), Flaw.ofFiles(unfit))
        }

    /** The verdict, with what the manifest and the copy of it in the data tell, as far as they are whole and of this [save]. */
    private fun withRemains(verdict: Verdict.Rejected, save: Entry.Save): Verdict.Rejected {
        val manifest = readOrNull(save)?.manifest
        val copy = ifReadable { copyOf(save) }
        val isRecoverable = copy != null && copy.copy(hints = manifest?.hints ?: copy.hints) != manifest
        val advice = if (verdict.flaw == Flaw.DAMAGED && isRecoverable) " ${recoveryOf(save)}" else ""
        // None if they contradict each other.
        val lineage = listOfNotNull(manifest, copy).map { it.lineage }.distinct().singleOrNull()
        return verdict.copy(reason = verdict.reason + advice, lineage = lineage)
    }

    private fun recoveryOf(save: Entry.Save) =
        "Its data hold a copy of its manifest: 'cairn recover $directory/${save.number}' verifies them against it " +
            "and takes the checkpoint back if they are whole."

    /** The remains of checkpoints that lost their manifest; null if they cannot have been a checkpoint. */
    private fun judge(entry: Entry.Lost): Verdict.Rejected? =
        try {
            lostManifest(entry)?.let { Verdict.Rejected(entry, adviceOn(entry), Flaw.LOST, it.lineage) }
        } catch (unreadable: IOException) {
            val reason = "it has lost its manifest, and its data cannot be read now: $unreadable"
            Verdict.Rejected(entry, reason, Flaw.UNREADABLE)
        }

    /** The copy of the manifest in the data; null if they cannot have been a checkpoint's. */
    private fun lostManifest(entry: Entry.Lost): Manifest? =
        try {
            copyOf(entry)
        } catch (_: CheckpointException) {
            null
        } catch (failure: IOException) {
            if (Flaw.ofFiles(failure) == Flaw.UNREADABLE) throw failure
            null
        }

    private fun adviceOn(entry: Entry.Lost) =
        "${entry.path}: it has lost its manifest, but its data seem to be whole. " +
            "'cairn recover $directory/${entry.number}' verifies them and takes the checkpoint back; " +
            "'cairn rm $directory ${entry.number}' deletes them. Until then they stay."

    /** A save with its manifest, if that is whole and that of this save. */
    fun readOrNull(save: Entry.Save): Candidate? = ifReadable { read(save) }

    /**
     * The copy of the manifest in the data of a save; null if they are those of another save. Fails if they hold no
     * copy.
     */
    private fun copyOf(entry: Entry.Numbered): Manifest? =
        copyIn(entry.path.resolve(SaveNames.DATA)).manifest.takeIf { it.save == entry.number }

    /**
     * Saves that can no longer become checkpoints: they may be deleted. A checkpoint that only lost its manifest stays.
     */
    fun leftovers(survey: Survey): List<Entry.Numbered> =
        survey.unfinished + survey.deleted + survey.entries.filterIsInstance<Entry.Lost>().filter { judge(it) == null }

    /**
     * Takes the right to write, for [owner], until the result is closed. Makes the directory if there is none yet.
     *
     * @throws CheckpointException.InUse when another program writes here, or may do so
     * @throws CheckpointException.InvalidDeclaration when there can be no such directory
     * @throws CheckpointException.Unreadable when something is in the way of a file of a directory with checkpoints
     */
    fun own(
        owner: Owner,
        clock: Clock,
        takeover: Takeover = Takeover.IfDead(),
        line: String = callingLine(),
    ): OwnedStore {
        makeDirectory()
        return try {
            OwnedStore(files, this, StoreLock.take(files, directory, owner, clock, takeover, line))
        } catch (other: FileSystemException) {
            // Without a type of its own: such as a directory of the name of the lock.
            if (other.javaClass != FileSystemException::class.java) throw other
            throw if (survey().numbered.isEmpty()) storeUnusable(directory, other.reason ?: "$other") else hidden(other)
        }
    }

    /** The directory may hold checkpoints, from which a program that chooses another one would not continue. */
    private fun hidden(failure: FileSystemException) =
        Unreadable(
            Details(
                "${failure.sentence()} So the checkpoints in $directory cannot be used now. Nothing is known to be " +
                    "damaged: correct that, and start the program again.",
                path = directory,
            ),
        )

    /** A disk that fails where a directory is, or may be, hides its checkpoints: so it is no reason to choose another directory. */
    private fun makeDirectory() {
        val parent = directory.parent ?: Path.of("")
        try {
            if (!isThere()) makeNewDirectory()
            // Also if it exists already: its creator may have been killed before this point.
            files.forceDirectory(parent)
            warnOfOthers(files.list(directory).map { it.name })
        } catch (missing: NoSuchFileException) {
            val isParentThere = files.exists(parent)
            throw storeUnusable(
                directory,
                if (isParentThere) {
                    "no directory can be created in $parent"
                } else {
                    "its parent directory $parent does not exist"
                },
            )
        } catch (other: NotDirectoryException) {
            throw storeUnusable(directory, "it is a file, not a directory")
        } catch (failed: DiskException) {
            throw failed
        } catch (other: FileSystemException) {
            // Such as a name that is too long.
            throw storeUnusable(directory, other.reason ?: "$other")
        }
    }

    /** A directory that holds [names], none of which Cairn gives, may have been named by mistake. */
    private fun warnOfOthers(names: List<String>) {
        if (names.isEmpty() || names.any { SaveNames.isOfStore(it) || SaveNames.numberOf(it) != null }) return
        LOG.log(
            WARNING,
            "$directory: it holds '${names.first()}' and no checkpoints, so it is not known to be a directory for " +
                "them. Checkpoints are written beside what is there, which stays as it is. If that is not meant, " +
                "stop the program, name another directory, and delete '${SaveNames.LOCK}' and the numbered " +
                "directories here.",
        )
    }

    private fun isThere(): Boolean =
        try {
            files.exists(directory)
        } catch (_: NotDirectoryException) {
            throw storeUnusable(directory, "a directory above it is a file")
        }

    /** Another program may be faster. A broken link has a name, but no target. */
    private fun makeNewDirectory() {
        try {
            files.makeDirectory(directory)
        } catch (taken: FileAlreadyExistsException) {
            if (files.exists(directory)) return
            throw storeUnusable(directory, "it is a symbolic link to a place that does not exist")
        } catch (failed: DiskException) {
            if (failed.trouble() != DiskException.Trouble.DENIED) throw failed
            throw storeUnusable(directory, failed.reason.removeSuffix("."))
        }
    }

    /**
     * Reads the manifest of a save, and no more of it.
     *
     * @throws CheckpointException when it is damaged, or another save's
     */
    fun read(save: Entry.Save, known: StoredManifest? = null): Candidate =
        Candidate(save, read(save, SaveNames.MANIFEST, known))

    /**
     * Reads the manifest that a sealed save will have.
     *
     * @throws CheckpointException when it is missing, damaged, or another save's
     */
    fun read(save: Entry.Sealed): StoredManifest =
        try {
            read(save, SaveNames.SEAL)
        } catch (missing: NoSuchFileException) {
            throw missingSeal(save)
        }

    private fun read(save: Entry.Numbered, name: String, known: StoredManifest? = null): StoredManifest {
        val file = save.path.resolve(name)
        val stored = ManifestFormat.read(files, file, known)
        if (stored.manifest.save != save.number) throw misplacedSave(file, save.number, stored.manifest.save)
        return stored
    }
}

private val LOG: System.Logger = System.getLogger(CheckpointStore::class.java.name)

private const val WITHDRAWN =
    "its deletion, or its commit, is not complete; the next save of its program deletes the rest"

/** What [read] returns; null if it finds that something is damaged, or that it cannot be read now. */
internal inline fun <T> ifReadable(read: () -> T): T? =
    try {
        read()
    } catch (_: CheckpointException) {
        null
    } catch (_: IOException) {
        null
    }

internal fun noSuchCheckpoint(path: Path, sentence: String) =
    Unreadable(Details(sentence, path = path, reason = Reason.NO_SUCH_CHECKPOINT))

/** A save in the directory of another save's number, as after a manual copy. */
internal fun misplacedSave(manifest: Path, directoryNumber: Int, manifestNumber: Int) =
    Damaged(
        Details(
            "$manifest: it should be the manifest of save $directoryNumber, as its directory says, but it is that of " +
                "save $manifestNumber. If the whole directory is that of save $manifestNumber, rename it to its own " +
                "number.",
            path = manifest,
        ),
    )

/** A program leaves the same when it is killed just before it seals. */
private fun missingSeal(save: Entry.Sealed) =
    Damaged(
        Details(
            "${save.path.resolve(
                SaveNames.SEAL,
            )}: it is missing, although the file '${SaveNames.HOSTS}' beside it says " +
                "that the save is complete on its hosts: a restart with the setting local, or 'cairn drain', on a " +
                "host that holds a file of the save writes it.",
            path = save.path,
        ),
    )

internal fun storeUnusable(store: Path, reason: String) =
    InvalidDeclaration(
        Details(
            "$store: it cannot be a directory of checkpoints: $reason. Choose another one, or correct that.",
            path = store,
        ),
    )
