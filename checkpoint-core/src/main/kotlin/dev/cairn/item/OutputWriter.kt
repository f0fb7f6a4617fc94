package dev.cairn.item

import dev.cairn.event.CheckpointException
import dev.cairn.event.meaning
import dev.cairn.event.phraseOf
import dev.cairn.redistribution.DigestFormula
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.io.ByteArrayOutputStream
import java.io.Closeable
import java.io.IOException
import java.lang.System.Logger.Level.WARNING
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * Appends to the [path] of an output, on rank 0. Bytes are held in memory in two cases: before the first step, since a restore
 * may still cut the file, and after a disk error, until [flush] succeeds. No bytes are lost: appending fails when more than
 * [MOST_HELD] would be held.
 */
internal class OutputWriter(private val path: Path, private val files: BlockStore) :
    OutputEnd,
    Closeable {
    private val held = ByteArrayOutputStream()
    private var isBegun = false
    private var isClosed = false
    private var open: BlockFile? = null

    private var owner: OutputOwner = OutputOwner.NoStore

    /** The position of the next bytes: the end of the file, unless it [isTorn]. */
    private var end = 0L

    /** Whether some of the bytes in [held] may be in the file already, after a write that failed. */
    private var isTorn = false

    /** Appends the remaining [bytes]. */
    fun append(bytes: ByteBuffer) {
        if (isClosed) {
            throw IOException(
                "$path: the output has ended with its simulation, so these bytes were not appended to the file. " +
                    "Append while the simulation runs.",
            )
        }
        if (isBegun && held.size() == 0) writeOrHold(bytes) else hold(bytes)
        bytes.position(bytes.limit())
    }

    override fun ownedBy(owner: OutputOwner) {
        this.owner = owner
    }

    /** The bytes that the program appends before its first step are in the file already, so they are not appended again. */
    override fun continueFrom(length: Long) {
        held.reset()
        end = length
        isBegun = true
    }

    override fun beginAnew() {
        opened()
        isBegun = true
        tryFlush()
    }

    /**
     * After this returns, the file holds all bytes that were appended, and no others.
     *
     * @throws CheckpointException.InUse if the file of this name may now be that of another program
     */
    override fun flush() {
        reopenIfMoved()
        open?.let { requireOwn(it.size()) }
        if (held.size() == 0) return
        try {
            write(ByteBuffer.wrap(held.toByteArray()))
            held.reset()
        } catch (failure: IOException) {
            throw failure.meaning(path, lacking(failure))
        }
    }

    /** Ends appending. Bytes that cannot be written now are logged, and are lost with the process. */
    override fun close() {
        isClosed = true
        if (isBegun) tryFlush()
        open?.close()
    }

    override fun mark(file: BlockFile): OutputMark {
        requireOwn(file.size())
        return file.mark(file.size(), DigestFormula.NEWEST, head = 0)
    }

    private fun requireOwn(size: Long) {
        if (isTorn || size == end) return
        throw IOException(
            "$path: the file has $size bytes, but this program wrote it up to byte $end: another program writes " +
                "into it, and bytes of other programs are not saved. Find and end that program, and start this one " +
                "again: that cuts the file back. Or move the file away: later lines go to a new one",
        )
    }

    private fun tryFlush() {
        lack()?.let { LOG.log(WARNING, it) }
    }

    /** Writes waiting bytes; returns a sentence about bytes that are still missing, or null. */
    fun lack(): String? =
        try {
            flush()
            null
        } catch (failure: IOException) {
            failure.message
        } catch (taken: CheckpointException) {
            taken.message
        }

    private fun writeOrHold(bytes: ByteBuffer) =
        try {
            write(bytes)
        } catch (failure: IOException) {
            hold(bytes)
            LOG.log(WARNING, "$path: ${lacking(failure)}")
        }

    private fun write(bytes: ByteBuffer) {
        val file = opened()
        requireOwn(file.size())
        isTorn = true
        file.write(end, bytes.duplicate())
        isTorn = false
        end += bytes.remaining()
    }

    private fun hold(bytes: ByteBuffer) {
        if (held.size() + bytes.remaining() > MOST_HELD) makeRoom()
        held.write(ByteArray(bytes.remaining()).also { bytes.duplicate().get(it) })
    }

    private fun makeRoom() {
        check(isBegun) { "$path: at most $MOST_HELD bytes can be appended before the first step: append them after it" }
        flush()
    }

    private fun lacking(failure: IOException) =
        "${held.size()} bytes that the program appended are not in the file, because ${failure.phraseOf(path)}. They " +
            "wait in memory, and no save is made without them; when $MOST_HELD bytes wait, the program ends. A " +
            "program that ends before they are written is started again: it goes on from its last save, and appends " +
            "them again"

    /** An open file stays the same one after it was moved or deleted, while its name may then belong to another file. */
    private fun reopenIfMoved() {
        val file = open ?: return
        if (files.exists(path) && files.sizeOf(path) == file.size()) return
        owner.requireHeld()
        LOG.log(
            WARNING,
            "$path: the file was moved away, deleted or changed while the program appended to it. Bytes appended " +
                "from now on go to the file of this name; earlier bytes are in the moved file",
        )
        file.close()
        open = null
        isTorn = false
        end = files.sizeOf(path)
    }

    private fun opened(): BlockFile = open ?: ownFile().also { open = it }

    private fun ownFile(): BlockFile {
        val file = openOrCreate()
        try {
            owner.requireHeld()
            return file
        } catch (failure: Exception) {
            file.use { throw failure }
        }
    }

    private fun openOrCreate() = if (files.exists(path)) files.open(path, Access.READ_WRITE) else files.create(path)

    companion object {
        /** Enough for the output of hours, and little beside the state of a program. */
        const val MOST_HELD = 16 shl 20

        private val LOG: System.Logger = System.getLogger(OutputWriter::class.java.name)
    }
}
