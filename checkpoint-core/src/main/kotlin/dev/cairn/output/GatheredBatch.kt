package dev.cairn.output

import dev.cairn.concentrate.SubFile
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.stripe.SubFileLayout
import java.nio.ByteBuffer

/**
 * A batch of which the concentrators have up to [memory] bytes. The others are written at once, and before those that came later: cells
 * come behind the fill values that they replace.
 *
 * @param file which a concentrator has opened to write; null on other ranks
 */
internal class GatheredBatch(
    private val file: BlockFile?,
    override val records: LongRange,
    private val memory: Long,
) : Batch {
    private val held = mutableListOf<Pair<Long, ByteBuffer>>()
    private var heldSize = 0L
    private var isUnforced = false

    /** The sub-file that has this number in [layout], where all stripes are in the order of the file. */
    fun subFile(
        layout: SubFileLayout,
        number: Int,
    ): SubFile =
        object : SubFile {
            override fun write(
                position: Long,
                bytes: ByteBuffer,
            ) = layout.forEachRunOf(number, position, bytes.remaining().toLong()) { _, local, offset, length ->
                take(offset, bytes.slice(bytes.position() + (local - position).toInt(), length.toInt()))
            }

            override fun read(
                position: Long,
                target: ByteBuffer,
            ): Unit = throw UnsupportedOperationException("records are only written")
        }

    /** The memory of [bytes] serves the next window. */
    private fun take(
        offset: Long,
        bytes: ByteBuffer,
    ) {
        if (bytes.remaining() > memory - heldSize) writeHeld()
        if (bytes.remaining() > memory) return directly().write(offset, bytes)
        held += offset to ByteBuffer.allocate(bytes.remaining()).put(bytes).flip()
        heldSize += held.last().second.limit()
    }

    private fun writeHeld() {
        held.forEach { (position, bytes) -> directly().write(position, bytes.duplicate()) }
        heldSize = 0
        held.clear()
    }

    private fun directly(): BlockFile = checkNotNull(file).also { isUnforced = true }

    /** Ends the gathering: returns when what was written at once is durable. This rank no longer has those bytes to write them again. */
    fun forceDirect() {
        if (isUnforced) file?.force()
        isUnforced = false
        if (held.isEmpty()) close()
    }

    @Synchronized
    override fun write() {
        if (held.isEmpty()) return
        held.forEach { (position, bytes) -> directly().write(position, bytes.duplicate()) }
        forceDirect()
        held.clear()
        close()
    }

    @Synchronized
    override fun close() {
        file?.close()
    }
}
