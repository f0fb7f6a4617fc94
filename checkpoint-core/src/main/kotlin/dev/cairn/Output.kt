package dev.cairn

import dev.cairn.event.utf8Of
import dev.cairn.item.OutputWriter
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * A file to which rank 0 appends; on other ranks it does nothing, so that all may call the same. It belongs to one rank and is
 * closed by its [Simulation].
 *
 * Appended bytes are in the file at once, except in two cases. Before the first step they wait in memory until the
 * simulation knows whether it continues the file. And after a disk error up to 16 MiB wait: the run continues, but no
 * save is made before they are in the file. If more would wait, appending throws an [IOException]; so it does on rank 0
 * when the simulation has ended.
 */
public class Output internal constructor(public val file: Path, private val writer: OutputWriter?) {
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

    /** Writes waiting bytes; returns a sentence about bytes that are still missing, or null. */
    internal fun lack(): String? = writer?.lack()

    internal fun close() {
        writer?.close()
    }
}
