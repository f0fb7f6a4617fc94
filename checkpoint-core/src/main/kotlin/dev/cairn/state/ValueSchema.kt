package dev.cairn.state

import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.Transient
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonClassDiscriminator

/**
 * The structure of a value, as stored in the manifest.
 *
 * A type is named: `boolean`, `byte`, `short`, `char`, `int`, `long`, `float`, `double`, `text`, the unsigned `ubyte`,
 * `ushort`, `uint`, `ulong`, `any` for content that only the program can decode, or a name among [types]. A question
 * mark behind the name says that it may be null. The names among [types] link the parts of this schema and mean nothing
 * beyond it, so classes may be renamed: `Point`, `[Point]` for a list, `{Point}` for a set and `{text: Point}` for a
 * map.
 */
@Serializable
internal data class ValueSchema(
    val type: String,
    @OptIn(ExperimentalSerializationApi::class)
    @EncodeDefault(EncodeDefault.Mode.NEVER)
    val types: Map<String, TypeSchema> = emptyMap(),
) {
    /** The whole schema in one line: the name, or for a type with parts, its text in the manifest. */
    fun inWords(): String = if (types.isEmpty()) type else Json.encodeToString(serializer(), this)
}

/** A type that has parts. */
@OptIn(ExperimentalSerializationApi::class)
@JsonClassDiscriminator("kind")
@Serializable
internal sealed interface TypeSchema {
    /**
     * An object.
     *
     * @property properties the types by the names of the properties
     * @property owner the serial name of the program's class
     * @property optional the properties that have a default in the program
     */
    @Serializable
    @SerialName("class")
    data class Record(
        val properties: Map<String, String>,
        @Transient val owner: String = "",
        @Transient val optional: Set<String> = emptySet(),
    ) : TypeSchema

    /** One of several names. */
    @Serializable
    @SerialName("enum")
    data class Constants(
        val constants: List<String>,
        @Transient val owner: String = "",
    ) : TypeSchema

    /** An object of one of several classes, whose types are known by the names that are stored with the object. */
    @Serializable
    @SerialName("oneOf")
    data class Cases(
        val cases: Map<String, String>,
        @Transient val owner: String = "",
    ) : TypeSchema

    /** Elements in their order. */
    @Serializable
    @SerialName("list")
    data class Sequence(val element: String) : TypeSchema

    /** Elements that are all different. */
    @Serializable
    @SerialName("set")
    data class Distinct(val element: String) : TypeSchema

    @Serializable
    @SerialName("map")
    data class Dictionary(val key: String, val value: String) : TypeSchema
}
