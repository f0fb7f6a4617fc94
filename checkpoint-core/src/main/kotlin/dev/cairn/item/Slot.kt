package dev.cairn.item

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.messageLine
import dev.cairn.state.Codec
import dev.cairn.state.Renames
import dev.cairn.state.SerialCodec
import dev.cairn.state.ValueSchema
import kotlinx.serialization.SerializationException
import java.nio.ByteBuffer

/** An object that the program holds as the item [name]: encodes its current value, and decodes and assigns a stored one. */
internal class Slot<T>(
    private val name: String,
    private val codec: Codec<T>,
    private val get: () -> T,
    private val set: (T) -> Unit,
) {
    /** Asked for once, when the item is declared: a worker of Cairn needs it, and calls no code of the program. */
    val format: String =
        givenBy(codec.format) {
            invalid(
                name,
                "the codec of '$name' has no format: getFormat() of ${codec.javaClass.name} returned null. Let it " +
                    "name the format of its bytes.",
            )
        }

    val schema: ValueSchema? get() = (codec as? SerialCodec)?.schema

    val present: T get() = get()

    fun encode(): ByteArray = encode(get())

    private fun encode(value: T): ByteArray {
        var place = ""
        try {
            val bytes = if (codec is SerialCodec) codec.encode(value) { place = it } else codec.encode(value)
            return givenBy(bytes) {
                notStorable(
                    name,
                    "'$name' cannot be stored: encode() of its codec '$format' returned null. Let it return the " +
                        "bytes of the value.",
                )
            }
        } catch (unfit: SerializationException) {
            throw notStorable(unfit, place)
        } catch (failure: NullPointerException) {
            throw noValue(value, place, failure)?.let(::notStorable) ?: failure
        }
    }

    /** What is wrong if another value than the present one is read from its bytes. If none can be read, a restore says why. */
    fun loss(): String? {
        val value = get()
        val bytes = encode(value)
        return try {
            "reads another value than was written".takeIf {
                isAnother(
                    value,
                    decode(ByteBuffer.wrap(bytes), Renames.NONE),
                )
            }
        } catch (_: CheckpointException) {
            null
        }
    }

    fun heldObject(): HeldObject<T>? = HeldObject.of(get, set)

    private fun notStorable(reason: Exception, place: String = ""): InvalidDeclaration {
        val part = if (place.isEmpty()) "" else "in '$name$place', "
        return notStorable(
            name,
            "'$name' cannot be stored: $part${reason.messageLine()}.",
        ).apply { addSuppressed(reason) }
    }

    /** A null of a program in Java, of which Kotlin's checks name a method or a cast. */
    private fun noValue(value: T, place: String, failure: NullPointerException): Exception? {
        if (value != null && failure.message?.contains(NULL_REFUSED) != true) return null
        val flaw =
            when {
                value == null -> "its value is null"
                place.isEmpty() -> "it holds a null"
                else -> "'$name$place' is null"
            }
        return IllegalArgumentException("$flaw, which its codec '$format' cannot write", failure)
    }

    /** Any exception of a codec or a class of the program means that the value cannot be decoded. */
    fun decode(bytes: ByteBuffer, renames: Renames): T =
        try {
            if (codec is SerialCodec) codec.decode(bytes, renames) else codec.decode(bytes)
        } catch (unfit: RuntimeException) {
            throw valueDiffers(name, unfit)
        }

    fun assign(value: T) = set(value)
}

private val NULL_REFUSED = Regex("^(?:Parameter specified as non-null is null|null cannot be cast to non-null type)")

/** What a function in Java has [returned], for which Kotlin knows no null. */
private inline fun <R : Any> givenBy(returned: R?, refusal: () -> InvalidDeclaration): R = returned ?: throw refusal()

/** The stored value of [item] cannot be decoded into the program's present type, although its schema fits. */
internal fun valueDiffers(item: String, reason: RuntimeException) =
    notFitting(
        item,
        "'$item' in the checkpoint is not a value of the program's type: ${reason.messageLine()}. Let the program " +
            "read it as it was stored, or declare removed(\"$item\") and give the new one another name.",
    ).apply { addSuppressed(reason) }
