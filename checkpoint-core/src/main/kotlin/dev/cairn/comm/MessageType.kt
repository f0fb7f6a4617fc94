package dev.cairn.comm

import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.builtins.serializer
import kotlinx.serialization.json.Json
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/**
 * How values of one type travel. A message begins with the name of its type, so that a receiver that expects another one is
 * told so, and never takes the bytes for something else:
 *
 * ```
 * "CAIRNMSG"   u32 size of the name   the name in UTF-8   zeros up to a multiple of 8   the value
 * ```
 */
@PublishedApi
internal class MessageType<T>(
    private val name: String,
    private val body: MessageBody<T>,
) {
    private val nameBytes = name.encodeToByteArray()
    private val headSize = (MAGIC.size + Int.SIZE_BYTES + nameBytes.size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT

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
        val sent = nameIn(message)
        if (sent != name) {
            throw CallsDifferException(
                "rank $sender sent ${sent ?: "bytes without a type"}, but $name is received: both ranks name the " +
                    "same type",
            )
        }
        return body.read(
            message
                .duplicate()
                .position(headSize)
                .slice()
                .order(LITTLE_ENDIAN),
        )
    }

    private fun nameIn(message: ByteBuffer): String? {
        val source = message.duplicate().order(LITTLE_ENDIAN)
        if (source.remaining() < MAGIC.size + Int.SIZE_BYTES) return null
        if (!ByteArray(MAGIC.size).also { source.get(it) }.contentEquals(MAGIC)) return null
        val size = source.getInt()
        if (size !in 0..source.remaining()) return null
        return ByteArray(size).also { source.get(it) }.decodeToString()
    }

    private companion object {
        val MAGIC = "CAIRNMSG".encodeToByteArray()
        const val ALIGNMENT = Long.SIZE_BYTES
        const val LARGEST = Int.MAX_VALUE - 8L
    }
}

/** The bytes of a value behind the head of a message. */
internal interface MessageBody<T> {
    /** Tells [make] how many bytes [value] takes, and what puts them into a buffer of that size. */
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

/** A value as JSON, in which numbers of any kind come back with all their bits but those of a NaN. */
private class ValueBody<T>(
    private val serializer: KSerializer<T>,
) : MessageBody<T> {
    override fun write(
        value: T,
        make: (size: Long, put: (ByteBuffer) -> Unit) -> ByteBuffer,
    ): ByteBuffer {
        val bytes = json.encodeToString(serializer, value).encodeToByteArray()
        return make(bytes.size.toLong()) { it.put(bytes) }
    }

    override fun read(source: ByteBuffer): T =
        try {
            json.decodeFromString(serializer, Charsets.UTF_8.decode(source).toString())
        } catch (unfit: SerializationException) {
            throw CallsDifferException(
                "a message holds no ${serializer.descriptor.serialName} of the receiver's: ${unfit.message}",
            )
        }

    private companion object {
        val json =
            Json {
                encodeDefaults = true
                allowSpecialFloatingPointValues = true
                allowStructuredMapKeys = true
            }
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
) = MessageType(name, ArrayBody(elementSize, length, put, take))

/** How values of [type] travel, which is an array of a primitive type, or what [serializer] serializes. */
@PublishedApi
internal fun <T : Any> messageTypeOf(
    type: Class<*>,
    serializer: KSerializer<T>,
): MessageType<T> = arraysOf(type) ?: MessageType(serializer.descriptor.serialName, ValueBody(serializer))

@Suppress("UNCHECKED_CAST") // The array's own type.
private fun <T : Any> arraysOf(type: Class<*>): MessageType<T>? = ARRAYS[type] as MessageType<T>?

/** How values of [type] travel, for Java: arrays of a primitive type, and text. */
internal fun <A : Any> messageTypeOf(type: Class<A>): MessageType<A> = arraysOf(type) ?: textOf(type)

private fun <A : Any> textOf(type: Class<A>): MessageType<A> {
    require(type == String::class.java) {
        "a ${type.typeName} has no type that travels: send an array of a primitive type, a String, or bytes"
    }
    @Suppress("UNCHECKED_CAST") // Text is a String.
    return messageTypeOf(type, String.serializer() as KSerializer<A>)
}
