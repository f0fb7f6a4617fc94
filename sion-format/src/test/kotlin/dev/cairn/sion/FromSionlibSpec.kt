package dev.cairn.sion

import dev.cairn.sion.cursor.ChunkCursor
import dev.cairn.sion.cursor.KeyCursor
import dev.cairn.sion.cursor.MultifileReader
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.name
import kotlin.io.path.readLines
import kotlin.io.path.readText

/** The methods that docs/how-to/sionlib.md calls exist, and so do the tests of its faults and of sionlib-tests.md. */
class FromSionlibSpec :
    FunSpec({
        val page = Path.of("..", "docs", "how-to", "sionlib.md").readLines()
        val sources =
            listOf(
                "sion-format",
                "checkpoint-core",
            ).flatMap { sourcesIn(Path.of("..", it, "src", "test", "kotlin")) }
        val namesBySpec = sources.associate { it.name.removeSuffix(".kt") to namesIn(it.readText()) }

        fun List<String>.rowsBehind(heading: String) =
            dropWhile { it != heading }
                .drop(1)
                .takeWhile { !it.startsWith("## ") }
                .filter { it.startsWith("| ") }
                .drop(1)

        val list = Path.of("src/test/resources/sionlib-tests.md").readLines()
        val tests = list.rowsBehind("## SIONlib's own tests")

        test("each test of SIONlib has one of ours, or there is nothing to test") {
            tests
                .flatMap(::sionlibTestsIn)
                .distinct()
                .groupingBy { it.substringBefore(' ') }
                .eachCount() shouldBe
                mapOf("serial" to 20, "parallel" to 44)
            tests.filterNot { it.contains("none: there are none") || NAMED_TEST.containsMatchIn(it) }.shouldBeEmpty()
        }

        tests
            .flatMap {
                NAMED_TEST.findAll(
                    it,
                )
            }.map { it.destructured }
            .distinctBy { it.toList() }
            .forEach { (spec, name) ->
                test("$spec has the test \"$name\"") {
                    val pattern = Regex(name.split("…").joinToString(".*") { Regex.escape(it) })
                    withClue(namesBySpec[spec]) { namesBySpec.getValue(spec).any(pattern::matches) shouldBe true }
                }
            }

        test("each fault has its number, and a test whose name begins with it") {
            val numbers =
                list
                    .rowsBehind(
                        "# Faults of SIONlib 1.7.6, and the behaviour here",
                    ).map { it.split('|')[1].trim() }
            numbers shouldContainExactly (1..26).map { "B$it" }
            val tested = BUG_SPECS.flatMap(namesBySpec::getValue).map { it.substringBefore(':') }.toSet()
            numbers.filterNot(tested::contains).shouldBeEmpty()
        }

        test("the methods that the page calls exist") {
            val words = page.flatMap { line -> CALL.findAll(line).map { it.groupValues[1] to it.groupValues[2] } }
            words.filter { (variable, _) -> variable in TYPES }.distinct().forEach { (variable, method) ->
                withClue(
                    "$variable.$method",
                ) { TYPES.getValue(variable).methods.any { it.name == method } shouldBe true }
            }
        }
    })

/** "| serial a, b | …" names "serial a" and "serial b". */
private fun sionlibTestsIn(row: String): List<String> {
    val listed = row.split('|')[1].trim()
    val folder = listed.substringBefore(' ')
    return listed.substringAfter(' ').split(", ").map { "$folder $it" }
}

private val NAMED_TEST = Regex("`(\\w+)`: \"([^\"]+)\"")
private val BUG_SPECS = listOf("BugListSpec", "RankBugListSpec")
private val CALL = Regex("\\b(\\w+)\\.(\\w+)\\(")

/** What the page's variables stand for. */
private val TYPES: Map<String, Class<*>> =
    mapOf(
        "cursor" to ChunkCursor::class.java,
        "keys" to KeyCursor::class.java,
        "reader" to MultifileReader::class.java,
        "view" to GlobalView::class.java,
        "writer" to MultifileWriter::class.java,
        "chunks" to ChunkWriter::class.java,
        "records" to RecordWriter::class.java,
        "spec" to MultifileSpec::class.java,
        "MultifileReader" to MultifileReader::class.java,
        "MultifileSpec" to MultifileSpec::class.java,
        "FileMapping" to FileMapping::class.java,
        "Multifile" to Multifile::class.java,
    )

private fun sourcesIn(directory: Path): List<Path> =
    Files.walk(directory).use { paths -> paths.filter { it.name.endsWith(".kt") }.toList() }

/** The names of the tests in a source, with their templates as they stand there. */
private fun namesIn(source: String): List<String> = TEST_NAME.findAll(source).map { it.groupValues[1] }.toList()

private val TEST_NAME = Regex("""\btest\(\s*"((?:\$\{[^}]*}|[^"])*)"""")
