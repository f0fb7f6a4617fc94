package dev.cairn.state

import java.io.BufferedReader
import java.io.BufferedWriter
import java.io.EOFException
import java.io.InputStream
import java.io.InputStreamReader
import java.io.ObjectInputFilter
import java.io.ObjectInputStream
import java.io.OutputStream
import java.io.OutputStreamWriter
import java.nio.charset.CharsetEncoder

// Readers that take bytes ahead of the program, so that only they know whether it has read all. The program may close them, as it is
// used to: that they stay open shows what it has left.

/** The text of [source]. */
internal class OpenReader(source: InputStream) :
    BufferedReader(InputStreamReader(source, Charsets.UTF_8.newDecoder())) {
    fun requireEnd() = check(read() < 0) { "text is left that was not read" }

    override fun close() = Unit
}

/** The objects of [source]. */
internal class OpenObjectInput(private val source: InputStream, filter: ObjectInputFilter) :
    ObjectInputStream(source) {
    init {
        objectInputFilter = filter
    }

    /** It may hold data of the program, or have taken the one byte of a null. */
    fun requireEnd() =
        check(read() < 0 && source.read() < 0 && !hasNull()) {
            "objects or data are left that were not read"
        }

    private fun hasNull(): Boolean =
        try {
            readObject()
            true
        } catch (_: EOFException) {
            false
        }

    override fun close() = Unit
}

/** A writer of text that refuses what [encoder] cannot encode. */
internal fun OutputStream.writer(encoder: CharsetEncoder) = BufferedWriter(OutputStreamWriter(this, encoder))
