package dev.cairn

import kotlin.reflect.KProperty

/**
 * A value of the program that is part of its state and that Cairn holds; the delegate of a `var … by` in Kotlin. It belongs to one rank, and
 * is read and set on that rank's thread. Setting a number boxes it, so a loop over many cells sums into a local variable first.
 */
public class Variable<T> internal constructor(
    @get:JvmName("get") @set:JvmName("set") public var value: T,
) {
    public operator fun getValue(thisRef: Any?, property: KProperty<*>): T = value

    public operator fun setValue(thisRef: Any?, property: KProperty<*>, value: T) {
        this.value = value
    }
}
