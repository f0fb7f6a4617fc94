package dev.cairn.house

import com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage
import com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage
import com.tngtech.archunit.lang.ArchRule
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes

/**
 * The allowed dependencies between packages, as docs/architecture.md draws them.
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
                    .or(resideInAnyPackage(*full(used + user))),
            ).allowEmptyShould(true)
            .`as`("${full(user)} uses, of Cairn, only ${used.map(::full).ifEmpty { "itself" }}")

    /** Otherwise the classes of a new package would be under no rule. */
    private fun everyoneHasAPlace(): ArchRule =
        classes().should().resideInAnyPackage(*full(ALLOWED.keys)).`as`("every package has its place in Arrows.kt")

    private fun full(packages: Set<String>): Array<String> = packages.map(::full).toTypedArray()

    private fun full(name: String): String = if (name.isEmpty()) root else "$root.$name"

    private companion object {
        val BYTES = setOf("sion.failure", "sion.format", "sion.layout", "sion.store")
        val MULTIFILE = BYTES + setOf("sion.file", "sion")
        val FILES = setOf("sion", "sion.failure", "sion.store")
        val WORDS = setOf("text", "failure", "sion.failure")
        val CELLS = setOf("grid", "cells", "redistribution")
        val MESSAGES = setOf("comm", "comm.plan", "comm.inprocess", "comm.transport", "ranks")
        val VALUES = setOf("state", "schema", "cbor", "codec")
        val ITEMS =
            WORDS + CELLS + VALUES + setOf("concentrate", "contents", "disk", "comm", "structure", "sion.stripe")
        val SAVED = ITEMS + FILES + setOf("item", "store", "stored", "reading")
        val FACES =
            FILES +
                setOf("", "arrays", "codec", "comm", "comm.plan", "comm.transport", "concentrate", "dedicated") +
                setOf("event", "failure", "grid", "item", "java", "multifile", "options", "random", "ranks") +
                setOf("reading", "state", "testing")

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
                "sion.stripe" to emptySet(),
                "sion.log" to setOf("sion.store"),
                "sion.netcdf" to setOf("sion.store", "sion.stripe"),
                "sion.pnetcdf" to setOf("sion.log", "sion.netcdf", "sion.store", "sion.stripe"),
                "sion.subfiles" to setOf("sion.file", "sion.store", "sion.stripe"),
                "sion.append" to MULTIFILE,
                "sion.cursor" to setOf("sion", "sion.failure"),
                "sion.zstd" to setOf("sion", "sion.failure"),
                "sion.copy.part" to setOf("sion", "sion.layout", "sion.store"),
                "sion.copy" to setOf("sion", "sion.copy.part", "sion.store"),
                "sion.salvage.search" to BYTES + "sion.file",
                "sion.salvage" to MULTIFILE + setOf("sion.copy", "sion.copy.part", "sion.salvage.search"),
                "sion.svg" to emptySet(),
                "sion.cli.." to
                    FILES +
                    setOf("sion.copy", "sion.layout", "sion.log", "sion.pnetcdf", "sion.salvage", "sion.stripe") +
                    setOf("sion.subfiles", "sion.svg", "sion.zstd"),
                "text" to emptySet(),
                "failure" to setOf("text", "sion.store"),
                "disk" to setOf("sion.store"),
                "grid" to emptySet(),
                "cells" to setOf("grid"),
                "redistribution" to setOf("grid", "cells"),
                "random" to emptySet(),
                "structure" to setOf("text"),
                "comm" to WORDS + "structure",
                "comm.plan" to WORDS + "comm",
                "comm.inprocess" to WORDS + setOf("comm", "comm.plan"),
                "comm.transport" to WORDS + setOf("comm", "structure"),
                "ranks" to WORDS + MESSAGES + "disk",
                "multifile.task" to FILES + WORDS + setOf("comm", "disk", "structure"),
                "multifile" to FILES + setOf("comm", "multifile.task"),
                "concentrate" to
                    CELLS - "redistribution" + setOf("comm", "comm.inprocess", "failure", "text", "sion.stripe"),
                "dedicated" to
                    FILES - "sion" + setOf("comm", "comm.inprocess", "concentrate", "failure", "structure", "text"),
                "arrays" to
                    FILES + CELLS - "redistribution" +
                    setOf("comm", "concentrate", "disk", "schema", "sion.stripe", "state", "text"),
                "state" to setOf("cells"),
                "schema" to WORDS + setOf("cells", "state"),
                "cbor" to WORDS + setOf("cells", "state", "schema"),
                "codec" to WORDS + setOf("cbor", "schema", "state"),
                "contents" to setOf("failure", "grid", "sion.store", "structure", "text"),
                "item" to ITEMS + setOf("sion.store", "store", "stored"),
                "netcdf" to
                    CELLS - "redistribution" +
                    setOf("codec", "comm", "concentrate", "contents", "disk", "failure", "item", "schema") +
                    setOf("state", "store", "structure", "sion.log", "sion.netcdf", "sion.store", "sion.stripe"),
                "config" to WORDS + setOf("disk", "sion.store"),
                "store" to WORDS + FILES + setOf("disk", "schema"),
                "stored" to SAVED - setOf("item", "reading"),
                "reading" to SAVED,
                "local" to
                    SAVED - setOf("item", "reading") + setOf("multifile.task", "options"),
                "save" to SAVED + setOf("config", "dedicated", "local", "multifile.task", "options"),
                "restore" to SAVED + setOf("multifile", "multifile.task"),
                "event" to WORDS + setOf("disk", "sion.store"),
                "job" to setOf("text"),
                "options" to
                    WORDS + FILES +
                    setOf("comm", "concentrate", "config", "contents", "event", "job", "multifile") +
                    setOf("multifile.task", "ranks", "state", "store"),
                "run" to
                    SAVED + MESSAGES +
                    setOf("config", "event", "job", "local", "multifile.task", "options", "restore", "save"),
                "" to
                    SAVED + MESSAGES +
                    setOf("config", "dedicated", "event", "netcdf", "options", "random", "restore", "run", "save") +
                    setOf("sion.netcdf"),
                "java" to FACES + setOf("comm.inprocess", "multifile.task", "run"),
                "testing" to FACES + setOf("disk", "run", "sion.store.simulated", "store", "text"),
                "report" to setOf("config", "event", "failure", "sion.svg", "text"),
                "cli.." to SAVED + setOf("sion.cli", "config", "event", "job", "local", "options", "report"),
                "mpi" to setOf("comm", "comm.transport", "failure", "java"),
                "examples.." to FACES + setOf("mpi", "sion.copy", "sion.cursor", "sion.netcdf", "sion.store.simulated"),
                "benchmarks.." to FACES + setOf("sion.copy", "sion.netcdf", "sion.svg"),
            )
    }
}
