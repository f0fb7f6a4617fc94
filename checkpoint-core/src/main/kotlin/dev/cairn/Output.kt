package dev.cairn

import dev.cairn.failure.CheckpointException
import dev.cairn.item.OutputWriter
import dev.cairn.text.utf8Of
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * A file to which rank 0 appends; on other ranks it does nothing, so that all may call the same. It belongs to one rank and is
 * closed by its [Simulation].
 *
 * What is appended is in the file at once, but for two cases. What is appended before the first step waits in memory until the
 * simulation knows whether it goes on with the file. And when the disk is in trouble, up to 16 MiB wait for it: the run goes on,
 * but no save is made before they are in the file. If more would wait, appending throws an [IOException]; so it does on rank 0
 * when the simulation has ended.
 */
public class Output internal constructor(
    public val file: Path,
    private val writer: OutputWriter?,
) {
    /**
     * Appends a line of [text] in UTF-8.
     *
     * @throws IllegalArgumentException on all ranks, if [text] has half of a pair of surrogates
     */
    public fun line(text: String): Unit = append(ByteBuffer.wrap(utf8Of("$text\n") { "$file: a line of the output" }))

    /** Appends the remaining bytes. */
    public fun append(bytes: ByteBuffer) {
        writer?.append(bytes)
    }

    /** Writes what waits; says in a sentence what the file still lacks, or null. */
    internal fun lack(): String? =
        try {
            writer?.flush()
            null
        } catch (failure: IOException) {
            failure.message
        } catch (taken: CheckpointException) {
            taken.message
        }

    internal fun close() {
        writer?.close()
    }
}
