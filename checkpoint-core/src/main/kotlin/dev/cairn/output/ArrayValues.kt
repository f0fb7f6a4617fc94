package dev.cairn.output

import dev.cairn.state.ArrayKind

/** The kind of the array that a program gives for a [variable]. */
internal fun kindOf(variable: String, values: Any): ArrayKind<Any> {
    require(values.javaClass.componentType?.isPrimitive == true) {
        "the values of variable '$variable' are in no array of a primitive type. Put them into one, such as a " +
            "DoubleArray, which is double[] in Java"
    }
    return ArrayKind.ofArrays(values.javaClass)
}
