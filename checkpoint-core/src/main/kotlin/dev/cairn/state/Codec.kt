package dev.cairn.state

import java.nio.ByteBuffer

/**
 * Turns an object into bytes and back. Both must not depend on the machine, the JVM or the order of a hash map: ranks
 * compare the bytes of values that should be the same everywhere, and a later version of the program reads them. Any
 * thread may share one.
 */
public interface Codec<T> {
    /** The format of the bytes, for people and for comparison with the stored format: not the name of a class. */
    public val format: String

    public fun encode(value: T): ByteArray

    /** The value in the remaining bytes; throws [IllegalArgumentException] if they hold no value. */
    public fun decode(bytes: ByteBuffer): T
}
