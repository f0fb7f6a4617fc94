package dev.cairn.item

import dev.cairn.event.requireDeclared
import dev.cairn.event.sentence
import dev.cairn.redistribution.DigestFormula
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.io.Closeable
import java.io.Flushable
import java.io.IOException
import java.io.PrintStream
import java.io.PrintWriter
import java.io.UncheckedIOException
import java.lang.System.Logger.Level.WARNING
import java.nio.file.NoSuchFileException
import java.nio.file.Path

/**
 * The end of an output whose file the program opens and writes itself. A save covers the bytes that are in the file, so those in a
 * buffer of the program must get there first.
 */
internal abstract class ProgramFile(protected val name: String, protected val path: Path) : OutputEnd {
    /** What the file had at the restore, or at the last save of this run; null if there was none, or no file. */
    private var before: OutputMark? = null

    override fun ownedBy(owner: OutputOwner) = Unit

    override fun mark(file: BlockFile): OutputMark =
        file.mark(file.size(), DigestFormula.NEWEST, head = 0).also { before = it }

    override fun beginAnew() = Unit

    /** The program begins anew with what is there, which it empties itself. */
    fun beginIn(files: BlockStore) {
        val directory = path.toAbsolutePath().parent
        if (directory != null && !files.exists(directory)) throw NoSuchFileException("$directory")
        before = null
        val length = files.sizeOf(path)
        if (length == 0L) return
        LOG.log(
            WARNING,
            "$path: the output '$name' has $length bytes, which no restored checkpoint covers. If an earlier run " +
                "wrote them, the program must empty the file now: otherwise it will contain lines twice.",
        )
    }

    /** The program appends to what is there now. */
    fun look(files: BlockStore) {
        before = null
        if (files.exists(path)) files.open(path, Access.READ).use(::mark)
    }

    /** A save must not cover bytes that have taken the place of others. */
    fun requireGrown(files: BlockStore) {
        val mark = before ?: return
        val difference = SavedMark(files, mark, DigestFormula.NEWEST, this).difference(path) ?: return
        throw IOException(
            "$path: the output '$name' should begin with the ${mark.length} bytes that it had at the restore or " +
                "at the save before, but it $difference: the program, or another one, has emptied, deleted or " +
                "replaced the file. Correct that program, so that it appends after the restore, and start this " +
                "one again from its last save",
        )
    }
}

/**
 * The program keeps the file open.
 *
 * @param buffer flushes it: what the program writes into, or a function of the program
 */
internal class FlushedFile(name: String, path: Path, private val buffer: Flushable) : ProgramFile(name, path) {
    /** The program's writer writes into a file, so an IOException of it is one of that file's disk, and the save fails. */
    override fun flush() {
        val failure = saving(OutputKind.name, name) { flushed() } ?: return
        val reason = failure.sentence().removeSuffix(".")
        throw IOException(
            "$path: the output '$name' could not be flushed: $reason. No save is made without the bytes that wait: " +
                "make room for them, or correct the writer of the program",
            failure,
        )
    }

    /** What the file's disk answers; null if all bytes are in the file. */
    private fun flushed(): IOException? =
        try {
            buffer.flush()
            if (buffer.hasFailed()) IOException("its stream has failed to write, and does not say why") else null
        } catch (failure: IOException) {
            failure
        } catch (failure: UncheckedIOException) {
            failure.cause
        }

    /** If the program has written already, before it restores, these bytes are cut off with those of the former run. */
    override fun prepareCut(file: Path, length: Long) {
        if (buffer is Closeable) flush()
    }

    override fun requireReplaceable() =
        requireDeclared(buffer !is Closeable, name) {
            "$path: the output '$name' goes on in a new file of this name, but the program has opened the old one " +
                "before it restores, and would write into that. Open the file after the restore, and declare a " +
                "function that flushes it."
        }
}

/** The program closes the file before each save. If it looks as if a buffer holds bytes back, a warning says so once. */
internal class ClosedFile(name: String, path: Path) : ProgramFile(name, path) {
    private val signs = BufferSigns()
    private var step: Long? = null
    private var isDue = false
    private var isTold = false

    /** Between two saves of one step the program writes nothing. */
    override fun saveBegins(step: Long) {
        isDue = step != this.step
        this.step = step
    }

    override fun flush() = Unit

    override fun mark(file: BlockFile): OutputMark {
        if (isDue) warnOfBuffer(file)
        return super.mark(file)
    }

    override fun continueFrom(length: Long, cut: () -> Unit) {
        cut()
        signs.begin(length)
    }

    private fun warnOfBuffer(file: BlockFile) {
        isDue = false
        val sign = signs.at(file) ?: return
        if (!isTold) LOG.log(WARNING, "$path: the file of the output '$name' $sign. $ADVICE")
        isTold = true
    }
}

private const val ADVICE =
    "If the program keeps the file open, bytes that wait in its buffer are in no save, and a kill loses " +
        "them: declare the output with what must be flushed, as in appendedFile(name, file, writer), or close the " +
        "file before each save."
private val LOG: System.Logger = System.getLogger(OutputItem::class.java.name)

/** Classes that print keep their errors to themselves. */
private fun Flushable.hasFailed(): Boolean =
    when (this) {
        is PrintStream -> checkError()
        is PrintWriter -> checkError()
        else -> false
    }
