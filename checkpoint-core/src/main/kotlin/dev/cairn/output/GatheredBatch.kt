package dev.cairn.output

import dev.cairn.concentrate.forEachStripe
import dev.cairn.multifile.WriteBatch
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.stripe.SubFileLayout
import java.nio.ByteBuffer

/**
 * A batch of which the concentrators have up to [memory] bytes. The others are written at once, and before those that came later: cells
 * come behind the fill values that they replace.
 *
 * @param file which a concentrator has opened to write; null on other ranks
 */
internal class GatheredBatch(private val file: BlockFile?, override val records: LongRange, memory: Long) : Batch {
    private val held = WriteBatch(memory)
    private var isUnforced = false

    /** Takes [bytes] of the sub-file that has this number in [layout], where all stripes are in the order of the file. */
    fun put(layout: SubFileLayout, number: Int, position: Long, bytes: ByteBuffer) =
        layout.forEachStripe(number, position, bytes, ::take)

    /** The memory of [bytes] serves the next window. */
    private fun take(offset: Long, bytes: ByteBuffer) {
        if (held.add(offset, bytes)) return
        held.writeTo(directly())
        held.clear()
        if (!held.add(offset, bytes)) directly().write(offset, bytes)
    }

    private fun directly(): BlockFile = checkNotNull(file).also { isUnforced = true }

    /** Ends the gathering: returns when what was written at once is durable. This rank no longer has those bytes to write them again. */
    fun forceDirect() {
        if (isUnforced) file?.force()
        isUnforced = false
        if (held.runs.isEmpty()) close()
    }

    @Synchronized
    override fun write() {
        if (held.runs.isEmpty()) return
        held.writeTo(directly())
        forceDirect()
        held.clear()
        close()
    }

    @Synchronized
    override fun close() {
        file?.close()
    }
}
