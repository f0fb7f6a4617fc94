package dev.cairn.house

import com.tngtech.archunit.core.domain.JavaClass
import com.tngtech.archunit.core.importer.ClassFileImporter
import io.kotest.core.spec.style.funSpec
import io.kotest.matchers.maps.shouldBeEmpty
import java.nio.file.Path
import kotlin.jvm.optionals.getOrNull

/** Whoever reads a name in a module need not look up which of two types it is: each top-level type has a name of its own. */
fun typeNamesContract() =
    funSpec {
        test("no two top-level types have the same name") {
            namesOfSeveralTypes(ClassFileImporter().importPath(Path.of("target", "classes"))).shouldBeEmpty()
        }
    }

/** The names that more than one top-level type of [classes] has, each with the packages of those types. */
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
