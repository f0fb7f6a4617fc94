package dev.cairn

import kotlin.properties.PropertyDelegateProvider
import kotlin.reflect.KProperty

/**
 * State without a name yet: the property that is delegated to it with `by` declares it under the property's name. Each
 * is for one property of one rank.
 *
 * @param D the delegate of the property
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

/** A delegate of a `val … by`, which stays the same object although its content may change. */
public class Constant<T> internal constructor(
    internal val value: T,
) {
    public operator fun getValue(
        thisRef: Any?,
        property: KProperty<*>,
    ): T = value
}
