package dev.cairn

import kotlin.reflect.KProperty

// Values that a simulation keeps for the program. Those of primitives are never boxed.

/** A value of the program that is part of its state; the delegate of a `var … by`. */
public class Variable<T> internal constructor(
    @get:JvmName("get") @set:JvmName("set") public var value: T,
) {
    public operator fun getValue(
        thisRef: Any?,
        property: KProperty<*>,
    ): T = value

    public operator fun setValue(
        thisRef: Any?,
        property: KProperty<*>,
        value: T,
    ) {
        this.value = value
    }
}

/** A number of the program that is part of its state; the delegate of a `var … by`. */
public class DoubleVariable internal constructor(
    @get:JvmName("get") @set:JvmName("set") public var value: Double,
) {
    public operator fun getValue(
        thisRef: Any?,
        property: KProperty<*>,
    ): Double = value

    public operator fun setValue(
        thisRef: Any?,
        property: KProperty<*>,
        value: Double,
    ) {
        this.value = value
    }
}

/** A number of the program that is part of its state; the delegate of a `var … by`. */
public class LongVariable internal constructor(
    @get:JvmName("get") @set:JvmName("set") public var value: Long,
) {
    public operator fun getValue(
        thisRef: Any?,
        property: KProperty<*>,
    ): Long = value

    public operator fun setValue(
        thisRef: Any?,
        property: KProperty<*>,
        value: Long,
    ) {
        this.value = value
    }
}

/** A number of the program that is part of its state; the delegate of a `var … by`. */
public class IntVariable internal constructor(
    @get:JvmName("get") @set:JvmName("set") public var value: Int,
) {
    public operator fun getValue(
        thisRef: Any?,
        property: KProperty<*>,
    ): Int = value

    public operator fun setValue(
        thisRef: Any?,
        property: KProperty<*>,
        value: Int,
    ) {
        this.value = value
    }
}
