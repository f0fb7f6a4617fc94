package dev.cairn.checkpoint

import dev.cairn.checkpoint.TableOfContents.Companion.FRAME_SIZE
import java.nio.ByteBuffer
import java.util.zip.CRC32C

/** Computes the checksums of frames from consecutive pieces; no piece spans two frames. */
internal class FrameChecksums {
    private val checksums = ArrayList<Int>()
    private val frame = CRC32C()
    private var size = 0

    fun add(bytes: ByteBuffer) {
        size += bytes.remaining()
        check(size <= FRAME_SIZE) { "a piece spans two frames: please report this" }
        frame.update(bytes)
        if (size == FRAME_SIZE) endFrame()
    }

    /** The checksums of all frames; the last frame may be shorter. */
    fun finish(): List<Int> {
        if (size > 0) endFrame()
        return checksums
    }

    private fun endFrame() {
        checksums += frame.value.toInt()
        frame.reset()
        size = 0
    }
}
