package dev.cairn

import kotlin.properties.PropertyDelegateProvider
import kotlin.reflect.KProperty

/**
 * State that waits for its name: it is declared by the property that it stands behind with `by`. Each is for one property of
 * one rank.
 *
 * @param D what stands behind the property
 */
public class StateProperty<D> internal constructor(
    private val formerNames: List<String> = emptyList(),
    private val declare: (name: String, formerNames: List<String>) -> D,
) : PropertyDelegateProvider<Any?, D> {
    /** The property had this [name] in earlier versions of the program. */
    public infix fun formerly(name: String): StateProperty<D> = StateProperty(formerNames + name, declare)

    override fun provideDelegate(
        thisRef: Any?,
        property: KProperty<*>,
    ): D = named(property.name)

    /** For Java, which has no properties. */
    internal fun named(name: String): D = declare(name, formerNames)
}

/** What does not change, although its content may; behind a `val … by`. */
public class Constant<T> internal constructor(
    internal val value: T,
) {
    public operator fun getValue(
        thisRef: Any?,
        property: KProperty<*>,
    ): T = value
}
