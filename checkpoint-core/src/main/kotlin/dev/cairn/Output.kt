package dev.cairn

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * A file to which rank 0 appends; on other ranks it does nothing, so that all may call the same. What is appended is in the
 * file at once. It belongs to one rank and is closed by its [Simulation].
 */
public class Output internal constructor(
    public val file: Path,
    internal val files: BlockStore,
    private val isWriter: Boolean,
) {
    private var open: BlockFile? = null

    /** Appends a line of [text]. */
    public fun line(text: String): Unit = append(ByteBuffer.wrap("$text\n".encodeToByteArray()))

    /** Appends the remaining bytes. */
    public fun append(bytes: ByteBuffer) {
        if (!isWriter) return
        val file = opened()
        // A restart cuts the file while it is open, so its end is not where the last bytes went.
        file.write(file.size(), bytes)
    }

    internal fun close() {
        open?.close()
    }

    private fun opened(): BlockFile = open ?: openOrCreate().also { open = it }

    private fun openOrCreate() = if (files.exists(file)) files.open(file, Access.READ_WRITE) else files.create(file)
}
