package dev.cairn.sion.fuzz

import java.io.OutputStream

/** Takes what is printed about files of [size] bytes, and fails when it is more than they can give reason for. */
class NullSink(private val size: Int) : OutputStream() {
    private var written = 0L

    override fun write(byte: Int) = take(1)

    override fun write(bytes: ByteArray, offset: Int, length: Int) = take(length)

    private fun take(byteCount: Int) {
        written += byteCount
        if (written > SMALL_CHANGE + PRINTED_PER_BYTE * size) {
            throw TooMuchWork("$written bytes printed about files of $size bytes")
        }
    }

    private companion object {
        /** A thousand names of files that a file opened alone may list. */
        const val SMALL_CHANGE = 4L * 1024 * 1024

        /** A number of 8 bytes takes up to 30 characters, and is printed in several places. */
        const val PRINTED_PER_BYTE = 64L
    }
}
