package dev.cairn.house

import com.tngtech.archunit.core.domain.JavaClass
import kotlin.jvm.optionals.getOrNull

/**
 * The names that more than one top-level type of [classes] has, each with the packages of those types. There should be none: then a name
 * says which type it is.
 */
fun namesOfSeveralTypes(classes: Iterable<JavaClass>): Map<String, List<String>> =
    classes
        .filter { it.isTopLevelClass && isDeclaredType(it) }
        .groupBy({ it.simpleName }, { it.packageName })
        .filterValues { it.size > 1 }
        .mapValues { it.value.sorted() }
        .toSortedMap()

/** Not what the compiler makes of a file with functions, or of a lambda, and not what describes a package. */
private fun isDeclaredType(type: JavaClass): Boolean {
    val kotlin = type.tryGetAnnotationOfType(Metadata::class.java).getOrNull()
    return !type.simpleName.endsWith("-info") && (kotlin == null || kotlin.kind == KOTLIN_CLASS)
}

private const val KOTLIN_CLASS = 1
