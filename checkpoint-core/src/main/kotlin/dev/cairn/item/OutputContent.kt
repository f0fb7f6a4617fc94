package dev.cairn.item

import java.io.ByteArrayOutputStream
import java.nio.ByteBuffer
import java.util.zip.GZIPOutputStream

/** How the bytes that a program appends become those of the file. Each function passes on what the file gets. */
internal sealed interface OutputContent {
    fun encode(bytes: ByteBuffer, pass: (ByteBuffer) -> Unit)

    /** Passes on all that was encoded, so that it can be read. */
    fun flush(pass: (ByteBuffer) -> Unit)

    /** As [flush], and the file may be cut after it. */
    fun end(pass: (ByteBuffer) -> Unit)

    /** Forgets what was encoded and not passed on. */
    fun drop()

    data object Plain : OutputContent {
        override fun encode(bytes: ByteBuffer, pass: (ByteBuffer) -> Unit) = pass(bytes)

        override fun flush(pass: (ByteBuffer) -> Unit) = Unit

        override fun end(pass: (ByteBuffer) -> Unit) = Unit

        override fun drop() = Unit
    }

    /** Members, of which each begins with the first bytes after the [end] of the one before. */
    class Gzip : OutputContent {
        private val compressed = ByteArrayOutputStream()
        private var member: GZIPOutputStream? = null

        override fun encode(bytes: ByteBuffer, pass: (ByteBuffer) -> Unit) {
            val plain = ByteArray(bytes.remaining()).also { bytes.duplicate().get(it) }
            val open = member ?: GZIPOutputStream(compressed, CHUNK_SIZE, true).also { member = it }
            open.write(plain)
            drain(pass)
        }

        override fun flush(pass: (ByteBuffer) -> Unit) {
            member?.flush()
            drain(pass)
        }

        override fun end(pass: (ByteBuffer) -> Unit) {
            endMember()
            drain(pass)
        }

        override fun drop() {
            endMember()
            compressed.reset()
        }

        private fun endMember() {
            member?.close()
            member = null
        }

        private fun drain(pass: (ByteBuffer) -> Unit) {
            if (compressed.size() == 0) return
            val bytes = ByteBuffer.wrap(compressed.toByteArray())
            compressed.reset()
            pass(bytes)
        }
    }
}

private const val CHUNK_SIZE = 8192
