package dev.cairn.item

import dev.cairn.checkpoint.SnapshotMemory
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.CheckpointException.Unreadable
import dev.cairn.event.phraseOf
import dev.cairn.ranks.ROOT
import dev.cairn.redistribution.CellDigest
import dev.cairn.redistribution.DigestFormula
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.DiskException
import dev.cairn.state.LostOutputs
import dev.cairn.state.PropertyChanges
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestItem
import dev.cairn.store.inform
import java.io.IOException
import java.nio.file.FileAlreadyExistsException
import java.nio.file.NoSuchFileException
import java.nio.file.Path

/**
 * A file to which the program appends. A save holds no content of it but an [OutputMark], to which a restore cuts the file back.
 * Rank 0 does both.
 *
 * @property writer writes it; null on other ranks if Cairn does that
 * @property form returns that of its file, the same on all ranks; null if the program writes it
 */
internal class OutputItem(
    override val id: ItemName,
    override val file: Path,
    override val files: BlockStore,
    private val writer: OutputEnd? = null,
    private val form: () -> OutputForm? = { null },
) : FileItem {
    override val kind get() = OutputKind

    private var owner: OutputOwner = OutputOwner.NoStore
    private val lock = OutputLock(files, file)

    override val isOpenedByCairn get() = writer !is ProgramFile

    override fun requireWhole() {
        (writer as? OutputWriter)?.requireWhole()
    }

    override fun lack(): String? = (writer as? OutputWriter)?.lack()

    override val schema get() = Schema(kind.name, "mark", emptyList())

    override val terms get() = listOf("$file") + form()?.layout?.values.orEmpty()

    /** The file is for people: a restart takes the one that the program names. */
    override val layout get() = mapOf(LAYOUT_FILE to "$absoluteFile") + form()?.layout.orEmpty()

    override val isRepeatable get() = false

    override fun conversionFrom(stored: ManifestItem, manifest: Manifest, changes: PropertyChanges): Conversion {
        requireSameForm(stored, manifest)
        return valueConversion(this, stored, manifest, changes)
    }

    /** The rest of a file in another form could not be read. */
    private fun requireSameForm(stored: ManifestItem, manifest: Manifest) {
        val (now, then) = (form() ?: return) to (OutputForm.of(stored.layout) ?: return)
        if (now == then) return
        throw notFitting(
            stored.name,
            "$file: save ${manifest.save} was made with the output '$name' ${then.words}, and the program " +
                "declares it ${now.words}, so no one could read the file after that. Nothing was cut: declare it as " +
                "it was, or give the output another name and another file, and declare removed(\"${stored.name}\").",
        )
    }

    override fun ownedBy(owner: OutputOwner) {
        this.owner = owner
        writer?.ownedBy(owner)
    }

    override fun saveBegins(step: Long) {
        writer?.saveBegins(step)
    }

    override fun capture(rank: Int): Capture = if (rank == ROOT) capture(mark()) else NoCapture()

    private fun capture(mark: OutputMark): Capture =
        OutputCapture(
            BytesCapture(key, mark.encode(), firstIndex = 0, isStored = true),
            force = { force(mark.length) },
            check = { requireMarked(mark) },
        )

    /** The mark of the file at this time. */
    private fun mark(): OutputMark {
        lock.requireHeld(owner)
        // A writer of Cairn flushes when it marks the file, which must be there for that.
        if (writer !is OutputWriter || !files.exists(file)) writer?.flush()
        if (writer is ProgramFile) writer.requireGrown(files)
        if (!files.exists(file)) return OutputMark(0, CellDigest.NONE)
        return files.open(file, Access.READ_WRITE).use {
            writer?.mark(it) ?: it.mark(it.size(), DigestFormula.NEWEST, head = 0)
        }
    }

    /** A checkpoint must not promise more than a power loss leaves. */
    private fun force(length: Long) {
        if (length == 0L && !files.exists(file)) return
        files.open(file, Access.READ_WRITE).use { it.force() }
        files.forceDirectory(file.parent ?: Path.of(""))
    }

    /** A checkpoint must not promise bytes that the file does not have when it is committed. */
    private fun requireMarked(mark: OutputMark) {
        val difference = SavedMark(files, mark, DigestFormula.NEWEST, writer).difference(file) ?: return
        throw IOException(
            "$file: the file had ${mark.length} bytes when the state of this save was copied, but $difference: " +
                "another program has changed it. Find and end that program, and start this one again",
        )
    }

    override val restoreStep get() = "compare '$name'"

    /** The file is checked, but not cut yet: all other items must be restored first. */
    override fun restore(source: ItemSource): CellDigest {
        if (source.rank != ROOT) return CellDigest.NONE
        lock.take(owner)
        check(savedMark(source), source)
        return source.digest(source.bytes(ROOT), firstIndex = 0)
    }

    override fun conclude(source: ItemSource) {
        if (source.rank != ROOT) return
        cut(savedMark(source), source.laterSave)
        if (writer is ProgramFile) reportingTheFile { writer.look(files) }
    }

    private fun savedMark(source: ItemSource) =
        SavedMark(files, OutputMark.decode(source.bytes(ROOT)), source.formula, writer)

    /** Refuses a file that cannot be cut back to the [saved] mark, unless the rule for lost outputs of the [source] allows it. */
    private fun check(saved: SavedMark, source: ItemSource) =
        reportingTheFile {
            val difference = saved.difference(file)
            if (difference != null && source.lostOutputs == LostOutputs.REFUSE && keptFor(saved) == null) {
                val kept = saved.firstFit(files.keptAside(file))
                val former = source.layout[LAYOUT_FILE]?.takeIf { it != "$absoluteFile" }
                throw outputDiffers(name, file, saved.length, difference, kept, former)
            }
        }

    /**
     * Cuts the file back to the [saved] mark, or a copy of one that was kept for a save; if there is none, the output begins
     * anew. It has been checked.
     */
    private fun cut(saved: SavedMark, laterSave: Int?) =
        reportingTheFile {
            val difference = saved.difference(file)
            val kept = if (difference == null) null else keptFor(saved)
            val needing = needing(if (difference == null) saved.length else 0, laterSave)
            when {
                kept != null -> {
                    takeBack(kept, saved.length, needing)
                }

                difference != null -> {
                    beginAnew("had ${saved.length} bytes in the checkpoint, but $difference", needing)
                }

                needing != null -> {
                    keepFor(needing, saved.length)
                }

                // They may be of another run.
                writer != null && writer !is ProgramFile && saved.length == 0L && files.sizeOf(file) > 0 -> {
                    beginAnew("has bytes of which the checkpoint covers none", needing = null)
                }

                else -> {
                    cutTo(saved.length)
                }
            }
        }

    /** The file that was kept for a save and can be cut back to the [saved] mark; null if there is none. */
    private fun keptFor(saved: SavedMark): Path? = saved.firstFit(files.keptForSaves(file))

    /**
     * Of the saves that cover more than the first [length] bytes of the file, which no kept file has, the one that needs most; null if
     * there is none. A later one that cannot be read now may cover all that is not in the file kept for [laterSave].
     */
    private fun needing(length: Long, laterSave: Int?): Int? {
        if (files.sizeOf(file) <= length) return null
        val saves = owner.saveMarks()
        val ofSaves = saves.filterNotNull().associate { it.number to neededLength(it, length) }
        val needing =
            ofSaves
                .filterValues { it > 0 }
                .keys
                .sortedWith(compareBy({ ofSaves[it] }, { it }))
                .reversed()
        if (needing.isNotEmpty()) return needing.find { !files.exists(nameFor(file, it)) } ?: needing.first()
        return laterSave?.takeIf { null in saves && !isHeld(nameFor(file, it)) }
    }

    /** How many bytes [save] needs of the file, of which others have the first [length] bytes at most; 0 if it needs none. */
    private fun neededLength(save: SaveMarks, length: Long): Long =
        save.inFiles(files, writer).filter { isNeeded(it, length) }.maxOfOrNull { it.length } ?: 0

    private fun isNeeded(mark: SavedMark, length: Long) =
        mark.length > length && mark.difference(file) == null &&
            files.keptForSaves(file).none { isHeld(it, mark.length) }

    private fun isHeld(kept: Path, length: Long = files.sizeOf(file)) =
        owner.hasKept(kept) && files.isSame(file, kept, length)

    override fun begin(laterSave: Int?) {
        lock.take(owner)
        beginFile(laterSave)
    }

    override fun runEnds() {
        writer?.close()
        lock.close()
    }

    private fun beginFile(laterSave: Int?) =
        try {
            when {
                writer is ProgramFile -> writer.beginIn(files)
                files.sizeOf(file) > 0 -> beginAnew("is in no restored checkpoint", laterSave?.let { needing(0, it) })
                else -> writer?.beginNewFile()
            }
        } catch (failure: IOException) {
            if (failure.isOfStore) throw failure
            val flaw = "the output '$name' should begin here, but ${hindrance(failure)}"
            val advice = "Name another file, or correct that, and start again."
            throw Unreadable(Details("$file: $flaw. $advice", listOf(name), file, Reason.OUTPUT))
        }

    private fun hindrance(failure: IOException): String =
        when (failure) {
            is NoSuchFileException -> "its directory does not exist"
            is FileAlreadyExistsException -> "it is a symbolic link to a place that does not exist"
            else -> failure.phraseOf(file)
        }

    /** Whether a file of the store has failed, whose owner is looked at before the file of the output is changed. */
    private val IOException.isOfStore get() =
        this is DiskException && Path.of(file).parent != this@OutputItem.file.parent

    /** Otherwise the restore would treat an error of this file as damage of the checkpoint. */
    private inline fun reportingTheFile(work: () -> Unit) =
        try {
            work()
        } catch (failure: IOException) {
            if (failure.isOfStore) throw failure
            throw unreadableOutput(name, file, failure)
        }

    private fun cutTo(length: Long) =
        continueFrom(length) {
            when {
                !files.exists(file) -> Unit
                owner.mayBeShared -> files.replaceByCopy(file, length) { readyCopy(it, length) }
                else -> cutInPlace(length)
            }
        }

    private fun continueFrom(length: Long, cut: () -> Unit) =
        if (writer == null) cut() else writer.continueFrom(length, cut)

    private fun cutInPlace(length: Long) =
        files.open(file, Access.READ_WRITE).use {
            owner.requireHeld()
            restoring { writer?.prepareCut(file, length) }
            it.resize(length)
            it.force()
        }

    private fun readyCopy(copy: Path, length: Long) {
        writer?.requireReplaceable()
        writer?.prepareCut(copy, length)
        owner.requireHeld()
    }

    /** A later start may restore the save [number], and needs the bytes that it covers. */
    private fun keepFor(number: Int, length: Long) {
        writer?.requireReplaceable()
        val forSave = nameForSave(number)
        val aside = forSave ?: files.numberedName(file)
        continueFrom(length) { files.replaceByCopy(file, length, aside = aside) { readyCopy(it, length) } }
        LOG.inform(
            files,
            "$file: the output '$name' continues after $length bytes in a copy of its file. The file itself is now " +
                "$aside, since save $number may need more of it: " +
                if (forSave == null) {
                    "give it its name back before that save is restored"
                } else {
                    "it is taken back when that save is restored. 'cairn ls' lists it until that save is gone"
                },
        )
    }

    /** The name under which the file is kept for the save [number], recorded; null if it is taken, or there is no save to keep it for. */
    private fun nameForSave(number: Int?): Path? {
        val kept = nameFor(file, number ?: return null).takeUnless(files::exists)
        return kept?.also { owner.keeps(file, it, number, writer) }
    }

    private fun takeBack(kept: Path, length: Long, needing: Int?) {
        writer?.requireReplaceable()
        val size = files.sizeOf(file)
        // A file that is the beginning of the copy is of no more use than that.
        val isBeginning = size <= length && (size == 0L || files.isBeginning(file, kept))
        val aside = if (isBeginning) null else nameForSave(needing) ?: files.numberedName(file)
        continueFrom(length) { files.replaceByCopy(file, length, kept, aside) { readyCopy(it, length) } }
        val existing = if (aside == null) "" else "; the existing file is now $aside"
        LOG.inform(
            files,
            "$file: the output '$name' continues after the $length bytes of the checkpoint in a copy of $kept$existing",
        )
    }

    private fun beginAnew(reason: String, needing: Int?) {
        owner.requireHeld()
        if (files.sizeOf(file) > 0) writer?.requireReplaceable()
        val kept = files.keepAside(file, nameForSave(needing))
        LOG.inform(files, "$file: the output '$name' begins anew, since it $reason$kept")
        writer?.beginNewFile()
    }

    private fun OutputEnd.beginNewFile() {
        if (owner.mayBeShared && files.exists(file)) {
            requireReplaceable()
            files.delete(file)
        }
        beginAnew()
    }
}

/** Rank 0's [mark]; [force] makes the bytes that it covers durable, and [check] compares them with it. */
internal class OutputCapture(private val mark: Capture, private val force: () -> Unit, private val check: () -> Unit) :
    Capture by mark {
    override fun force() = force.invoke()

    override fun checkForced() = check.invoke()

    override fun copy(memory: SnapshotMemory): Capture? = mark.copy(memory)?.let { OutputCapture(it, force, check) }
}

private val LOG: System.Logger = System.getLogger(OutputItem::class.java.name)
