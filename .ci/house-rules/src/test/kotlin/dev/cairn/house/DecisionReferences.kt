package dev.cairn.house

import java.nio.file.LinkOption.NOFOLLOW_LINKS
import java.nio.file.Path
import kotlin.io.path.extension
import kotlin.io.path.invariantSeparatorsPathString
import kotlin.io.path.isDirectory
import kotlin.io.path.isRegularFile
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readLines
import kotlin.io.path.relativeTo
import kotlin.text.Charsets.ISO_8859_1

/**
 * Each reference to a decision for which docs/decisions of [house] has no page, as `file:line: what is wrong`. A reference is a path, a
 * link whose text is a number, or "decision" with a number; on the pages of decisions any number of four digits that begins with 0.
 */
fun lostDecisions(house: Path): List<String> {
    val pages = decisionPages(house)
    val numbers = pages.map { it.take(DIGITS) }.toSet()
    return textFiles(house).flatMap { file ->
        val name = file.relativeTo(house).invariantSeparatorsPathString
        file.readLines(ISO_8859_1).flatMapIndexed { at, line ->
            lostIn(line, pages, numbers, ofDecisions = name.startsWith("$DECISIONS/")).map { "$name:${at + 1}: $it" }
        }
    }
}

/** The pages that docs/decisions/README.md does not list exactly once. */
fun unlistedDecisions(house: Path): List<String> {
    val listed =
        house
            .resolve(DECISIONS)
            .resolve(INDEX)
            .readLines()
            .flatMap { TITLED.findAll(it) }
            .map { it.value }
    return decisionPages(house).filter { page -> listed.count { it == page } != 1 }.sorted()
}

private fun decisionPages(house: Path): Set<String> =
    house
        .resolve(DECISIONS)
        .listDirectoryEntries("*.md")
        .map { it.name }
        .filterNot { it == INDEX }
        .toSet()

private fun lostIn(line: String, pages: Set<String>, numbers: Set<String>, ofDecisions: Boolean): List<String> {
    if (!ofDecisions && "ecision" !in line) return emptyList()
    val titled = (if (ofDecisions) TITLED else TITLED_PATH).findAll(line).map { it.groupValues.last() }
    val named = (if (ofDecisions) BARE else NUMBERED).findAll(line).map { it.groupValues[1] }
    val labelled = LABELLED.findAll(line).map { it.destructured }
    return titled.filterNot { it in pages }.map { "there is no page $DECISIONS/$it" }.toList() +
        named.filterNot { it in numbers }.map { "there is no decision $it" } +
        labelled.filter { (label, page) -> label != page }.map { (label, page) ->
            "the link is called $label and leads to decision $page"
        }
}

/** What people write, below [folder]; not what builds make, nor bytes. */
internal fun textFiles(folder: Path): List<Path> =
    folder.listDirectoryEntries().sorted().filterNot { it.name in MADE }.flatMap {
        if (it.isDirectory(NOFOLLOW_LINKS)) textFiles(it) else listOf(it).filter(::isText)
    }

private fun isText(file: Path) = file.isRegularFile() && file.extension in TEXTS

private val TEXTS = setOf("", "java", "kt", "md", "py", "sbatch", "sh", "xml")

private val MADE = setOf(".git", "target")

private const val DECISIONS = "docs/decisions"

private const val INDEX = "README.md"

private const val DIGITS = 4

private val TITLED = Regex("""\d{4}-[a-z0-9-]+\.md""")

private val TITLED_PATH = Regex("""decisions/(\d{4}-[a-z0-9-]+\.md)""")

private val NUMBERED = Regex("""(?:decisions/|\b[Dd]ecision )(\d{4})\b(?!-)""")

private val BARE = Regex("""(?<![\d.,])(0\d{3})(?![\d.,]*\d|-[a-z])""")

private val LABELLED = Regex("""\[(\d{4})]\([^)]*?(\d{4})-[^)]*\.md""")
