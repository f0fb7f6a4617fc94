package dev.cairn.state

import java.io.InputStream
import java.io.OutputStream

/**
 * Writes a value into a stream of any length and reads it back: what a [Codec] is for values that are small. Cairn also calls [read] to
 * see whether stored bytes can be read, so it returns a new value and changes nothing else. Both run on the thread of their rank; a
 * codec that ranks of one process share is called by several of them at once.
 *
 * [Codecs.dataStream], [Codecs.objectStream] and [Codecs.textStream] wrap the stream, flush it, and see to it that reading leaves nothing.
 * [Codecs.stream] hands out the stream itself.
 */
public interface StreamCodec<T> {
    /** Writes [value]. Cairn closes [target], which ends when this returns: later writes fail. */
    @Throws(Exception::class)
    public fun write(target: OutputStream, value: T)

    /** The value; reads [source] to its end, since bytes that are left are refused. Cairn closes it. */
    @Throws(Exception::class)
    public fun read(source: InputStream): T
}
