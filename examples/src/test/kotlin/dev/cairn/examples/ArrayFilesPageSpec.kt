package dev.cairn.examples

import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.house.Need
import dev.cairn.house.isOnPath
import dev.cairn.house.needs
import dev.cairn.output.writeArrays
import dev.cairn.ranks.everyRank
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.engine.spec.tempfile
import io.kotest.inspectors.shouldForAll
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.file.Path
import java.util.zip.CRC32C
import kotlin.io.path.readBytes
import kotlin.io.path.readText
import kotlin.io.path.writeBytes

/** The reader on the page about files of arrays, and the table that the page shows. */
class ArrayFilesPageSpec :
    FunSpec({
        val page = Path.of("../docs/how-to/arrays.md").readText()
        val reader = Path.of("src/test/python/read_arrays.py")
        val file = tempdir().toPath().resolve("example.arrays")
        lateinit var whole: ByteArray

        /** Each of the [contents] in a file of its own. */
        fun filesOf(vararg contents: ByteArray) =
            contents.map { content -> tempfile().toPath().also { it.writeBytes(content) } }

        beforeSpec {
            everyRank(2) {
                val column = Box.of(longArrayOf(0, rank.toLong()), longArrayOf(3, 1))
                val own = Box.of(longArrayOf(rank.toLong()), longArrayOf(1))
                writeArrays(file) {
                    array("u", Shape.of(3, 2), column, DoubleArray(3) { 2.0 * it + rank })
                    array("seen", Shape.of(2), own, booleanArrayOf(rank == 1))
                }
            }
            whole = file.readBytes()
        }

        test("the page leads to the reader that is tested") {
            page shouldContain "(../../examples/$reader)"
        }

        test("the page shows the table of a file") {
            val table = whole.decodeToString(4098, whole.size - 24)
            page.replace(Regex("\\s"), "") shouldContain table
        }

        test("the reader in Python finds what was written").config(enabledOrReasonIf = needs { python }) {
            python(reader, listOf(file)) shouldBe
                listOf("{'u': ([3, 2], (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)), 'seen': ([2], (False, True))}")
        }

        test("the reader in Python finds damage").config(enabledOrReasonIf = needs { python }) {
            val files = filesOf(whole.copyOf().also { it[9]++ }, whole.copyOf().also { it[4100]++ })
            val (inArray, inTable) = python(reader, files)
            inArray shouldContain "is damaged in frame 0"
            inTable shouldContain "is no whole file of arrays: its table is damaged"
        }

        test("the reader in Python refuses other files").config(enabledOrReasonIf = needs { python }) {
            val shortened = listOf(0, 23, 4098).map(whole::copyOf)
            python(reader, filesOf(*shortened.toTypedArray())).shouldForAll {
                it shouldContain "is no whole file of arrays: it does not end with CAIRNAR1"
            }
            val longer = whole.copyOf(4098) + ByteArray(8) + whole.drop(4098)
            val unchecked = whole.copyOf(4098) + tableAndEnd(whole) { it.replace("[627672511]", "[]") }
            val (tooLong, tooFew) = python(reader, filesOf(longer, unchecked))
            tooLong shouldContain "is no whole file of arrays: its table is for 4098 bytes, and 4106 precede it"
            tooFew shouldContain "is no whole file of arrays: its table has 0 checksums"
        }

        test("the reader in Python refuses impossible places").config(enabledOrReasonIf = needs { python }) {
            val offsets = listOf(-4096, 4095, 8, 0, 8192)
            val moved =
                offsets.map {
                    whole.copyOf(4098) +
                        tableAndEnd(whole) { table -> table.replace("4096}", "$it}") }
                }
            val answers = python(reader, filesOf(*moved.toTypedArray()))
            offsets.zip(answers).shouldForAll { (offset, answer) ->
                answer shouldContain "is damaged: seen cannot be at byte $offset"
            }
        }
    })

/** What stands behind the arrays of the file [whole], with another table whose checksum is right. */
private fun tableAndEnd(whole: ByteArray, change: (String) -> String): ByteArray {
    val table = change(whole.decodeToString(4098, whole.size - 24)).encodeToByteArray()
    val end = ByteBuffer.allocate(24).order(LITTLE_ENDIAN).putLong(table.size.toLong())
    end.putLong(CRC32C().also { it.update(table) }.value).put("CAIRNAR1".encodeToByteArray())
    return table + end.array()
}

private val python = Need.PYTHON.given(isOnPath("python3"))

/** What the reader prints for each of the [files], or what it complains of. */
private fun python(reader: Path, files: List<Path>): List<String> {
    val program =
        """
        |import sys
        |from read_arrays import *
        |for file in sys.argv[1:]:
        |    try:
        |        print(read_arrays(file))
        |    except Exception as failure:
        |        print(failure)
        """.trimMargin()
    return ProcessBuilder(listOf("python3", "-B", "-c", program) + files.map { "$it" })
        .directory(reader.parent.toFile())
        .redirectErrorStream(true)
        .start()
        .inputReader()
        .readLines()
        .also { it.size shouldBe files.size }
}
