package dev.cairn.ranks

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
    private val bodyOf: (T) -> MessageBody,
    private val read: (ByteBuffer) -> T,
) {
    private val nameBytes = name.encodeToByteArray()
    private val headSize = (FIXED_SIZE + nameBytes.size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT

    fun encode(value: T): ByteBuffer {
        val body = bodyOf(value)
        val size = headSize + body.size
        require(size <= LARGEST) { "a $name takes $size bytes, and a message holds 2 GiB: send it in parts" }
        val message = ByteBuffer.allocate(size.toInt()).order(LITTLE_ENDIAN)
        message
            .put(MAGIC)
            .putLong(fingerprint)
            .putInt(nameBytes.size)
            .put(nameBytes)
            .position(headSize)
        body.put(message.slice().order(LITTLE_ENDIAN))
        return message.rewind()
    }

    /** The value in [message], which rank [sender] sent. */
    fun decode(message: ByteBuffer, sender: Int): T {
        requireSame(sentIn(message), sender)
        val body = message.duplicate().position(headSize)
        return read(body.slice().order(LITTLE_ENDIAN))
    }

    private fun requireSame(sent: Sent?, sender: Int) {
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
    private class Sent(val name: String, val fingerprint: Long)

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

/** The bytes of a value after the head of a message: their number, and what puts them into a buffer. */
internal class MessageBody(val size: Long, val put: (ByteBuffer) -> Unit)

/** The elements of an array, little-endian. */
private val ARRAYS: Map<Class<*>, MessageType<*>> =
    mapOf(
        arrays(8, ::DoubleArray, DoubleArray::size, { asDoubleBuffer().put(it) }, { asDoubleBuffer().get(it) }),
        arrays(4, ::FloatArray, FloatArray::size, { asFloatBuffer().put(it) }, { asFloatBuffer().get(it) }),
        arrays(8, ::LongArray, LongArray::size, { asLongBuffer().put(it) }, { asLongBuffer().get(it) }),
        arrays(4, ::IntArray, IntArray::size, { asIntBuffer().put(it) }, { asIntBuffer().get(it) }),
        arrays(2, ::ShortArray, ShortArray::size, { asShortBuffer().put(it) }, { asShortBuffer().get(it) }),
        arrays(2, ::CharArray, CharArray::size, { asCharBuffer().put(it) }, { asCharBuffer().get(it) }),
        arrays(1, ::ByteArray, ByteArray::size, { put(it) }, { get(it) }),
        arrays(1, ::BooleanArray, BooleanArray::size, ::putFlags, ::takeFlags),
    )

private fun putFlags(target: ByteBuffer, flags: BooleanArray) = flags.forEach { target.put(if (it) 1 else 0) }

private fun takeFlags(source: ByteBuffer, flags: BooleanArray) =
    flags.indices.forEach { flags[it] = source.get() != 0.toByte() }

private inline fun <reified A : Any> arrays(
    elementSize: Int,
    crossinline create: (Int) -> A,
    crossinline length: (A) -> Int,
    crossinline put: ByteBuffer.(A) -> Unit,
    crossinline take: ByteBuffer.(A) -> Unit,
): Pair<Class<*>, MessageType<*>> =
    A::class.java to
        MessageType<A>(
            A::class.java.typeName,
            fingerprint = 0,
            { array -> MessageBody(length(array).toLong() * elementSize) { it.put(array) } },
            { source -> create(source.remaining() / elementSize).also { source.take(it) } },
        )

/** The encoding of [type], which is an array of a primitive type, or the type of [serializer]. */
@PublishedApi
internal fun <T : Any> messageTypeOf(type: Class<*>, serializer: KSerializer<T>): MessageType<T> =
    arraysOf(type) ?: valuesOf(serializer)

private fun <T : Any> valuesOf(serializer: KSerializer<T>): MessageType<T> {
    val (name, fingerprint) = serializer.descriptor.let { messageName(it) to messageFingerprint(it) }
    return MessageType(name, fingerprint, serializer::bodyOf) { serializer.read(name, it) }
}

private fun <T> KSerializer<T>.bodyOf(value: T): MessageBody {
    val bytes = PartsEncoder().also { it.encodeSerializableValue(this, value) }.toByteArray()
    return MessageBody(bytes.size.toLong()) { it.put(bytes) }
}

/** Reads a value, part after part. The fingerprint has ensured that the receiver reads the same parts. */
private fun <T> KSerializer<T>.read(name: String, source: ByteBuffer): T =
    try {
        PartsDecoder(source.order(BIG_ENDIAN)).decodeSerializableValue(this).also { requireEnd(source) }
    } catch (unfit: SerializationException) {
        throw CallsDifferException("a message holds no $name of the receiver's: ${unfit.message}")
    } catch (_: BufferUnderflowException) {
        throw CallsDifferException("a message holds no $name of the receiver's: it ends within the value")
    }

private fun requireEnd(source: ByteBuffer) {
    if (source.hasRemaining()) throw SerializationException("it has ${source.remaining()} bytes left over")
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
