package dev.cairn.house

import com.tngtech.archunit.base.DescribedPredicate
import com.tngtech.archunit.core.domain.JavaClass
import com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage
import com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage
import com.tngtech.archunit.lang.ArchRule
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes

/**
 * Who may use whom: dependencies point one way, as docs/architecture.md draws them.
 * [root] is the package that the house stands in, so that a planted house can stand elsewhere.
 */
class Arrows(
    private val root: String,
) {
    val rules: List<ArchRule> = ALLOWED.map { (user, used) -> mayUseOnly(user, used) } + everyoneHasAPlace()

    private fun mayUseOnly(
        user: String,
        used: Set<String>,
    ): ArchRule =
        classes()
            .that()
            .resideInAPackage(full(user))
            .should()
            .onlyDependOnClassesThat(
                resideOutsideOfPackage("$root..")
                    .or(resideInAnyPackage(*full(used + user)))
                    .or(sharedVocabulary()),
            ).allowEmptyShould(true)
            .`as`("${full(user)} uses, of Cairn, only ${used.map(::full).ifEmpty { "itself" }}")

    /** Otherwise the classes of a new package would be under no rule. */
    private fun everyoneHasAPlace(): ArchRule =
        classes().should().resideInAnyPackage(*full(ALLOWED.keys)).`as`("every package has its place in Arrows.kt")

    /** The words in which a whole module complains are its root's, but everybody's to use. */
    private fun sharedVocabulary(): DescribedPredicate<JavaClass> =
        DescribedPredicate.describe("are the shared exceptions") { type ->
            VOCABULARY.any { type.name == full(it) || type.name.startsWith(full(it) + "$") }
        }

    private fun full(packages: Set<String>): Array<String> = packages.map(::full).toTypedArray()

    private fun full(name: String): String = if (name.isEmpty()) root else "$root.$name"

    private companion object {
        val BYTES = setOf("sion.failure", "sion.format", "sion.layout", "sion.store")
        val MULTIFILE = BYTES + setOf("sion.file", "sion")
        val GEOMETRY = setOf("grid", "cells")
        val FILES = setOf("sion", "sion.failure", "sion.store")
        val FACES = FILES + setOf("", "comm", "grid", "multifile", "random", "reading", "state")
        val VOCABULARY = setOf("CheckpointException")

        val ALLOWED: Map<String, Set<String>> =
            mapOf(
                "sion.failure" to emptySet(),
                "sion.layout" to emptySet(),
                "sion.format" to setOf("sion.failure"),
                "sion.store.checked" to emptySet(),
                "sion.store" to setOf("sion.store.checked"),
                "sion.store.simulated" to setOf("sion.store", "sion.store.checked"),
                "sion.file" to BYTES,
                "sion" to BYTES + "sion.file",
                "sion.append" to MULTIFILE,
                "sion.cursor" to setOf("sion", "sion.failure"),
                "sion.zstd" to setOf("sion", "sion.failure"),
                "sion.copy.part" to setOf("sion", "sion.layout", "sion.store"),
                "sion.copy" to setOf("sion", "sion.copy.part", "sion.store"),
                "sion.salvage.search" to BYTES + "sion.file",
                "sion.salvage" to MULTIFILE + setOf("sion.copy", "sion.copy.part", "sion.salvage.search"),
                "sion.cli.." to
                    FILES + setOf("sion.copy", "sion.salvage", "sion.zstd"),
                "comm" to emptySet(),
                "multifile" to FILES + "comm",
                "grid" to emptySet(),
                "cells" to setOf("grid"),
                "random" to emptySet(),
                "redistribution" to GEOMETRY,
                "schema" to emptySet(),
                "store" to setOf("sion.failure", "sion.store", "schema"),
                "config" to setOf("sion.store", "store"),
                "state" to GEOMETRY + FILES + setOf("comm", "redistribution", "schema"),
                "save" to GEOMETRY + FILES + setOf("comm", "multifile", "schema", "state", "store"),
                "reading" to GEOMETRY + FILES + setOf("redistribution", "schema", "state", "store"),
                "restore" to
                    GEOMETRY + FILES +
                    setOf("comm", "multifile", "redistribution", "schema", "state", "store", "reading"),
                "" to
                    GEOMETRY + FILES +
                    setOf(
                        "sion.store.simulated",
                        "comm",
                        "config",
                        "multifile",
                        "random",
                        "redistribution",
                        "state",
                        "store",
                        "save",
                        "reading",
                        "restore",
                    ),
                "cli.." to
                    GEOMETRY + FILES +
                    setOf(
                        "",
                        "sion.cli",
                        "comm",
                        "config",
                        "multifile",
                        "redistribution",
                        "state",
                        "store",
                        "reading",
                        "restore",
                    ),
                "mpi" to setOf("comm"),
                "examples.." to FACES + setOf("sion.copy", "sion.cursor", "sion.store.simulated"),
                "benchmarks.." to FACES + "sion.copy",
            )
    }
}
