package dev.cairn.ranks

import dev.cairn.event.CallsDifferException
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/**
 * One kind of message between ranks, stated once as a list of fields. Each message begins with a mark derived from its [name], so a
 * message of another kind is refused before any field is read.
 *
 * @param name the content of such a message, in words, for refusals
 */
internal class MessageFields<T>(private val name: String, private val structure: Structure<T>) {
    constructor(name: String, blank: T, fields: StructureIo.(T) -> T) : this(name, Structure(blank, fields))

    private val mark = name.hashCode()

    /** The message that holds [value]; it is never empty. */
    fun encode(value: T): ByteBuffer {
        val size = MARK_SIZE + structure.size(value)
        require(size <= LARGEST) { "a message that holds $name would take $size bytes, and a message holds 2 GiB" }
        val message = ByteBuffer.allocate(size.toInt()).order(LITTLE_ENDIAN)
        structure.write(value, message.putInt(mark))
        return message.flip()
    }

    /** @throws CallsDifferException if [message] is of another kind, or damaged */
    fun decode(message: ByteBuffer): T = reading(message.view()) { structure.readAll(it) }

    /** The values of concatenated messages. */
    fun decodeAll(messages: ByteBuffer): List<T> {
        val rest = messages.view()
        return buildList {
            while (rest.hasRemaining()) add(reading(rest) { structure.read(it) })
        }
    }

    private inline fun reading(source: ByteBuffer, read: (ByteBuffer) -> T): T =
        try {
            val isOfKind = source.remaining() >= MARK_SIZE && source.getInt() == mark
            require(isOfKind) { "it begins with the mark of another kind" }
            read(source)
        } catch (unfit: IllegalArgumentException) {
            throw CallsDifferException(
                "a message cannot be read as $name: ${unfit.message}. Let all ranks run the same version of " +
                    "Cairn, and call the same at the same point",
            )
        }
}

private const val MARK_SIZE = Int.SIZE_BYTES
private const val LARGEST = Int.MAX_VALUE - 8L

/** A message of plain bytes, possibly none. */
internal val BYTES = MessageFields("bytes", NOTHING) { bytes(it) }

/** A message without content: there is no failure. */
internal val DONE = MessageFields("that a step is done", Unit) {}
