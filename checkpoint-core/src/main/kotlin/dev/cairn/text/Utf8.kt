package dev.cairn.text

import kotlinx.serialization.SerializationException
import java.nio.ByteBuffer
import java.nio.charset.CharacterCodingException

// Text in UTF-8, without the question marks that stand by default for what cannot be encoded or decoded.

/**
 * The bytes of [text]; [what] it is, for the words of a refusal.
 *
 * @throws SerializationException if [text] is no text, but has half of a pair of surrogates
 */
internal inline fun utf8Of(
    text: String,
    what: () -> String = { "a text" },
): ByteArray =
    try {
        text.encodeToByteArray(throwOnInvalidSequence = true)
    } catch (half: CharacterCodingException) {
        throw SerializationException("${what()} has an unpaired surrogate, which is not a character", half)
    }

/**
 * The text whose bytes remain in [bytes]; [what] they are, for the words of a refusal.
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
