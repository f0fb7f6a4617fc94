package dev.cairn.house

import io.kotest.core.descriptors.Descriptor
import io.kotest.core.test.Enabled
import io.kotest.core.test.EnabledOrReasonIf
import java.nio.file.Path
import java.nio.file.StandardOpenOption.APPEND
import java.nio.file.StandardOpenOption.CREATE
import kotlin.io.path.createDirectories
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readLines
import kotlin.io.path.writeText

/**
 * For `enabledOrReasonIf`: a test is left out unless there is [what] it needs, and that is noted below `target` of its module, in a
 * folder for the build and a file for the process. Kotest reports no reason where all tests of a spec are left out.
 */
fun needs(what: () -> Enabled): EnabledOrReasonIf = { test -> what().also { note(test.descriptor, it) } }

/** Notes the test [descriptor] if it is not [enabled]. */
internal fun note(descriptor: Descriptor, enabled: Enabled) {
    if (enabled.isEnabled) return
    val build = System.getProperty(BUILD) ?: return
    val file = Path.of(FOLDER, build).createDirectories().resolve("${ProcessHandle.current().pid()}.txt")
    file.writeText("${descriptor.path().value}\t${enabled.reason}\n", options = arrayOf(CREATE, APPEND))
}

/** A line for each reason why tests of modules in [house] were left out by this [build], the most frequent reason first. */
fun leftOut(house: Path, build: String = System.getProperty(BUILD)): List<String> =
    moduleFolders(house)
        .flatMap { module ->
            module
                .resolve(FOLDER)
                .resolve(build)
                .takeIf { it.isDirectory() }
                ?.listDirectoryEntries()
                .orEmpty()
        }.flatMap { it.readLines() }
        // Kotest asks twice for some tests, and a pattern in -Dtest may have chosen a spec for two phases.
        .distinct()
        .groupingBy { it.substringAfterLast('\t') }
        .eachCount()
        .entries
        .sortedWith(compareBy({ -it.value }, { it.key }))
        .map { (reason, count) -> "Left out: ${if (count == 1) "1 test" else "$count tests"}: $reason" }

/** The property by which Surefire hands over when this build began; see the parent's pom.xml. */
const val BUILD = "cairn.build"

private const val FOLDER = "target/left-out"
