package dev.cairn.multifile

import dev.cairn.sion.store.PositionedOutput
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * Holds the bytes that a rank writes, so that its group's collector can write them together with those of others. More than
 * [LARGEST_HELD] bytes go to the [file] at once, and so do all later ones: large writes need no collector. Belongs to one rank.
 */
internal class HeldWrites(private val file: PositionedOutput) : PositionedOutput {
    private val batch: WriteBatch = WriteBatch(LARGEST_HELD) { listOf(ByteBuffer.allocate(capacityFor(it.toInt()))) }

    /** Whether the rank wrote more than is held, and so writes to the file itself. */
    var isDirect = false
        private set

    /** The number of bytes that are held. */
    val byteCount: Long get() = batch.byteCount

    /** What is held, in ascending order, since a task's bytes are written from front to back. */
    val runs: List<PositionedBytes> get() = batch.runs

    override fun path(): Path = file.path()

    override fun write(position: Long, source: ByteBuffer) {
        if (!source.hasRemaining()) return
        if (!isDirect && batch.add(position, source)) return
        isDirect = true
        batch.runs.joined().forEach(file::write)
        batch.clear()
        file.write(position, source)
    }

    /** Few buffers, of which no more than half stays empty. */
    private fun capacityFor(byteCount: Int) = maxOf(byteCount, batch.byteCount.toInt(), LEAST_CAPACITY)
}

/** The most bytes that are held: a write of this size is efficient by itself. */
private const val LARGEST_HELD = 1L shl 20
private const val LEAST_CAPACITY = 64
