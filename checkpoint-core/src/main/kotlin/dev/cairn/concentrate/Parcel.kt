package dev.cairn.concentrate

import java.nio.ByteBuffer

/** Writes to one [file] that travel in one message: at most [SIZE] bytes, and neighbours as one extent. */
internal class Parcel(
    val file: String,
) {
    private val bytes = ByteBuffer.allocate(SIZE)
    private var extents = LongArray(2)
    private var extentCount = 0

    val byteCount: Int get() = bytes.position()
    val room: Int get() = bytes.remaining()

    /** Takes as many bytes of [source] as there is room for, which belong to [position]. */
    fun put(
        position: Long,
        source: ByteBuffer,
    ) {
        val count = minOf(source.remaining(), room)
        bytes.put(source.slice(source.position(), count))
        source.position(source.position() + count)
        if (extentCount > 0 && extents[2 * extentCount - 2] + extents[2 * extentCount - 1] == position) {
            extents[2 * extentCount - 1] += count.toLong()
        } else {
            add(position, count.toLong())
        }
    }

    private fun add(
        position: Long,
        length: Long,
    ) {
        if (2 * extentCount == extents.size) extents = extents.copyOf(2 * extents.size)
        extents[2 * extentCount] = position
        extents[2 * extentCount + 1] = length
        extentCount++
    }

    fun toDelivery() = Delivery(DeliveryKind.BYTES, file, extents.copyOf(2 * extentCount), bytes.duplicate().flip())

    companion object {
        const val SIZE = 2 shl 20
    }
}
