package dev.cairn.examples

import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readLines

/**
 * A piece of Java or Kotlin on a page, and what stands above it: `<!-- snippet: FILE#REGION -->`, which names the
 * lines of a compiled source between `// region REGION` and `// endregion`.
 */
data class Snippet(val page: Path, val line: Int, val origin: String?, val text: String) {
    override fun toString() = "$page, line $line"
}

private val ORIGIN = Regex("""<!-- snippet: (\S+#\S+) -->""")
private val LANGUAGES = setOf("```java", "```kotlin")

/** The pieces of Java and Kotlin on [page]; a page's other blocks are no snippets. */
fun snippetsOf(page: Path): List<Snippet> {
    val lines = page.readLines()
    return lines.indices.filter { lines[it].trim() in LANGUAGES }.map { start ->
        val end = (start + 1 until lines.size).first { lines[it].trim() == "```" }
        val origin =
            lines
                .getOrNull(start - 1)
                ?.let(ORIGIN::matchEntire)
                ?.groupValues
                ?.get(1)
        Snippet(page, start + 1, origin, lines.subList(start + 1, end).joinToString("\n"))
    }
}

/** The lines that [origin] names, without their common indentation; null if there are none. */
fun regionOf(root: Path, origin: String): String? {
    val source = root.resolve(origin.substringBefore('#'))
    if (!source.exists()) return null
    val lines = source.readLines()
    val start = lines.indexOfFirst { it.trim() == "// region ${origin.substringAfter('#')}" }
    if (start < 0) return null
    return lines
        .drop(start + 1)
        .takeWhile { it.trim() != "// endregion" }
        .joinToString("\n")
        .trimIndent()
        .trimEnd()
}
