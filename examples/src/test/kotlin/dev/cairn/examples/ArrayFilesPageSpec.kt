package dev.cairn.examples

import dev.cairn.arrays.writeArrays
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.ranks.everyRank
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.readBytes
import kotlin.io.path.readText
import kotlin.io.path.writeBytes

/** The reader on the page about files of arrays, and the table that the page shows. */
class ArrayFilesPageSpec :
    FunSpec({
        val page = Path.of("../docs/array-files.md").readText()
        val reader = Path.of("src/test/python/read_arrays.py")
        val file = tempdir().toPath().resolve("example.arrays")

        beforeSpec {
            everyRank(2) {
                val column = Box.of(longArrayOf(0, rank.toLong()), longArrayOf(3, 1))
                val own = Box.of(longArrayOf(rank.toLong()), longArrayOf(1))
                writeArrays(file) {
                    array("u", Shape.of(3, 2), column, DoubleArray(3) { 2.0 * it + rank })
                    array("seen", Shape.of(2), own, booleanArrayOf(rank == 1))
                }
            }
        }

        test("the page has the reader as it is tested") {
            page shouldContain "```python\n${reader.readText().trim()}\n```"
        }

        test("the page shows the table of a file") {
            val bytes = file.readBytes()
            val table = bytes.decodeToString(4098, bytes.size - 24)
            page.replace(Regex("\\s"), "") shouldContain table
        }

        test("the reader in Python finds what was written").config(enabledOrReasonIf = { pythonIsThere() }) {
            python(reader, file) shouldBe
                "{'u': ([3, 2], (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)), 'seen': ([2], (False, True))}"
        }

        test("the reader in Python finds damage").config(enabledOrReasonIf = { pythonIsThere() }) {
            val whole = file.readBytes()
            file.writeBytes(whole.copyOf().also { it[9]++ })
            python(reader, file) shouldContain "is damaged in frame 0"
            file.writeBytes(whole.copyOf().also { it[4100]++ })
            python(reader, file) shouldContain "is no whole file of arrays"
        }
    })

private fun pythonIsThere(): Enabled =
    try {
        ProcessBuilder("python3", "--version").start().waitFor()
        Enabled.enabled
    } catch (missing: IOException) {
        println("SKIPPED: NO python3 FOUND, so only Cairn itself reads its files of arrays here. $missing")
        Enabled.disabled("no python3")
    }

/** What the reader prints, and what it complains of. */
private fun python(
    reader: Path,
    file: Path,
): String =
    ProcessBuilder(
        "python3",
        "-B",
        "-c",
        "from read_arrays import *; import sys; print(read_arrays(sys.argv[1]))",
        "$file",
    ).directory(reader.parent.toFile())
        .redirectErrorStream(true)
        .start()
        .inputReader()
        .readText()
        .trim()
