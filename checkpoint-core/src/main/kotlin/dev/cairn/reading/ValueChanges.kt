package dev.cairn.reading

import dev.cairn.item.valueDiffers
import dev.cairn.state.Codec
import dev.cairn.state.PropertyChanges
import dev.cairn.state.Renames
import dev.cairn.state.SerialCodec
import dev.cairn.state.ValueMatching
import java.nio.ByteBuffer
import java.util.function.Consumer

/**
 * The declared differences between a reader's classes and the saved ones. Properties are named with their item's name first, such
 * as `config.b`. The functions are those with which a program declares its state. Valid only during the call to which it is
 * passed.
 */
public class ValueChanges internal constructor() {
    private val removed = mutableSetOf<String>()
    private val formerly = mutableMapOf<String, List<String>>()

    internal fun declared() = PropertyChanges(removed, formerly)

    /** The checkpoint may hold the property [path], which the reader does not need. */
    public fun removed(path: String) {
        removed += path
    }

    /** In the checkpoint the property [path] may have one of these [names]. */
    public fun formerly(path: String, vararg names: String) {
        formerly[path] = formerly[path].orEmpty() + names
    }

    internal companion object {
        val NONE = Consumer<ValueChanges> { }
    }
}

/**
 * Reads values of this item with [codec], after it has compared their schema with that of the codec. Codecs of the reader's own
 * and checkpoints of format 1.0 have no schema.
 */
internal fun <T> StoredBytes.decoder(codec: Codec<T>, changes: Consumer<ValueChanges>): (ByteBuffer) -> T {
    require(codec.format == described.elementType) {
        "'$name' is stored as ${described.elementType}, not as ${codec.format}: decode it with a codec of that format"
    }
    if (codec !is SerialCodec) return codec::decode
    val allowed = ValueChanges().also(changes::accept).declared()
    val stored = described.schema
    val renames =
        if (stored == null) {
            Renames.NONE
        } else {
            ValueMatching(name, stored, codec.schema, allowed, state.save).fit().renames
        }
    return { bytes -> decode(codec, bytes, renames) }
}

private fun <T> StoredBytes.decode(codec: SerialCodec<T>, bytes: ByteBuffer, renames: Renames): T =
    try {
        codec.decode(bytes, renames)
    } catch (unfit: RuntimeException) {
        throw valueDiffers(name, unfit)
    }
