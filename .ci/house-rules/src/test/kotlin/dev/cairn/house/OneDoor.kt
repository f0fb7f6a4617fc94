package dev.cairn.house

import com.tngtech.archunit.base.DescribedPredicate
import com.tngtech.archunit.core.domain.AccessTarget
import com.tngtech.archunit.core.domain.JavaAccess
import com.tngtech.archunit.lang.ArchRule
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses
import java.io.FileDescriptor

private val OTHER_DOORS =
    Regex(
        """java\.io\.(File|RandomAccessFile|File(Input|Output)Stream|FileReader|FileWriter)""" +
            """|java\.nio\.file\.Files|java\.nio\.channels\.(Asynchronous)?FileChannel|kotlin\.io\.(FilesKt|path)\b.*""",
    )

/**
 * All file access goes through the store, or else a test could neither count, nor fail, nor crash it. The benchmarks
 * go past it, because a bare file is what they compare with, and so do the programs that existed before Cairn, also since
 * they have restart.
 */
fun oneDoor(root: String): ArchRule =
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "$root.sion.store",
            "$root.benchmarks..",
            "$root.examples.existing..",
            "$root.examples.[chain|town]..",
        ).should()
        .accessTargetWhere(opensOtherDoor)
        .allowEmptyShould(true)
        .`as`("only $root.sion.store touches files")

/** What was opened already, as standard output is, is not a file that a store could know. */
private val opensOtherDoor: DescribedPredicate<JavaAccess<*>> =
    DescribedPredicate.describe("a file is touched") { access ->
        OTHER_DOORS.matches(access.targetOwner.name) && !takesDescriptor(access.target)
    }

private fun takesDescriptor(target: AccessTarget): Boolean =
    target is AccessTarget.CodeUnitCallTarget &&
        target.rawParameterTypes.any { it.isEquivalentTo(FileDescriptor::class.java) }
