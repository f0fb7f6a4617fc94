package dev.cairn

import dev.cairn.event.utf8Of
import dev.cairn.item.BytesOfOutput
import dev.cairn.item.OutputForm
import dev.cairn.item.OutputWriter
import dev.cairn.item.TextOfOutput
import java.io.IOException
import java.io.OutputStream
import java.io.PrintStream
import java.io.PrintWriter
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * A file to which rank 0 appends; on other ranks it does nothing, so that all may call the same. It is closed by its [Simulation], or
 * with its checkpoints. All threads may use it, and several of its streams, at once.
 *
 * What [line] and [append] get is in the file at once, unless that is compressed; what its streams get waits in a buffer of 64 KiB, which
 * is written when it is full, when a stream is flushed or closed, at each save, and at the end. Before the run has restored, or found
 * nothing to restore, all of it waits, and is dropped if the run continues.
 *
 * After a disk error up to 16 MiB wait: the run continues, but no save is made before they are in the file. If more would wait,
 * appending throws an [IOException], and so does every later one; a stream may keep that to itself, so each later save and the end of the
 * run fail, too. Appending also throws on rank 0 when the run has ended, and for streams the log then has a warning.
 */
public class Output internal constructor(public val file: Path, private val writer: OutputWriter?) {
    /** The same on all ranks. */
    internal var form: OutputForm = OutputForm.PLAIN
        private set

    /**
     * Appends a line of [text] in UTF-8.
     *
     * @throws IllegalArgumentException on all ranks, if [text] has an unpaired surrogate
     */
    public fun line(text: String): Unit = append(ByteBuffer.wrap(utf8Of("$text\n") { "$file: a line of the output" }))

    /** Appends the remaining bytes. */
    public fun append(bytes: ByteBuffer) {
        writer?.append(bytes)
    }

    /** A stream of bytes. To close it ends the stream alone; the file stays open. */
    public fun stream(): OutputStream = BytesOfOutput(file, writer)

    /** A writer of text in UTF-8, which ends as a [stream] does. */
    public fun writer(): PrintWriter = PrintWriter(TextOfOutput(stream()))

    /** A stream that prints text in UTF-8, and ends as a [stream] does. */
    public fun printStream(): PrintStream = PrintStream(stream(), false, Charsets.UTF_8)

    /**
     * From the first byte on, the file is compressed for `gunzip` and `zcat`, which read all of it after each save: a save ends a member of
     * the file. Call it before anything is appended, on all ranks. A restart that adds or leaves out this call is refused. Returns this
     * output.
     *
     * @throws IllegalStateException if bytes were appended before
     */
    public fun gzip(): Output =
        apply {
            writer?.compress()
            form = OutputForm.GZIP
        }

    /** Writes waiting bytes; returns a sentence about bytes that are still missing, or null. */
    internal fun lack(): String? = writer?.lack()
}
