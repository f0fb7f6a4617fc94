package dev.cairn.state

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.io.ByteArrayOutputStream
import java.io.Closeable
import java.io.IOException
import java.lang.System.Logger.Level.WARNING
import java.nio.ByteBuffer
import java.nio.file.NoSuchFileException
import java.nio.file.Path

/**
 * Appends to the [path] of an output, on the one rank that does. Bytes wait in memory in two cases: before the run has begun,
 * since only then is known what the file holds, and after the disk was in trouble, until [flush] succeeds. No bytes are left
 * out: when more than [MOST_HELD] would wait, appending fails.
 */
internal class OutputWriter(
    private val path: Path,
    private val files: BlockStore,
) : Closeable {
    private val held = ByteArrayOutputStream()
    private var isBegun = false
    private var open: BlockFile? = null

    /** Where the next bytes belong, if [isTorn]; otherwise the file's end, wherever that is. */
    private var end = 0L

    /** Whether some of the bytes that wait may be in the file already. */
    private var isTorn = false

    /** Appends the remaining [bytes]. */
    fun append(bytes: ByteBuffer) {
        if (isBegun && held.size() == 0) writeOrHold(bytes) else hold(bytes)
        bytes.position(bytes.limit())
    }

    /** The run goes on with a file in which what was appended before the first step lies already. */
    fun goOn() {
        held.reset()
        isBegun = true
    }

    /** The run begins with a new file. */
    fun beginAnew() {
        try {
            opened()
        } catch (missing: NoSuchFileException) {
            throw IOException("$path: the directory of an output should exist before the first step: make it", missing)
        }
        isBegun = true
        tryFlush()
    }

    /** When this returns, everything that was appended is in the file. */
    fun flush() {
        reopenIfMoved()
        if (held.size() == 0) return
        try {
            write(ByteBuffer.wrap(held.toByteArray()))
            held.reset()
        } catch (failure: IOException) {
            throw IOException(lacking(failure), failure)
        }
    }

    /** After this nothing is appended. What could not be written by now is lost with the process, and logged. */
    override fun close() {
        if (isBegun) tryFlush()
        open?.close()
    }

    private fun tryFlush() =
        try {
            flush()
        } catch (failure: IOException) {
            LOG.log(WARNING, failure.message)
        }

    private fun writeOrHold(bytes: ByteBuffer) =
        try {
            write(bytes)
        } catch (failure: IOException) {
            hold(bytes)
            LOG.log(WARNING, lacking(failure))
        }

    private fun write(bytes: ByteBuffer) {
        val file = opened()
        if (!isTorn) end = file.size()
        isTorn = true
        file.write(end, bytes.duplicate())
        isTorn = false
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
        "$path: ${held.size()} bytes that the program appended are not in the file, because $failure. They wait in " +
            "memory, and no save is made without them; when $MOST_HELD bytes wait, the program ends"

    /** A handle leads to its file also when that was moved away or deleted, and then the name leads elsewhere. */
    private fun reopenIfMoved() {
        val file = open ?: return
        if (files.exists(path) && files.sizeOf(path) == file.size()) return
        LOG.log(
            WARNING,
            "$path: the file was moved away, deleted or changed while the program appended to it. What is appended " +
                "from now on goes to the file that has this name; what was before is where the file is now",
        )
        file.close()
        open = null
        isTorn = false
    }

    private fun opened(): BlockFile = open ?: openOrCreate().also { open = it }

    private fun openOrCreate() = if (files.exists(path)) files.open(path, Access.READ_WRITE) else files.create(path)

    companion object {
        /** Enough for what is said of a run in hours, and little beside the state of a program. */
        const val MOST_HELD = 16 shl 20

        private val LOG: System.Logger = System.getLogger(OutputWriter::class.java.name)
    }
}
