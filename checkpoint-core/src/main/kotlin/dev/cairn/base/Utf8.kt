package dev.cairn.base

import kotlinx.serialization.SerializationException
import java.nio.ByteBuffer
import java.nio.charset.CharacterCodingException

// Text in UTF-8, without Java's default replacement of unencodable or undecodable parts by question marks.

/**
 * The bytes of [text]; [what] describes it in error messages.
 *
 * @throws SerializationException if [text] has an unpaired surrogate
 */
internal inline fun utf8Of(
    text: String,
    what: () -> String = { "a text" },
): ByteArray =
    try {
        // The strict conversion makes an encoder each time; texts without surrogates do not need it.
        val hasSurrogates = text.any { it.isSurrogate() }
        if (hasSurrogates) text.encodeToByteArray(throwOnInvalidSequence = true) else text.encodeToByteArray()
    } catch (half: CharacterCodingException) {
        throw SerializationException("${what()} has an unpaired surrogate, which is not a character", half)
    }

/**
 * The text whose bytes remain in [bytes]; [what] describes it in error messages.
 *
 * @throws SerializationException if they are not UTF-8
 */
internal inline fun textOfUtf8(
    bytes: ByteBuffer,
    what: () -> String = { "a text" },
): String =
    try {
        "${Charsets.UTF_8.newDecoder().decode(bytes.duplicate())}"
    } catch (malformed: CharacterCodingException) {
        throw SerializationException("${what()} is not UTF-8", malformed)
    }
