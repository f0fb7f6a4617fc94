package dev.cairn.codec

import java.io.BufferedReader
import java.io.BufferedWriter
import java.io.DataInput
import java.io.DataInputStream
import java.io.DataOutput
import java.io.DataOutputStream
import java.io.InputStream
import java.io.ObjectInput
import java.io.ObjectInputFilter
import java.io.ObjectOutput
import java.io.ObjectOutputStream
import java.io.OutputStream

/**
 * Writes a value into a stream of any length and reads it back: what a [Codec] is for values that are small. Cairn also calls [read] to
 * see whether stored bytes can be read, so it returns a new value and changes nothing else. Both run on the thread of their rank; a
 * codec that ranks of one process share is called by several of them at once.
 *
 * [data], [objects] and [text] wrap the stream, flush it, and see to it that reading leaves nothing. [of] hands out the stream itself.
 */
public interface StreamCodec<T> {
    /** Writes [value]. Cairn closes [target], which ends when this returns: later writes fail. */
    @Throws(Exception::class)
    public fun write(
        target: OutputStream,
        value: T,
    )

    /** The value; reads [source] to its end, since bytes that are left are refused. Cairn closes it. */
    @Throws(Exception::class)
    public fun read(source: InputStream): T

    /** Writes a value in one way of writing, such as a [DataOutput]. May throw any exception. */
    public fun interface Writing<in W, in T> {
        @Throws(Exception::class)
        public fun write(
            target: W,
            value: T,
        )
    }

    /** Reads a value in one way of reading, such as a [DataInput]. May throw any exception. */
    public fun interface Reading<in R, out T> {
        @Throws(Exception::class)
        public fun read(source: R): T
    }

    public companion object {
        /** Numbers and texts, as a [DataOutput] writes them. */
        @JvmStatic
        public fun <T> data(
            write: Writing<DataOutput, T>,
            read: Reading<DataInput, T>,
        ): StreamCodec<T> =
            of({ target, value -> write.write(DataOutputStream(target), value) }, { read.read(DataInputStream(it)) })

        /**
         * Objects of `Serializable` classes, as an [ObjectOutput] writes them, for restarts of the same program.
         *
         * @param filter allows the classes that may be read, such as
         *     `ObjectInputFilter.Config.createFilter("com.example.*;java.base/java.util.*;!*")`
         */
        @JvmStatic
        public fun <T> objects(
            filter: ObjectInputFilter,
            write: Writing<ObjectOutput, T>,
            read: Reading<ObjectInput, T>,
        ): StreamCodec<T> =
            of(
                { target, value -> ObjectOutputStream(target).use { write.write(it, value) } },
                { source -> OpenObjectInput(source, filter).run { read.read(this).also { requireEnd() } } },
            )

        /** Text in UTF-8. A text with an unpaired surrogate is refused, since UTF-8 cannot encode it. */
        @JvmStatic
        public fun <T> text(
            write: Writing<BufferedWriter, T>,
            read: Reading<BufferedReader, T>,
        ): StreamCodec<T> =
            of(
                { target, value -> target.writer(Charsets.UTF_8.newEncoder()).use { write.write(it, value) } },
                { source -> OpenReader(source).run { read.read(this).also { requireEnd() } } },
            )

        /** Bytes. A wrapper around the stream, such as one that compresses, is flushed or finished by [write]. */
        @JvmStatic
        public fun <T> of(
            write: Writing<OutputStream, T>,
            read: Reading<InputStream, T>,
        ): StreamCodec<T> =
            object : StreamCodec<T> {
                override fun write(
                    target: OutputStream,
                    value: T,
                ) = write.write(target, value)

                override fun read(source: InputStream): T = read.read(source)
            }
    }
}
