package dev.cairn.options

import kotlin.properties.ReadWriteProperty
import kotlin.reflect.KProperty

/** The settings that a program assigns, as values or as properties of a builder: `var keepLast: Int by values[KEEP_LAST]`. */
internal class AssignedSettings(var configuration: Configuration) {
    /** Null takes back what was assigned. */
    fun <T> assign(setting: Setting<T>, value: T?) {
        configuration =
            if (value == null) configuration.without(setting) else configuration.with(setting, value, Origin.PROGRAM)
    }

    operator fun <T> get(setting: Setting<T>): ReadWriteProperty<Any, T> = Property(setting)

    private inner class Property<T>(private val setting: Setting<T>) : ReadWriteProperty<Any, T> {
        override fun getValue(thisRef: Any, property: KProperty<*>): T = configuration[setting]

        override fun setValue(thisRef: Any, property: KProperty<*>, value: T) = assign(setting, value)
    }
}
