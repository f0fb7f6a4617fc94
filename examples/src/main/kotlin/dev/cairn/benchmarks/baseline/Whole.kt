package dev.cairn.benchmarks.baseline

import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.channels.ReadableByteChannel
import java.nio.channels.WritableByteChannel
import java.nio.file.Path
import java.nio.file.StandardOpenOption.WRITE

/** A channel may take less than it is given. */
internal fun WritableByteChannel.writeAll(source: ByteBuffer) {
    while (source.hasRemaining()) {
        write(source)
    }
}

/** Forces what was written through another channel, as a program can that only has streams. */
internal fun Path.force() = FileChannel.open(this, WRITE).use { it.force(true) }

/** A channel may give less than there is room for. */
internal fun ReadableByteChannel.readAll(target: ByteBuffer) {
    while (target.hasRemaining()) {
        check(read(target) > 0) { "the file ends ${target.remaining()} bytes too early" }
    }
}
