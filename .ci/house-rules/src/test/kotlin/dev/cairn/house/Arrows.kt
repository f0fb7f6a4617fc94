package dev.cairn.house

import com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage
import com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage
import com.tngtech.archunit.lang.ArchRule
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes

/**
 * The allowed dependencies between packages, as docs/architecture.md draws them.
 * [root] is the package that the house stands in, so that a planted house can stand elsewhere.
 */
class Arrows(private val root: String) {
    val rules: List<ArchRule> = ALLOWED.map { (user, used) -> mayUseOnly(user, used) } + everyoneHasAPlace()

    private fun mayUseOnly(user: String, used: Set<String>): ArchRule =
        classes()
            .that()
            .resideInAPackage(full(user))
            .should()
            .onlyDependOnClassesThat(
                resideOutsideOfPackage("$root..")
                    .or(resideInAnyPackage(*full(used + user))),
            ).allowEmptyShould(true)
            .`as`("${full(user)} uses, of Cairn, only ${used.map(::full).ifEmpty { "itself" }}")

    /** Otherwise the classes of a new package would be under no rule. */
    private fun everyoneHasAPlace(): ArchRule =
        classes().should().resideInAnyPackage(*full(ALLOWED.keys)).`as`("every package has its place in Arrows.kt")

    private fun full(packages: Set<String>): Array<String> = packages.map(::full).toTypedArray()

    private fun full(name: String): String = if (name.isEmpty()) root else "$root.$name"

    private companion object {
        val BYTES = setOf("sion.failure", "sion.field", "sion.format", "sion.layout", "sion.store")
        val MULTIFILE = BYTES + setOf("sion.file", "sion")
        val FILES = setOf("sion", "sion.failure", "sion.store")
        val WORDS = setOf("event", "sion.failure")
        val CELLS = setOf("grid", "redistribution")
        val ITEMS = WORDS + CELLS + setOf("checkpoint", "concentrate", "ranks", "sion.stripe", "state")
        val SAVED = ITEMS + FILES + setOf("item", "store", "reading")
        val FACES =
            FILES +
                setOf("", "concentrate", "event", "grid", "item", "java", "multifile", "options") +
                setOf("output", "ranks", "reading", "state", "testing")

        val ALLOWED: Map<String, Set<String>> =
            mapOf(
                "command.svg" to emptySet(),
                "command" to emptySet(),
                "sion.failure" to emptySet(),
                "sion.layout" to emptySet(),
                "sion.format" to setOf("sion.failure", "sion.field"),
                "sion.store.checked" to emptySet(),
                "sion.store" to setOf("sion.store.checked"),
                "sion.store.simulated" to setOf("sion.store", "sion.store.checked"),
                "sion.file" to BYTES,
                "sion" to BYTES + "sion.file",
                "sion.stripe" to emptySet(),
                "sion.field" to emptySet(),
                "sion.log" to setOf("sion.failure", "sion.file", "sion.field", "sion.store", "sion.stripe"),
                "sion.netcdf" to setOf("sion.field", "sion.file", "sion.store", "sion.stripe"),
                "sion.pnetcdf" to
                    setOf(
                        "sion.failure",
                        "sion.file",
                        "sion.field",
                        "sion.log",
                        "sion.netcdf",
                        "sion.store",
                        "sion.stripe",
                    ),
                "sion.subfiles" to setOf("sion.file", "sion.store", "sion.stripe"),
                "sion.append" to MULTIFILE,
                "sion.cursor" to setOf("sion", "sion.failure"),
                "sion.zstd" to setOf("sion", "sion.failure"),
                "sion.copy.part" to setOf("sion", "sion.file", "sion.layout", "sion.store"),
                "sion.copy" to setOf("sion", "sion.copy.part", "sion.store"),
                "sion.salvage.search" to BYTES + setOf("sion.file", "sion.stripe"),
                "sion.salvage" to MULTIFILE + setOf("sion.copy", "sion.copy.part", "sion.salvage.search"),
                "sion.cli.." to
                    FILES +
                    setOf("sion.copy", "sion.file", "sion.layout", "sion.log", "sion.pnetcdf", "sion.salvage") +
                    setOf("sion.stripe", "sion.subfiles", "sion.zstd", "command", "command.svg"),
                "event" to setOf("sion.store"),
                "grid" to emptySet(),
                "redistribution" to setOf("grid"),
                "ranks" to WORDS + "sion.store",
                "multifile" to FILES + WORDS + "ranks",
                "concentrate" to FILES - "sion" + WORDS + CELLS + setOf("multifile", "ranks", "sion.stripe"),
                "state" to WORDS + setOf("redistribution"),
                "store" to WORDS + FILES + setOf("ranks", "state"),
                "checkpoint" to WORDS + FILES + CELLS + setOf("ranks", "state", "store"),
                "item" to ITEMS + setOf("heap", "sion.store", "store"),
                "output" to ITEMS + FILES + setOf("item", "multifile", "sion.log", "sion.netcdf", "store"),
                "reading" to SAVED,
                "options" to
                    WORDS + FILES +
                    setOf("checkpoint", "concentrate", "multifile", "ranks", "state", "store"),
                "node" to SAVED - setOf("item", "reading") + setOf("multifile", "options"),
                "save" to SAVED + setOf("multifile", "node", "options"),
                "restore" to SAVED + "multifile",
                "run" to SAVED + setOf("multifile", "node", "options", "ranks", "restore", "save"),
                "" to SAVED + setOf("options", "output", "ranks", "restore", "run", "save", "sion.netcdf"),
                "java" to FACES + "run",
                "testing" to FACES + setOf("heap", "run", "save", "sion.store.simulated", "store"),
                "heap" to setOf("sion.store"),
                "report" to setOf("event", "options", "sion.store", "command.svg", "store"),
                "cli.." to SAVED + setOf("heap", "node", "options", "report", "run", "command", "testing"),
                "mpi" to setOf("event", "java", "ranks"),
                "examples.." to
                    FACES +
                    setOf("mpi", "sion.copy", "sion.cursor", "sion.netcdf", "sion.store.simulated", "sion.stripe"),
                "benchmarks.." to FACES + setOf("sion.copy", "sion.netcdf"),
            )
    }
}
