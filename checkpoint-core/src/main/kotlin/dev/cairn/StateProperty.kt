package dev.cairn

import dev.cairn.event.requireDeclared
import kotlin.properties.PropertyDelegateProvider
import kotlin.reflect.KProperty

/**
 * State that still needs its name: `var time by replicated(0.0)` gives it that of the property, and
 * `replicated(0.0).named("time")` one in words, as in Java, which has no delegated properties. Each is for one name and one rank.
 * State that never gets a name would be saved nowhere, so the first step, or the opening of the checkpoints, is refused then.
 *
 * @param D the delegate of the property, which is also what [named] returns
 */
public class StateProperty<D> internal constructor(
    private val delegate: D,
    private val owner: Properties,
    private val declare: (name: String, formerNames: List<String>) -> Unit,
) : PropertyDelegateProvider<Any?, D> {
    private val formerNames = mutableListOf<String>()

    /** The item had this [name] in earlier versions of the program. Comes before the name. */
    public infix fun formerly(name: String): StateProperty<D> = apply { formerNames += name }

    override fun provideDelegate(thisRef: Any?, property: KProperty<*>): D = named(property.name)

    /** Declares the state under this [name]. */
    public infix fun named(name: String): D {
        owner.name(this, name) { declare(name, formerNames) }
        return delegate
    }
}

/**
 * A delegate of a `val … by`, which stays the same object although its content may change.
 * It belongs to one rank.
 */
public class Constant<T> internal constructor(
    @get:JvmName("get") public val value: T,
) {
    public operator fun getValue(thisRef: Any?, property: KProperty<*>): T = value
}

/** The properties without a name yet, of one rank's state or of one table's columns, by the functions that made them. */
internal class Properties {
    private val unnamed = LinkedHashMap<StateProperty<*>, String>()

    /** A property that the program has made with [function]. */
    fun <D> add(
        function: String,
        delegate: D,
        declare: (name: String, formerNames: List<String>) -> Unit,
    ): StateProperty<D> = StateProperty(delegate, this, declare).also { unnamed[it] = function }

    fun name(property: StateProperty<*>, name: String, declare: () -> Unit) {
        requireDeclared(property in unnamed) {
            "'$name' would be a second name of the same state: call the function again that declares it"
        }
        declare()
        unnamed -= property
    }

    fun requireNamed() {
        val function = unnamed.values.firstOrNull()
        requireDeclared(function == null) {
            "$function(…) was called without a name, so no checkpoint would contain what it declares: write " +
                "'val x by $function(…)' or $function(…).named(\"x\"), or leave it out"
        }
    }
}
