package dev.cairn.item

import java.lang.reflect.Array.getLength
import java.lang.reflect.Field
import java.lang.reflect.Modifier
import java.util.IdentityHashMap

// What static fields and constants of the program hold, which a restart finds there and does not make.

/** The objects that constants of [type], or of the class around it, hold, such as those of an `object` of Kotlin. */
internal fun constantsOf(type: Class<*>): Map<Any, String> {
    val constants = IdentityHashMap<Any, String>()
    if (isOfLibrary(type) && !type.name.startsWith("kotlin.")) return constants
    listOfNotNull(type, type.enclosingClass)
        .flatMap { it.declaredFields.asList() }
        .filter { it.type == type && CONSTANT and it.modifiers == CONSTANT && it.trySetAccessible() }
        .forEach { field -> field.get(null)?.let { constants.putIfAbsent(it, field.name) } }
    return constants
}

/** Refuses the constants of the enum [type] if one has a field that a restart would lose, since only their names are saved. */
internal fun requireConstants(type: Class<*>) {
    if (isOfLibrary(type)) return
    for (constant in type.enumConstants) {
        changingFieldOf(constant.javaClass)?.let {
            throw GraphRefusal("is a constant, whose field '$it' can change", "move that field into another object")
        }
        val field = fieldsOf(constant).find { mayChange(it.get(constant)) } ?: continue
        throw GraphRefusal(
            "is a constant, and what its field '${field.name}' holds may change",
            "move that field into another object, or let it be transient if it never does",
        )
    }
}

private fun fieldsOf(constant: Any): List<Field> =
    typesOf(constant.javaClass, null)
        .filter { (declaring, _) -> declaring != Enum::class.java }
        .flatMap { (declaring, _) -> declaring.declaredFields.asList() }
        .filter { NO_STATE and it.modifiers == 0 && !isFlat(it) }
        .onEach(::requireOpen)

/** A function of an enum holds no state, as good as always. */
private fun mayChange(held: Any?) =
    when (held) {
        is IntProgression, is LongProgression, is CharProgression, is ClosedFloatingPointRange<*> -> false
        else -> !isFlat(held) && !isFunction(checkNotNull(held).javaClass)
    }

/** A static field, and the object of a graph that it [holds][held]. */
internal class StaticHolder(field: Field, val held: Any) {
    val isFinal = Modifier.isFinal(field.modifiers)
    val name: String = field.name
    val words = "is also what the static field ${field.declaringClass.name}.$name holds"
}

/**
 * What static fields of the [classes] hold, and of those above them. There are objects of these classes, so to ask them initializes none:
 * that would run code of the program at a time that it does not expect. A comparator without state may as well be another one.
 */
internal fun staticHoldersOf(classes: List<Class<*>>): List<StaticHolder> =
    classes
        .flatMap { type -> typesOf(type, null).map { (declaring, _) -> declaring } }
        .distinct()
        .flatMap(STATIC_FIELDS::get)
        .mapNotNull { field -> field.get(null)?.let { StaticHolder(field, it) } }
        .filterNot { it.held is Comparator<*> && isFlat(it.held) }

/** None if a class that one of them is of cannot be loaded. */
private val STATIC_FIELDS =
    object : ClassValue<List<Field>>() {
        override fun computeValue(type: Class<*>): List<Field> =
            try {
                if (isOfLibrary(type)) emptyList() else type.declaredFields.filter(::leadsOn)
            } catch (_: LinkageError) {
                emptyList()
            }
    }

private fun leadsOn(field: Field) =
    Modifier.isStatic(field.modifiers) && !field.type.isPrimitive && field.trySetAccessible()

/** Whether it never changes and is the JDK's own, so that it does not matter if two places have the same one. */
internal fun isValueOfJdk(found: Any) = isUnchanging(found) && isFlat(found)

/** Whether it never changes, and is no sentinel: nothing but its content tells it from another one. */
internal fun mayBeTwo(found: Any) =
    isValueOfJdk(found) || (found.javaClass.isRecord && isFlat(found)) ||
        (found.javaClass.isArray && getLength(found) == 0)

private const val NO_STATE = Modifier.STATIC or Modifier.TRANSIENT
private const val CONSTANT = Modifier.STATIC or Modifier.FINAL
