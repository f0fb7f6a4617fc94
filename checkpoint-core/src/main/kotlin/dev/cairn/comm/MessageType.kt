package dev.cairn.comm

import dev.cairn.event.CallsDifferException
import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.builtins.serializer
import java.nio.BufferUnderflowException
import java.nio.ByteBuffer
import java.nio.ByteOrder.BIG_ENDIAN
import java.nio.ByteOrder.LITTLE_ENDIAN

/**
 * The encoding of values of one type in messages. A message begins with the name of its type and the fingerprint of its
 * parts, so that a receiver that expects another type fails, and never misinterprets the bytes:
 *
 * ```
 * "CAIRNMSG"   u64 fingerprint   u32 size of the name   the name in UTF-8   zeros up to a multiple of 8   the value
 * ```
 *
 * @property fingerprint see [messageFingerprint]; 0 for arrays of a primitive type, whose names say all
 */
@PublishedApi
internal class MessageType<T>(
    private val name: String,
    private val fingerprint: Long,
    private val body: MessageBody<T>,
) {
    private val nameBytes = name.encodeToByteArray()
    private val headSize = (FIXED_SIZE + nameBytes.size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT

    fun encode(value: T): ByteBuffer = body.write(value) { size, put -> message(size, put) }

    private fun message(
        bodySize: Long,
        put: (ByteBuffer) -> Unit,
    ): ByteBuffer {
        val size = headSize + bodySize
        require(size <= LARGEST) { "a $name takes $size bytes, and a message holds 2 GiB: send it in parts" }
        val message = ByteBuffer.allocate(size.toInt()).order(LITTLE_ENDIAN)
        message
            .put(MAGIC)
            .putLong(fingerprint)
            .putInt(nameBytes.size)
            .put(nameBytes)
            .position(headSize)
        put(message.slice().order(LITTLE_ENDIAN))
        return message.rewind()
    }

    /** The value in [message], which rank [sender] sent. */
    fun decode(
        message: ByteBuffer,
        sender: Int,
    ): T {
        requireSame(sentIn(message), sender)
        return body.read(
            message
                .duplicate()
                .position(headSize)
                .slice()
                .order(LITTLE_ENDIAN),
        )
    }

    private fun requireSame(
        sent: Sent?,
        sender: Int,
    ) {
        if (sent?.name != name) {
            throw CallsDifferException(
                "rank $sender sent ${sent?.name ?: "bytes without a type"}, but $name is received: name the same " +
                    "type on both ranks",
            )
        }
        if (sent.fingerprint != fingerprint) {
            throw CallsDifferException(
                "rank $sender sent a $name, and a $name is received, but the parts of the two types differ: name " +
                    "the same type on both ranks, with the same type arguments",
            )
        }
    }

    /** The type that the head of a message names. */
    private class Sent(
        val name: String,
        val fingerprint: Long,
    )

    private fun sentIn(message: ByteBuffer): Sent? {
        val source = message.duplicate().order(LITTLE_ENDIAN)
        if (source.remaining() < FIXED_SIZE) return null
        if (!ByteArray(MAGIC.size).also { source.get(it) }.contentEquals(MAGIC)) return null
        val fingerprint = source.getLong()
        val size = source.getInt()
        if (size !in 0..source.remaining()) return null
        return Sent(ByteArray(size).also { source.get(it) }.decodeToString(), fingerprint)
    }
}

private val MAGIC = "CAIRNMSG".encodeToByteArray()
private val FIXED_SIZE = MAGIC.size + Long.SIZE_BYTES + Int.SIZE_BYTES
private const val ALIGNMENT = Long.SIZE_BYTES
private const val LARGEST = Int.MAX_VALUE - 8L

/** The bytes of a value after the head of a message. */
internal interface MessageBody<T> {
    /** Calls [make] with the size of [value] in bytes, and with a function that puts them into a buffer. */
    fun write(
        value: T,
        make: (size: Long, put: (ByteBuffer) -> Unit) -> ByteBuffer,
    ): ByteBuffer

    fun read(source: ByteBuffer): T
}

/** The elements of an array, little-endian. */
private class ArrayBody<A>(
    private val elementSize: Int,
    private val length: (A) -> Int,
    private val put: (ByteBuffer, A) -> Unit,
    private val take: (ByteBuffer, Int) -> A,
) : MessageBody<A> {
    override fun write(
        value: A,
        make: (size: Long, put: (ByteBuffer) -> Unit) -> ByteBuffer,
    ) = make(length(value).toLong() * elementSize) { put(it, value) }

    override fun read(source: ByteBuffer): A = take(source, source.remaining() / elementSize)
}

/** A value, part after part. The fingerprint has ensured that the receiver reads the same parts. */
private class ValueBody<T>(
    private val name: String,
    private val serializer: KSerializer<T>,
) : MessageBody<T> {
    override fun write(
        value: T,
        make: (size: Long, put: (ByteBuffer) -> Unit) -> ByteBuffer,
    ): ByteBuffer {
        val bytes = PartsEncoder().apply { encodeSerializableValue(serializer, value) }.toByteArray()
        return make(bytes.size.toLong()) { it.put(bytes) }
    }

    override fun read(source: ByteBuffer): T =
        try {
            PartsDecoder(source.order(BIG_ENDIAN)).decodeSerializableValue(serializer).also { requireEnd(source) }
        } catch (unfit: SerializationException) {
            throw CallsDifferException("a message holds no $name of the receiver's: ${unfit.message}")
        } catch (_: BufferUnderflowException) {
            throw CallsDifferException("a message holds no $name of the receiver's: it ends within the value")
        }

    private fun requireEnd(source: ByteBuffer) {
        if (source.hasRemaining()) throw SerializationException("it has ${source.remaining()} bytes left over")
    }
}

private val ARRAYS: Map<Class<*>, MessageType<*>> =
    mapOf(
        DoubleArray::class.java to
            arrays("double[]", 8, DoubleArray::size, { to, array -> to.asDoubleBuffer().put(array) }) { from, size ->
                DoubleArray(size).also { from.asDoubleBuffer().get(it) }
            },
        FloatArray::class.java to
            arrays("float[]", 4, FloatArray::size, { to, array -> to.asFloatBuffer().put(array) }) { from, size ->
                FloatArray(size).also { from.asFloatBuffer().get(it) }
            },
        LongArray::class.java to
            arrays("long[]", 8, LongArray::size, { to, array -> to.asLongBuffer().put(array) }) { from, size ->
                LongArray(size).also { from.asLongBuffer().get(it) }
            },
        IntArray::class.java to
            arrays("int[]", 4, IntArray::size, { to, array -> to.asIntBuffer().put(array) }) { from, size ->
                IntArray(size).also { from.asIntBuffer().get(it) }
            },
        ShortArray::class.java to
            arrays("short[]", 2, ShortArray::size, { to, array -> to.asShortBuffer().put(array) }) { from, size ->
                ShortArray(size).also { from.asShortBuffer().get(it) }
            },
        CharArray::class.java to
            arrays("char[]", 2, CharArray::size, { to, array -> to.asCharBuffer().put(array) }) { from, size ->
                CharArray(size).also { from.asCharBuffer().get(it) }
            },
        ByteArray::class.java to
            arrays("byte[]", 1, ByteArray::size, { to, array -> to.put(array) }) { from, size ->
                ByteArray(size).also { from.get(it) }
            },
        BooleanArray::class.java to
            arrays("boolean[]", 1, BooleanArray::size, ::putFlags) { from, size ->
                BooleanArray(size) { from.get() != 0.toByte() }
            },
    )

private fun putFlags(
    target: ByteBuffer,
    flags: BooleanArray,
) = flags.forEach { target.put(if (it) 1 else 0) }

private fun <A> arrays(
    name: String,
    elementSize: Int,
    length: (A) -> Int,
    put: (ByteBuffer, A) -> Unit,
    take: (ByteBuffer, Int) -> A,
) = MessageType(name, fingerprint = 0, ArrayBody(elementSize, length, put, take))

/** The encoding of [type], which is an array of a primitive type, or the type of [serializer]. */
@PublishedApi
internal fun <T : Any> messageTypeOf(
    type: Class<*>,
    serializer: KSerializer<T>,
): MessageType<T> = arraysOf(type) ?: valuesOf(serializer)

private fun <T : Any> valuesOf(serializer: KSerializer<T>): MessageType<T> {
    val name = messageName(serializer.descriptor)
    return MessageType(name, messageFingerprint(serializer.descriptor), ValueBody(name, serializer))
}

@Suppress("UNCHECKED_CAST") // The array's own type.
private fun <T : Any> arraysOf(type: Class<*>): MessageType<T>? = ARRAYS[type] as MessageType<T>?

/** The encoding of [type], for Java: arrays of a primitive type, and text. */
internal fun <A : Any> messageTypeOf(type: Class<A>): MessageType<A> = arraysOf(type) ?: textOf(type)

private fun <A : Any> textOf(type: Class<A>): MessageType<A> {
    require(type == String::class.java) {
        "a ${type.typeName} cannot be sent: send an array of a primitive type, a String, or bytes"
    }
    @Suppress("UNCHECKED_CAST") // Text is a String.
    return messageTypeOf(type, String.serializer() as KSerializer<A>)
}
