package dev.cairn.sion.fuzz

import dev.cairn.sion.Multifile
import java.nio.file.Path
import kotlin.io.path.extension
import kotlin.io.path.relativeTo
import kotlin.io.path.walk

/** The classes whose coverage is measured, also those that are never loaded. */
object CompiledReaders {
    private val classes: Path =
        Path.of(
            Multifile::class.java.protectionDomain.codeSource.location
                .toURI(),
        )

    /** The names of all classes below `dev.cairn.sion` itself; what lies above the format has its own tests. */
    fun names(): List<String> =
        classes
            .resolve("dev/cairn/sion")
            .walk()
            .filter { it.extension == "class" && it.fileName.toString() != "package-info.class" }
            .map { it.relativeTo(classes).joinToString(".").removeSuffix(".class") }
            .filterNot { it.startsWith("dev.cairn.sion.cli.") || it.startsWith("dev.cairn.sion.store.") }
            .sorted()
            .toList()
}
