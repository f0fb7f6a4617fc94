package dev.cairn.item

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.meaning
import dev.cairn.event.phraseOf
import dev.cairn.event.requireDeclared
import dev.cairn.redistribution.DigestFormula
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.io.ByteArrayOutputStream
import java.io.IOException
import java.lang.System.Logger.Level.WARNING
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.OptionalLong
import java.util.concurrent.ConcurrentLinkedQueue

/**
 * Appends to the [path] of an output, on rank 0. Bytes wait in memory in three cases: before the run begins, since a restore may still
 * cut the file; up to 64 KiB of those that come by [buffer], until [passOn]; and after a disk error, until [flush] succeeds. No bytes
 * are lost without a word: appending fails when more than [MOST_HELD] would wait, and from then on all appending and all saves fail.
 *
 * All threads of the program may use it at once.
 */
internal class OutputWriter(private val path: Path, private val files: BlockStore) : OutputEnd {
    /** The bytes that go to the file next. Before the run [has begun][isBegun] they are not compressed. */
    private val held = ByteArrayOutputStream()
    private var isBegun = false
    private var isClosed = false
    private var hasWarnedOfEnd = false
    private var open: BlockFile? = null

    /** No other file has it while [open] is open. */
    private var openNumber = OptionalLong.empty()

    private var owner: OutputOwner = OutputOwner.NoStore

    /** Makes the bytes of the file from those of the program. */
    private var content: OutputContent = OutputContent.Plain

    /** The position of the next bytes: the end of the file, unless it [isTorn]. */
    private var end = 0L

    /** Whether some of the bytes in [held] may be in the file already, after a write that failed. */
    private var isTorn = false

    /** Whether the disk has refused the bytes in [held], so that only a [flush] tries again. */
    private var isStuck = false

    /** Sentences for the log. */
    private val said = ConcurrentLinkedQueue<String>()

    /** How many bytes were refused, and are in no file. */
    private var refused = 0L

    /** What [work] has to say is logged when the lock is free: a handler of the log may append to this output. */
    private inline fun <T> locked(work: () -> T): T =
        try {
            synchronized(this, work)
        } finally {
            generateSequence(said::poll).forEach { LOG.log(WARNING, it) }
        }

    /** From the first byte on the file is compressed. */
    fun compress() = locked { if (content is OutputContent.Plain) beginCompressed() }

    private fun beginCompressed() {
        check(!isBegun && held.size() == 0) {
            "$path: the output is to be compressed, but bytes were appended to it before, or the run has begun: call " +
                "gzip() where the output is declared"
        }
        content = OutputContent.Gzip()
    }

    /** Appends the remaining [bytes], and hands them on. */
    fun append(bytes: ByteBuffer) = locked { append(bytes, room = 0) }

    /** Appends the remaining [bytes], which may wait in memory for others. */
    fun buffer(bytes: ByteBuffer) =
        locked {
            if (isClosed) warnOfEnd()
            append(bytes, BUFFER_SIZE)
        }

    /** A stream that prints keeps the exception to itself. */
    private fun warnOfEnd() {
        if (!hasWarnedOfEnd) said += afterEnd()
        hasWarnedOfEnd = true
    }

    private fun afterEnd() =
        "$path: the output has ended with its run, so these bytes were not appended to the file. Append before the " +
            "checkpoints are closed."

    private fun append(bytes: ByteBuffer, room: Int) {
        if (isClosed) throw IOException(afterEnd())
        if (refused > 0) throw refusing(bytes)
        if (isBegun) content.encode(bytes) { store(it, room) } else hold(bytes)
        bytes.position(bytes.limit())
    }

    /** Hands the waiting bytes on to the file, unless it has refused them before. */
    fun passOn() = locked { if (isBegun && !isClosed) passOnNow() else requireTaken() }

    private fun passOnNow() {
        requireTaken()
        content.flush { store(it, BUFFER_SIZE) }
        if (held.size() > 0) store(ByteBuffer.allocate(0), room = 0)
    }

    override fun ownedBy(owner: OutputOwner) = locked { this.owner = owner }

    /** The bytes that the program appends before its first step are in the file already, so they are not appended again. */
    override fun continueFrom(length: Long, cut: () -> Unit) =
        locked {
            cut()
            held.reset()
            content.drop()
            refused = 0
            release()
            begin()
            end = length
        }

    override fun beginAnew() =
        locked {
            release()
            // If that fails, the heading still waits for a restore that succeeds.
            end = opened().size()
            val heading = if (isBegun) ByteArray(0) else held.toByteArray()
            held.reset()
            content.drop()
            begin()
            if (heading.isNotEmpty()) content.encode(ByteBuffer.wrap(heading)) { hold(it) }
            log(lackNow(::lacking))
        }

    private fun begin() {
        isBegun = true
        isStuck = false
        isTorn = false
    }

    /** The file may be another one of this name from now on. */
    private fun release() {
        open?.close()
        open = null
    }

    /**
     * After this returns, the file holds all bytes that were appended, and no others.
     *
     * @throws CheckpointException.InUse if the file of this name may now be that of another program
     */
    override fun flush() = locked { flushNow() }

    private fun flushNow(sentence: (IOException) -> String = ::lacking) {
        requireWholeNow()
        // In the file in which it was begun, which may have been moved since.
        content.end { store(it, room = 0) }
        reopenIfMoved()
        open?.let { requireOwn(it.size()) }
        if (held.size() == 0) return
        try {
            writeHeld()
        } catch (failure: IOException) {
            isStuck = true
            throw failure.meaning(path, sentence(failure))
        }
    }

    /** Fails for good if bytes were refused or never had a file: the program goes wrong in the same way when it is started again. */
    fun requireWhole() =
        locked {
            requireWholeNow()
            requireDeclared(isBegun || held.size() == 0) { neverBegun() }
        }

    /** A save would cover the hole that refused bytes have left. */
    private fun requireWholeNow() {
        if (refused > 0) throw NotSaved(Details(loss(), path = path, reason = Reason.LOST_CELLS))
    }

    private fun loss() =
        "$path: $refused bytes that the program appended were refused, since $MOST_HELD bytes were waiting already, " +
            "and no save is made without them. Make room on the disk, and start the program again: it goes on from " +
            "its last save, and appends them again"

    private fun requireTaken() {
        if (refused > 0) throw IOException(loss())
    }

    private fun refusing(bytes: ByteBuffer): IOException {
        refused += bytes.remaining()
        return IOException(loss())
    }

    /** Ends appending. Bytes that cannot be written now are logged, and are lost with the process. */
    override fun close() = locked { if (!isClosed) closeNow() }

    private fun closeNow() {
        log(lackNow(::missing))
        isClosed = true
        content.drop()
        try {
            open?.close()
        } catch (failure: IOException) {
            said += "$path: ${failure.phraseOf(path)}"
        }
    }

    override fun mark(file: BlockFile): OutputMark =
        locked {
            // Other threads may have appended since, and a member of a compressed file must be whole.
            flushNow()
            requireOwn(file.size())
            file.mark(file.size(), DigestFormula.NEWEST, head = 0)
        }

    private fun requireOwn(size: Long) {
        if (isTorn || size == end) return
        throw IOException(
            "$path: the file has $size bytes, but this program wrote it up to byte $end: another program writes " +
                "into it, and bytes of other programs are not saved. Find and end that program, and start this one " +
                "again: that cuts the file back. Or move the file away: later lines go to a new one",
        )
    }

    private fun log(sentence: String?) {
        if (sentence != null) said += sentence
    }

    /** Writes waiting bytes at the end of the program; returns a sentence about bytes that are still missing, or null. */
    fun lack(): String? = locked { lackNow(::missing) }

    private fun lackNow(sentence: (IOException) -> String): String? =
        try {
            if (isBegun && !isClosed) flushNow(sentence)
            null
        } catch (failure: IOException) {
            failure.message
        } catch (taken: CheckpointException) {
            taken.message
        }

    /** Takes [bytes] of the file: they wait if there is [room] for them, and otherwise are written. */
    private fun store(bytes: ByteBuffer, room: Int) {
        if (isStuck || held.size() + bytes.remaining() <= room) return hold(bytes)
        try {
            if (held.size() > 0) writeHeld()
            if (bytes.hasRemaining()) write(bytes)
        } catch (failure: IOException) {
            isStuck = true
            hold(bytes)
            said += "$path: ${lacking(failure)}"
        }
    }

    private fun writeHeld() {
        write(ByteBuffer.wrap(held.toByteArray()))
        held.reset()
        isStuck = false
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
        if (held.size() + bytes.remaining() > MOST_HELD) {
            try {
                makeRoom()
            } catch (failure: Exception) {
                refused += bytes.remaining()
                throw failure
            }
        }
        held.write(ByteArray(bytes.remaining()).also { bytes.duplicate().get(it) })
    }

    private fun makeRoom() {
        check(isBegun) { "$path: at most $MOST_HELD bytes can be appended before the first step: append them after it" }
        try {
            reopenIfMoved()
            writeHeld()
        } catch (failure: IOException) {
            throw failure.meaning(path, lacking(failure))
        }
    }

    private fun missing(failure: IOException) =
        "${held.size()} bytes that the program appended are not in the file, because ${failure.phraseOf(path)}."

    private fun lacking(failure: IOException) =
        "${missing(
            failure,
        )} They wait in memory, and no save is made without them; when $MOST_HELD bytes wait, the program ends. A " +
            "program that ends before they are written is started again: it goes on from its last save, and appends " +
            "them again"

    private fun neverBegun() =
        "$path: ${held.size()} bytes that the program appended are not in the file, since it has neither restored " +
            "nor saved, and the file may be that of an earlier run. Call restore() before the first step, and " +
            "saveIfDue() after each"

    /** An open file stays the same one after it was moved or deleted, while its name may then belong to another file. */
    private fun reopenIfMoved() {
        val file = open ?: return
        if (isInPlace(file)) return
        owner.requireHeld()
        said +=
            "$path: the file was moved away, deleted or replaced while the program appended to it. Bytes appended " +
            "from now on go to a new file of this name; earlier bytes are in the moved file"
        file.close()
        open = null
        isTorn = false
        // What another program may have put there is in no save.
        end = 0
    }

    private fun isInPlace(file: BlockFile): Boolean {
        if (!files.exists(path)) return false
        val number = files.fileNumber(path)
        return if (number.isPresent) number == openNumber else files.sizeOf(path) == file.size()
    }

    private fun opened(): BlockFile =
        open ?: ownFile().also {
            open = it
            openNumber = files.fileNumber(path)
        }

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
        /** Enough for a write to cost little for each byte. */
        private const val BUFFER_SIZE = 64 shl 10

        /** Enough for the output of hours, and little beside the state of a program. */
        const val MOST_HELD = 16 shl 20

        private val LOG: System.Logger = System.getLogger(OutputWriter::class.java.name)
    }
}
