package dev.cairn.item

import dev.cairn.event.CheckpointException
import dev.cairn.state.NamedType
import dev.cairn.state.named
import kotlinx.serialization.Serializable
import java.lang.reflect.Array.getLength
import java.lang.reflect.Field
import java.lang.reflect.Modifier
import java.lang.reflect.ParameterizedType
import java.lang.reflect.Type
import java.nio.charset.Charset
import java.nio.file.Path
import java.util.EnumSet
import java.util.IdentityHashMap
import java.util.Locale
import java.util.Optional
import java.util.Random
import java.util.UUID
import java.util.WeakHashMap
import java.util.random.RandomGenerator

// What ObjectFields knows of the classes of the program, of the JDK and of Kotlin.

/** The classes of an object from the uppermost one on, with the types that stand for their parameters. */
internal fun typesOf(type: Class<*>, declared: NamedType?): List<Pair<Class<*>, Map<String, NamedType>>> {
    val arguments = declared?.takeIf { it.raw.java == type }?.arguments.orEmpty()
    val lowest =
        type to
            type.typeParameters
                .map { it.name }
                .zip(arguments)
                .toMap()
    return generateSequence(lowest, ::above)
        .takeWhile { (above, _) -> above !in ROOTS }
        .toList()
        .asReversed()
}

private fun above(below: Pair<Class<*>, Map<String, NamedType>>): Pair<Class<*>, Map<String, NamedType>>? {
    val (type, known) = below
    return type.superclass?.let { it to argumentsAbove(type, known) }
}

private fun argumentsAbove(below: Class<*>, known: Map<String, NamedType>): Map<String, NamedType> {
    val above = below.genericSuperclass as? ParameterizedType ?: return emptyMap()
    val names = below.superclass.typeParameters.map { it.name }
    return names
        .zip(above.actualTypeArguments)
        .mapNotNull { (name, type) -> typeOrNull(type, known)?.let { name to it } }
        .toMap()
}

/** Null if it has a parameter that is not [known]. */
internal fun typeOrNull(type: Type, known: Map<String, NamedType> = emptyMap()): NamedType? =
    try {
        named(type, known)
    } catch (_: CheckpointException) {
        null
    }

/** The fields of an `object` of Kotlin are static. */
internal val Field.isState: Boolean
    get() =
        when {
            Modifier.isTransient(modifiers) -> false
            Modifier.isStatic(modifiers) -> isStaticState && type != declaringClass && isObject(declaringClass)
            else -> true
        }

/** Whether a class from [lowest] up to that of [field] has another one of its name. */
internal fun isHiddenIn(lowest: Class<*>, field: Field) =
    generateSequence(lowest) { it.superclass }
        .takeWhile { it != field.declaringClass }
        .any { below -> below.declaredFields.any { it.name == field.name && it.isState } }

internal val Field.isStaticState: Boolean
    get() = Modifier.isStatic(modifiers) && !Modifier.isTransient(modifiers) && !isSynthetic

/** Whether it is an `object` of Kotlin. */
internal fun isObject(type: Class<*>) =
    type.declaredFields.any { it.name == "INSTANCE" && it.type == type && Modifier.isStatic(it.modifiers) }

/** Whether nothing of [value] can change. */
internal fun isFlat(value: Any?): Boolean =
    when (value) {
        null, is String, is Boolean, is Char, is Enum<*>, is UUID, is Path, is Locale, is Charset, is Class<*> -> true
        is Number -> value.javaClass.packageName in NUMBERS
        else -> isFlatClass(value.javaClass) || (isUnchanging(value) && partsOf(value, null).all { isFlat(it.value) })
    }

/** Whether nothing of its objects can change. */
internal fun isFlatClass(type: Class<*>) = type.packageName in CONSTANTS || FLAT.get(type)

/** Of the program, with constants alone. Parts of its own classes do not count, as they may lead back to it. */
private val FLAT =
    object : ClassValue<Boolean>() {
        override fun computeValue(type: Class<*>) =
            isOfProgram(type) &&
                typesOf(type, null).flatMap { (of, _) -> of.declaredFields.filter { it.isState } }.all(::isFlat)
    }

/** Whether it always holds the same, which never changes. */
internal fun isFlat(field: Field) =
    Modifier.isFinal(field.modifiers) &&
        field.type.run {
            if (isEnum) changingFieldOf(this) == null else kotlin.javaPrimitiveType != null || isConstantOfJdk
        }

/** The name of a field of these [constants] that a restart would lose, since only their names are saved; null if there is none. */
internal fun changingFieldOf(constants: Class<*>): String? = CHANGING.get(constants)

private val CHANGING =
    object : ClassValue<String?>() {
        override fun computeValue(type: Class<*>) =
            generateSequence(type) { it.superclass }
                .takeWhile { it != Enum::class.java }
                .flatMap { it.declaredFields.asSequence() }
                .find { (Modifier.STATIC or Modifier.TRANSIENT or Modifier.FINAL) and it.modifiers == 0 }
                ?.name
    }

private val Class<*>.isConstantOfJdk get() =
    this == String::class.java ||
        (Modifier.isFinal(modifiers) && packageName in CONSTANTS)

/** A list, set or map that no one can change, although what it holds may. */
internal fun isUnchanging(value: Any) = UNCHANGING.any { value.javaClass.name.startsWith(it) }

/** @property type as the type of the whole value names it; null if it does not */
internal class ValuePart(val value: Any?, val type: NamedType?)

/** The elements or entries of a value of [type], or its fields if its class is the program's; none of other objects. */
internal fun partsOf(value: Any, type: NamedType?): List<ValuePart> {
    val first = type?.arguments?.getOrNull(0)
    return when {
        value is Array<*> -> value.map { ValuePart(it, first) }
        value is Collection<*> -> value.map { ValuePart(it, first) }
        value is Map<*, *> -> value.keys.map { ValuePart(it, first) } + valuesOf(value, type)
        value is Optional<*> -> listOfNotNull(value.orElse(null)).map { ValuePart(it, first) }
        isOfProgram(value.javaClass) -> fieldsIn(value, type)
        else -> emptyList()
    }
}

private fun valuesOf(map: Map<*, *>, type: NamedType?) = map.values.map { ValuePart(it, type?.arguments?.getOrNull(1)) }

/** Without calling the program, whose accessors may do anything. */
private fun fieldsIn(value: Any, type: NamedType?): List<ValuePart> =
    typesOf(value.javaClass, type).flatMap { (of, known) ->
        of.declaredFields
            .filter { !Modifier.isStatic(it.modifiers) && it.trySetAccessible() }
            .map { ValuePart(it.get(value), typeOrNull(it.genericType, known)?.inFieldOf(of)) }
    }

/** With null where the codec of [owner] may take it: the fields do not say that, except that lists in records have none. */
private fun NamedType.inFieldOf(owner: Class<*>): NamedType {
    val isRecord = owner.isRecord && !owner.isAnnotationPresent(Serializable::class.java)
    return NamedType(raw, if (isRecord) arguments else arguments.map { it.inFieldOf(owner) }, isNullable = true)
}

internal fun isGenerator(value: Any) = value is RandomGenerator || value is kotlin.random.Random

internal fun isOfGenerators(type: NamedType?) = type?.arguments?.map { it.raw } == listOf(String::class, Random::class)

internal fun isCells(type: NamedType?) = type != null && type.raw.java.run { isArray && componentType.isPrimitive }

internal fun isCollection(type: NamedType?) =
    type != null && listOf(Collection::class, Map::class).any { it.java.isAssignableFrom(type.raw.java) }

/** Whether the fields of [type] and of the classes above it are the program's own. */
internal fun isOfProgram(type: Class<*>) =
    generateSequence(type) { it.superclass }
        .takeWhile { it !in ROOTS }
        .none { it.isHidden || it.isArray || isOfLibrary(it) }

/** Whether [type] is a class of the JDK or of Kotlin. */
internal fun isOfLibrary(type: Class<*>) =
    isOfJdk(type) || type.name.startsWith("kotlin.") || type.name.startsWith("kotlinx.")

private fun isOfJdk(type: Class<*>) =
    type.classLoader == null || type.classLoader === ClassLoader.getPlatformClassLoader()

/** Whether a codec of the class [type] makes an object of the class of [value]. */
internal fun comesBack(value: Any, type: Class<*>): Boolean {
    if (value.javaClass == (DECODED[type] ?: type)) return true
    val isCollection = value is Collection<*> || value is Map<*, *>
    if (isCollection) return type in DECODED && (isUnchanging(value) || isOfFixedSize(value))
    return value is Enum<*> || (isOfJdk(type) && isOfJdk(value.javaClass)) || isSealed(type)
}

/** A codec of such a class makes objects of those below it. */
private fun isSealed(type: Class<*>) =
    Modifier.isAbstract(type.modifiers) && type.isAnnotationPresent(Serializable::class.java)

internal fun isOfFixedSize(value: Any) = value.javaClass.name == "java.util.Arrays\$ArrayList"

/** Whether [fill] can change the elements of [value]. */
internal fun canBeFilled(value: Any): Boolean {
    val type = value.javaClass
    return when {
        value is IdentityHashMap<*, *> || value is WeakHashMap<*, *> -> false
        value is EnumSet<*> || isOfFixedSize(value) -> true
        type.name.startsWith("java.util.Collections\$Synchronized") -> true
        type.packageName in PUBLIC_COLLECTIONS -> Modifier.isPublic(type.modifiers)
        else -> false
    }
}

/** Puts one after the other, as the program has: a hash table grows as it did there. */
internal fun fill(map: MutableMap<Any?, Any?>, entries: Map<*, *>) {
    map.clear()
    for ((key, value) in entries) map[key] = value
}

internal fun fill(path: String, collection: MutableCollection<Any?>, elements: List<Any?>) {
    if (collection is MutableList<Any?> && isOfFixedSize(collection)) {
        requireLength(path, collection.size, elements.size)
        for ((index, element) in elements.withIndex()) collection[index] = element
    } else {
        collection.clear()
        for (element in elements) collection += element
    }
}

/** Copies the elements of [from] into [array], and arrays of them into the arrays that are there. */
@Suppress("UNCHECKED_CAST", "SuspiciousSystemArraycopy") // Both are of one class.
internal fun fill(path: String, array: Array<*>, from: Array<*>) {
    requireLength(path, array.size, from.size)
    for ((index, element) in from.withIndex()) {
        val present = array[index]
        if (present == null || element == null || !present.javaClass.isArray) {
            (array as Array<Any?>)[index] = element
        } else if (present is Array<*>) {
            fill("$path[$index]", present, element as Array<*>)
        } else {
            requireLength("$path[$index]", getLength(present), getLength(element))
            System.arraycopy(element, 0, present, 0, getLength(element))
        }
    }
}

private fun requireLength(path: String, present: Int, stored: Int) {
    if (present == stored) return
    throw notFitting(
        path,
        "'$path' has $stored elements in the checkpoint, and $present in the program, where it is in a final field: " +
            "make it of the same size, or let the field not be final.",
    )
}

/** Those of an array and of all arrays in it. */
internal fun lengthsOf(array: Array<*>): List<Int> =
    array.flatMap { element ->
        when {
            element is Array<*> -> listOf(element.size) + lengthsOf(element)
            element?.javaClass?.isArray == true -> listOf(getLength(element))
            else -> emptyList()
        }
    }

/** What a codec of an interface makes. */
private val DECODED =
    mapOf<Class<*>, Class<*>>(
        Collection::class.java to ArrayList::class.java,
        List::class.java to ArrayList::class.java,
        Set::class.java to LinkedHashSet::class.java,
        Map::class.java to LinkedHashMap::class.java,
    )
private val ROOTS = setOf(Any::class.java, Record::class.java)
private val NUMBERS = setOf("java.lang", "java.math")
private val CONSTANTS = setOf("java.time", "java.math")
private val PUBLIC_COLLECTIONS = setOf("java.util", "java.util.concurrent", "kotlin.collections")
private val UNCHANGING =
    listOf(
        "java.util.ImmutableCollections$",
        "java.util.Collections\$Singleton",
        "java.util.Collections\$Empty",
        "kotlin.collections.Empty",
        "kotlin.collections.builders.",
    )
