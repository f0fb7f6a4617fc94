package dev.cairn.store

import kotlinx.serialization.KSerializer
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.PrimitiveSerialDescriptor
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder

/**
 * A version of the checkpoint format, as a manifest states it: "2.0". Differences between older formats depend on
 * [major].
 */
@Serializable(with = FormatVersionText::class)
internal data class FormatVersion(val major: Int, val minor: Int) {
    /** Whether this version of Cairn can read it. */
    val isReadable: Boolean get() = known != null

    /** Whether it may have fields that this version of Cairn does not know. */
    val isExtended: Boolean get() = known.let { it != null && minor > it.minor }

    /** Whether its manifests may have parameters. */
    val hasParameters: Boolean get() = major == V2_1.major && minor >= V2_1.minor

    private val known: FormatVersion? get() = READ.find { it.major == major }

    override fun toString(): String = "$major.$minor"

    companion object {
        val V1 = FormatVersion(1, 0)
        val V2 = FormatVersion(2, 0)

        /** The first one whose manifests have parameters. */
        val V2_1 = FormatVersion(2, 1)

        /** That of a new checkpoint: the oldest that has all of its fields, so that older versions of Cairn call it whole. */
        fun written(parameters: List<Parameter>): FormatVersion = if (parameters.isEmpty()) V2 else V2_1

        /** Those that are read, for people. */
        const val READABLE = "1.x or 2.x"

        private val READ = listOf(V1, V2_1)
        private val shape = Regex("([0-9]{1,6})\\.([0-9]{1,6})")

        /** Null if [text] is no version at all. */
        fun parse(text: String): FormatVersion? =
            shape.matchEntire(text)?.destructured?.let { (major, minor) -> FormatVersion(major.toInt(), minor.toInt()) }
    }
}

internal object FormatVersionText : KSerializer<FormatVersion> {
    override val descriptor = PrimitiveSerialDescriptor("dev.cairn.FormatVersion", PrimitiveKind.STRING)

    override fun serialize(encoder: Encoder, value: FormatVersion) = encoder.encodeString(value.toString())

    override fun deserialize(decoder: Decoder): FormatVersion {
        val text = decoder.decodeString()
        return FormatVersion.parse(text) ?: throw SerializationException("'$text' is not a version like 2.0")
    }
}
