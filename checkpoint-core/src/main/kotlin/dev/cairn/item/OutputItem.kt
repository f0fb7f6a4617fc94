package dev.cairn.item

import dev.cairn.cells.CellDigest
import dev.cairn.cells.DigestFormula
import dev.cairn.comm.ROOT
import dev.cairn.contents.SnapshotMemory
import dev.cairn.disk.keepAside
import dev.cairn.disk.keptAside
import dev.cairn.disk.replaceByCopy
import dev.cairn.disk.sizeOf
import dev.cairn.failure.CheckpointException
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.LostOutputs
import java.io.IOException
import java.lang.System.Logger.Level.INFO
import java.lang.System.Logger.Level.WARNING
import java.nio.ByteBuffer
import java.nio.file.FileAlreadyExistsException
import java.nio.file.NoSuchFileException
import java.nio.file.Path

/**
 * A file to which the program appends. A save holds no content of it but an [OutputMark], to which a restore cuts the file back.
 * Rank 0 does both.
 *
 * @property writer appends to it; null on other ranks, and if the program opens the file itself
 */
internal class OutputItem(
    override val name: String,
    override val key: Int,
    override val formerNames: List<String>,
    override val file: Path,
    private val files: BlockStore,
    private val writer: OutputWriter? = null,
) : FileItem {
    override val kind get() = OutputKind

    private var owner: OutputOwner = OutputOwner.NoStore

    override val schema get() = Schema(kind.name, "mark", emptyList())

    override val terms get() = listOf("$file")

    override val isRepeatable get() = false

    override fun ownedBy(owner: OutputOwner) {
        this.owner = owner
        writer?.ownedBy(owner)
    }

    override fun capture(rank: Int): Capture = if (rank == ROOT) capture(mark()) else NoCapture()

    private fun capture(mark: OutputMark): Capture =
        OutputCapture(BytesCapture(key, mark.encode(), firstIndex = 0, isStored = true)) { force(mark.length) }

    /** The mark of the file at this time. */
    private fun mark(): OutputMark {
        writer?.flush()
        if (!files.exists(file)) return OutputMark(0, CellDigest.NONE)
        return files.open(file, Access.READ_WRITE).use {
            val length = it.size()
            writer?.requireOwn(length)
            mark(it, length, DigestFormula.NEWEST)
        }
    }

    /** A checkpoint must not promise more than a power loss leaves. */
    private fun force(length: Long) {
        if (length == 0L && !files.exists(file)) return
        files.open(file, Access.READ_WRITE).use {
            it.force()
            if (it.size() < length) {
                throw IOException(
                    "$file: the file has ${it.size()} bytes, but had $length when the state of this save was copied: " +
                        "another program has cut it. Find and end that program, and start this one again",
                )
            }
        }
        files.forceDirectory(file.parent ?: Path.of(""))
    }

    private fun mark(
        open: BlockFile,
        length: Long,
        formula: DigestFormula,
    ): OutputMark {
        val tail = ByteBuffer.allocate(minOf(length, TAIL_SIZE).toInt())
        open.readFully(length - tail.capacity(), tail)
        return OutputMark(length, formula.bytes(0).apply { add(tail.flip()) }.finish())
    }

    override val restoreStep get() = "compare '$name'"

    /** The file is checked, but not cut yet: all other items must be restored first. */
    override fun restore(source: ItemSource): CellDigest {
        if (source.rank != ROOT) return CellDigest.NONE
        val mark = source.bytes(ROOT)
        check(mark, source.formula, source.lostOutputs)
        return source.digest(mark, firstIndex = 0)
    }

    override fun conclude(source: ItemSource) {
        if (source.rank == ROOT) cut(source.bytes(ROOT), source.formula)
    }

    /** Refuses a file that cannot be cut back to the mark in [bytes], digested by [formula], unless [lost] allows it. */
    private fun check(
        bytes: ByteBuffer,
        formula: DigestFormula,
        lost: LostOutputs,
    ) = reportingTheFile {
        val saved = OutputMark.decode(bytes)
        val difference = difference(saved, formula)
        if (difference != null && lost == LostOutputs.REFUSE) {
            val kept = files.keptAside(file).find { fits(saved, it, formula) }
            throw CheckpointException.OutputDiffers(name, file, saved.length, difference, kept)
        }
    }

    /** Cuts the file back to the mark in [bytes], if that is possible, and otherwise begins anew; it has been checked. */
    private fun cut(
        bytes: ByteBuffer,
        formula: DigestFormula,
    ) = reportingTheFile {
        val saved = OutputMark.decode(bytes)
        val difference = difference(saved, formula)
        if (difference == null) {
            cutTo(saved.length)
        } else {
            beginAnew("had ${saved.length} bytes in the checkpoint, but $difference")
        }
    }

    override fun begin() =
        try {
            if (writer == null) {
                warnOfEarlierRun()
            } else if (files.sizeOf(file) > 0) {
                beginAnew("is in no restored checkpoint")
            } else {
                writer.beginNewFile()
            }
        } catch (failure: IOException) {
            throw CheckpointException.UnreadableOutput(name, file, hindrance(failure))
        }

    private fun hindrance(failure: IOException): String =
        when (failure) {
            is NoSuchFileException -> "its directory does not exist"
            is FileAlreadyExistsException -> "it is a symbolic link to a place that does not exist"
            else -> "$failure"
        }

    /** Otherwise the restore would treat an error of this file as damage of the checkpoint. */
    private inline fun reportingTheFile(work: () -> Unit) =
        try {
            work()
        } catch (failure: IOException) {
            throw CheckpointException.UnreadableOutput(name, file, failure)
        }

    private fun cutTo(length: Long) {
        if (files.exists(file)) {
            if (owner.mayBeShared) files.replaceByCopy(file, length, owner::requireHeld) else cutInPlace(length)
        }
        writer?.continueFrom(length)
    }

    private fun cutInPlace(length: Long) =
        files.open(file, Access.READ_WRITE).use {
            owner.requireHeld()
            it.resize(length)
            it.force()
        }

    private fun beginAnew(reason: String) {
        owner.requireHeld()
        val aside = files.keepAside(file)
        val kept = if (aside == null) "" else "; the existing file is now $aside"
        LOG.log(INFO, "$file: the output '$name' begins anew, since it $reason$kept")
        writer?.beginNewFile()
    }

    private fun OutputWriter.beginNewFile() {
        if (owner.mayBeShared && files.exists(file)) files.delete(file)
        beginAnew()
    }

    private fun warnOfEarlierRun() {
        val length = files.sizeOf(file)
        if (length == 0L) return
        LOG.log(
            WARNING,
            "$file: the output '$name' has $length bytes, which no restored checkpoint covers. If an earlier run " +
                "wrote them, the program must empty the file now: otherwise it will contain lines twice.",
        )
    }

    /** Whether [aside] can be cut back to [saved]. A file that cannot be read is not suggested to the user. */
    private fun fits(
        saved: OutputMark,
        aside: Path,
        formula: DigestFormula,
    ): Boolean =
        try {
            difference(saved, formula, aside) == null
        } catch (_: IOException) {
            false
        }

    /** The obstacle to cutting the [candidate] back to [saved]; null if there is none. */
    private fun difference(
        saved: OutputMark,
        formula: DigestFormula,
        candidate: Path = file,
    ): String? {
        if (saved.length == 0L) return null
        if (!files.exists(candidate)) return "is gone"
        return files.open(candidate, Access.READ).use {
            when {
                it.size() < saved.length -> "has only ${it.size()}"
                mark(it, saved.length, formula) != saved -> "has other bytes before that length"
                else -> null
            }
        }
    }

    /** Rank 0's [mark], and a function that [forces][force] the bytes that it covers. */
    private class OutputCapture(
        private val mark: Capture,
        private val force: () -> Unit,
    ) : Capture by mark {
        override fun force() = force.invoke()

        override fun copy(memory: SnapshotMemory): Capture? = mark.copy(memory)?.let { OutputCapture(it, force) }
    }

    companion object {
        /** Enough to distinguish files, and fast to read. */
        private const val TAIL_SIZE = 65536L

        private val LOG: System.Logger = System.getLogger(OutputItem::class.java.name)
    }
}
