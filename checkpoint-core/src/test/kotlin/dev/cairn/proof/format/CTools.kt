package dev.cairn.proof.format

import dev.cairn.house.Need
import io.kotest.core.test.Enabled
import java.nio.file.Path

/** The C library's own tools, in the folder that `-Dcairn.sion.tools=DIR` names. They share nothing with Cairn but the format. */
internal object CTools {
    private val folder: Path? = System.getProperty("cairn.sion.tools")?.let(Path::of)
    private val keyAndSize = Regex("k=<([0-9]+)>,size=([0-9]+)")

    val areThere: Enabled get() = Need.SION_TOOLS.given(folder != null)

    /** For each task the keys of its records, in order, each with the size of its value. */
    fun keys(data: Path): List<List<Pair<Int, Long>>> {
        val lists = run("siondump", "-K", "$data").substringAfter("\nTask ").substringBefore("\n---").split("\nTask ")
        return lists.map { list -> keyAndSize.findAll(list).map { keyAndSize(it.destructured) }.toList() }
    }

    private fun keyAndSize(found: MatchResult.Destructured) = found.let { (key, size) -> key.toInt() to size.toLong() }

    /** Writes each value into a file of its own in [target]; [piece] names it. */
    fun split(data: Path, target: Path) = run("sionsplit", "$data", "$target/")

    fun piece(target: Path, task: Int, key: Int): Path = target.resolve("%05d_%012d".format(task, key))

    /** Writes the multifile once more, as one file with one chunk for each task. */
    fun defragment(data: Path, target: Path) = run("siondefrag", "-q", "512", "$data", "$target")

    private fun run(tool: String, vararg arguments: String): String {
        val process =
            ProcessBuilder(listOf("${checkNotNull(folder).resolve(tool)}") + arguments)
                .redirectErrorStream(true)
                .start()
        val said = process.inputStream.bufferedReader().readText()
        check(process.waitFor() == 0) { "$tool ${arguments.joinToString(" ")} says: $said" }
        return said
    }
}
