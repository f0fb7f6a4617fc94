package dev.cairn.output

import dev.cairn.concentrate.forEachStripe
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.stripe.SubFileLayout
import java.io.IOException
import java.nio.ByteBuffer

/**
 * One file in which several concentrators have their stripes in canonical order, seen by one of them. Only whole frames are written
 * and read, each with its checksum.
 *
 * @param sums the checksum of each frame of the file
 */
internal class SharedFile(
    private val file: BlockFile,
    private val layout: SubFileLayout,
    private val frameSize: Int,
    private val sums: LongArray,
) {
    fun write(number: Int, position: Long, bytes: ByteBuffer) =
        layout.forEachStripe(number, position, bytes) { offset, stripe ->
            requireOwner(offset)
            forEachFrame(offset, stripe) { frame, frameBytes -> sums[frame] = ArrayFileEnd.sumOf(frameBytes) }
            file.write(offset, stripe)
        }

    fun read(number: Int, position: Long, target: ByteBuffer) =
        layout.forEachStripe(number, position, target) { offset, stripe ->
            file.readFully(offset, stripe.duplicate())
            forEachFrame(offset, stripe) { frame, frameBytes -> requireSum(frame, frameBytes) }
        }

    /** What is written begins with a frame, if each byte before has an owner. */
    private fun requireOwner(offset: Long) {
        if (offset % frameSize == 0L) return
        throw InvalidDeclaration(
            Details(
                "the cell before byte $offset of ${file.path()} has no owner, so another one has two. Let each have " +
                    "one owner",
                path = file.path(),
            ),
        )
    }

    private fun requireSum(frame: Int, bytes: ByteBuffer) {
        val found = ArrayFileEnd.sumOf(bytes.duplicate())
        if (found == sums[frame]) return
        throw IOException(
            "${file.path()} is damaged: the ${bytes.remaining()} bytes from byte ${frame.toLong() * frameSize} on " +
                "should have the CRC32C ${sums[frame]}, but have $found. Read another copy of the file",
        )
    }

    private inline fun forEachFrame(offset: Long, bytes: ByteBuffer, visit: (frame: Int, bytes: ByteBuffer) -> Unit) {
        for (start in 0 until bytes.limit() step frameSize) {
            val length = minOf(frameSize, bytes.limit() - start)
            visit(((offset + start) / frameSize).toInt(), bytes.slice(start, length))
        }
    }
}
