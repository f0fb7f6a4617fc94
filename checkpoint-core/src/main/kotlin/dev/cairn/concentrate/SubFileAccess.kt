package dev.cairn.concentrate

import dev.cairn.sion.stripe.SubFileLayout
import java.nio.ByteBuffer

/**
 * Writes all of the bytes from a position on in the sub-file of a number, on the concentrator that serves it, or fills them from
 * there; throws if it cannot.
 */
internal typealias SubFileAccess = (number: Int, position: Long, bytes: ByteBuffer) -> Unit

/** The parts of [bytes], which belong to [position] of the sub-file [number], and the offset of each in the logical file. */
internal inline fun SubFileLayout.forEachStripe(
    number: Int,
    position: Long,
    bytes: ByteBuffer,
    crossinline visit: (offset: Long, stripe: ByteBuffer) -> Unit,
) = forEachRunOf(number, position, bytes.remaining().toLong()) { _, local, offset, length ->
    visit(offset, bytes.slice(bytes.position() + (local - position).toInt(), length.toInt()))
}
