package dev.cairn.item

import java.lang.reflect.Modifier
import java.util.Objects

/**
 * Whether [read] is another value than the [saved] one it should be. Their equals() says so only where it is certain to compare what
 * they hold: texts, numbers and constants, arrays and collections of them, and objects whose fields are of such types.
 */
internal fun isAnother(saved: Any?, read: Any?): Boolean =
    !Objects.deepEquals(saved, read) && CertainEquality().of(saved)

private class CertainEquality {
    private val classes = HashMap<Class<*>, Boolean>()

    fun of(value: Any?): Boolean =
        when {
            value == null -> true
            value is Array<*> -> value.all(::of)
            value is List<*> || value is Set<*> -> value.isOfLibrary && value.all(::ofElement)
            value is Map<*, *> -> value.isOfLibrary && value.all { (key, its) -> ofElement(key) && ofElement(its) }
            else -> value.javaClass.isArray || classes.getOrPut(value.javaClass) { value.javaClass.comparesFields }
        }

    /** An array within a collection is equal to itself alone. */
    private fun ofElement(value: Any?): Boolean = value?.javaClass?.isArray != true && of(value)
}

private val Any.isOfLibrary: Boolean
    get() = javaClass.packageName.startsWith("java.util") || javaClass.packageName == "kotlin.collections"

private val Class<*>.comparesFields: Boolean
    get() = isPlain || (hasOwnEquals && fieldsOfObjects.all { it.type.isPlain })

private val Class<*>.hasOwnEquals: Boolean get() = getMethod("equals", Any::class.java).declaringClass == this

private val Class<*>.fieldsOfObjects
    get() =
        generateSequence<Class<*>>(this) { it.superclass }
            .flatMap { it.declaredFields.asSequence() }
            .filterNot { Modifier.isStatic(it.modifiers) }

private val Class<*>.isPlain: Boolean
    get() =
        isPrimitive || Enum::class.java.isAssignableFrom(this) || this == String::class.java ||
            kotlin.javaPrimitiveType != null
