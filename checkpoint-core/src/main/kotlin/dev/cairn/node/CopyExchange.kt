package dev.cairn.node

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.MessageTags
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.io.Closeable
import java.nio.ByteBuffer

/**
 * On the keeper of a host: sends the host's complete file to the hosts that hold its copies, and writes the copies for this host, window
 * by window. The worker of the keeper does everything except the [exchange].
 *
 * @param own the file of this host
 * @param copies the files of the copies, in the order of the sources of [completion]
 * @param window the send buffer
 */
internal class CopyExchange private constructor(
    private val completion: HostCompletion,
    private val own: BlockFile,
    private val copies: List<BlockFile>,
    private val window: ByteBuffer,
) : Closeable {
    /** Reads the window at [position]. */
    fun read(position: Long) {
        window.clear().limit(sizeAt(position, completion.meta.fileSize))
        own.readFully(position, window)
        window.flip()
    }

    /** Sends the window at [position], and returns those of the other hosts; null for a file that has ended. */
    suspend fun exchange(ranks: Communicator, position: Long): List<ByteBuffer?> {
        if (window.hasRemaining()) completion.targets.forEach { ranks.send(it, MessageTags.COPY_WINDOW, window) }
        return completion.sources.map { source ->
            if (sizeAt(position, source.size) > 0) ranks.receive(source.keeper, MessageTags.COPY_WINDOW) else null
        }
    }

    /** Writes the windows [received] for [position]. */
    fun write(received: List<ByteBuffer?>, position: Long) =
        copies.zip(received) { copy, bytes -> bytes?.let { copy.write(position, it) } }

    fun end(durability: ForcePolicy) {
        if (durability == ForcePolicy.ON_CLOSE) copies.forEach { it.force() }
        close()
    }

    override fun close() = (copies + own).forEach { it.close() }

    private fun sizeAt(position: Long, fileSize: Long): Int =
        (fileSize - position).coerceIn(0, WINDOW_SIZE.toLong()).toInt()

    companion object {
        /** Small enough that a meeting takes some milliseconds; a loop meets a few times a second. */
        const val WINDOW_SIZE = 16 shl 20

        fun begin(
            files: BlockStore,
            saves: LocalSaves,
            number: Int,
            completion: HostCompletion,
            window: ByteBuffer,
        ): CopyExchange {
            val opened = mutableListOf<BlockFile>()
            try {
                opened += files.open(saves.file(number, completion.meta.name), Access.READ)
                completion.sources.forEach { opened += files.create(saves.file(number, it.name)) }
            } catch (failure: Throwable) {
                opened.forEach { it.close() }
                throw failure
            }
            return CopyExchange(completion, opened.first(), opened.drop(1), window)
        }
    }
}
