package dev.cairn.options

// Settings as a checkpoint keeps them, among other facts of its provenance.

/** Two entries for each setting: its value, and its origin unless that is the default. */
internal fun Configuration.toProvenance(): Map<String, String> =
    buildMap {
        for (setting in values()) {
            put(VALUE + setting.name, setting.value)
            if (setting.origin != DEFAULT) put(ORIGIN + setting.name, setting.origin)
        }
    }

/** The settings among the entries of [provenance]. */
internal fun recordedSettings(provenance: Map<String, String>): List<ConfiguredValue> =
    provenance.filterKeys { it.startsWith(VALUE) }.map { (key, value) ->
        val name = key.removePrefix(VALUE)
        ConfiguredValue(name, value, provenance[ORIGIN + name] ?: DEFAULT)
    }

/** The other entries. */
internal fun withoutSettings(provenance: Map<String, String>): Map<String, String> =
    provenance.filterKeys { !it.startsWith(VALUE) && !it.startsWith(ORIGIN) }

private const val VALUE = "config."
private const val ORIGIN = "origin."
private val DEFAULT = "${Origin.DEFAULT}"
