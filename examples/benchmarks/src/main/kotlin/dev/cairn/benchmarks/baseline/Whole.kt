package dev.cairn.benchmarks.baseline

import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.channels.ReadableByteChannel
import java.nio.channels.WritableByteChannel
import java.nio.file.Path
import java.nio.file.StandardOpenOption.WRITE

/** Writes all bytes, since one call of a channel may write fewer. */
internal fun WritableByteChannel.writeAll(source: ByteBuffer) {
    while (source.hasRemaining()) {
        write(source)
    }
}

/** Forces bytes that were written through another channel, as a program that only has streams can. */
internal fun Path.force() = FileChannel.open(this, WRITE).use { it.force(true) }

/** Fills the buffer, since one call of a channel may read fewer bytes. */
internal fun ReadableByteChannel.readAll(target: ByteBuffer) {
    while (target.hasRemaining()) {
        check(read(target) > 0) { "the file ends ${target.remaining()} bytes too early" }
    }
}
