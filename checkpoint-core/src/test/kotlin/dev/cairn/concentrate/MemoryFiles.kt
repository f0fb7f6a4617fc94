package dev.cairn.concentrate

import dev.cairn.sion.stripe.SubFileLayout
import java.io.IOException
import java.nio.ByteBuffer
import java.util.concurrent.atomic.AtomicInteger

/** Sub-files in memory, filled with [UNWRITTEN], that count what is done with them and may fail. */
internal class MemoryFiles(
    layout: SubFileLayout,
    length: Long,
    /** The number of the operation that fails, and all after it; counted from 1, over all sub-files. */
    private val failsAt: Int = Int.MAX_VALUE,
) {
    val contents =
        List(layout.subFileCount()) { number ->
            ByteArray(layout.lengthOf(number, length).toInt()).also { it.fill(UNWRITTEN) }
        }
    private val operations = AtomicInteger()
    val operationCount: Int get() = operations.get()

    fun write(number: Int, position: Long, bytes: ByteBuffer) {
        count("write $number")
        bytes.get(contents[number], position.toInt(), bytes.remaining())
    }

    fun read(number: Int, position: Long, target: ByteBuffer) {
        count("read $number")
        target.put(contents[number], position.toInt(), target.remaining())
    }

    private fun count(what: String) {
        if (operations.incrementAndGet() >= failsAt) throw IOException("the disk refuses to $what")
    }

    companion object {
        const val UNWRITTEN: Byte = 0x5e
    }
}
