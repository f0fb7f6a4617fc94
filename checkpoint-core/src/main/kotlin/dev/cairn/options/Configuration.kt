package dev.cairn.options

import kotlinx.serialization.Serializable
import kotlinx.serialization.builtins.ListSerializer
import kotlinx.serialization.json.Json

/** The values of some [settings] with their sources. Immutable: a later source makes a copy. */
internal class Configuration private constructor(
    val settings: List<Setting<*>>,
    private val choices: Map<Setting<*>, Choice<*>>,
) {
    private class Choice<T>(val value: T, val text: String, val origin: Origin)

    operator fun <T> get(setting: Setting<T>): T {
        val choice = choices[setting] ?: return setting.default
        @Suppress("UNCHECKED_CAST") // "with" alone makes choices, and only of the setting's type
        return choice.value as T
    }

    /** The source of the value of [setting]. */
    fun originOf(setting: Setting<*>): Origin = choices[setting]?.origin ?: Origin.DEFAULT

    fun <T> with(setting: Setting<T>, value: T, origin: Origin): Configuration {
        val text = setting.print(value)
        val choice = Choice(setting.require(value, text, origin), text, origin)
        return Configuration(settings, choices + (setting to choice))
    }

    fun without(setting: Setting<*>): Configuration = Configuration(settings, choices - setting)

    fun <T> withText(setting: Setting<T>, text: String, origin: Origin): Configuration =
        with(setting, setting.parse(text, origin), origin)

    /** This configuration, overridden by [later]. */
    fun with(later: Configuration): Configuration = Configuration(settings, choices + later.choices)

    /** The part for [some] settings only. */
    fun only(some: List<Setting<*>>): Configuration = Configuration(some, choices.filterKeys { it in some })

    fun values(): List<ConfiguredValue> = settings.map { valueOf(it) }

    /** For other ranks, which may have other values. */
    fun encode(): String = Json.encodeToString(VALUES, values())

    private fun <T> valueOf(setting: Setting<T>): ConfiguredValue {
        val choice = choices[setting] ?: return ConfiguredValue(setting.name, setting.print(setting.default))
        return ConfiguredValue(setting.name, choice.text, "${choice.origin}")
    }

    override fun equals(other: Any?): Boolean =
        other is Configuration && settings == other.settings && settings.all { this[it] == other[it] }

    override fun hashCode(): Int = settings.map { this[it] }.hashCode()

    override fun toString(): String = values().joinToString { "${it.name} = ${it.value}" }

    companion object {
        /** No source has set anything yet. */
        fun of(settings: List<Setting<*>>): Configuration = Configuration(settings, emptyMap())
    }
}

/** What [Configuration.encode] made. */
internal fun decodedSettings(text: String): List<ConfiguredValue> = Json.decodeFromString(VALUES, text)

private val VALUES = ListSerializer(ConfiguredValue.serializer())

/** A setting for people: its name, its value and its source. */
@Serializable
internal data class ConfiguredValue(val name: String, val value: String, val origin: String = "${Origin.DEFAULT}")
