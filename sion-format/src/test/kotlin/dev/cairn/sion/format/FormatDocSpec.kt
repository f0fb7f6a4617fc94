package dev.cairn.sion.format

import dev.cairn.sion.field.FieldMeter
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.readBytes
import kotlin.io.path.readLines

/** What docs/reference/multifile.md says of offsets and bytes is what the field lists and a real file say. */
class FormatDocSpec :
    FunSpec({
        val page = Path.of("..", "docs", "reference", "multifile.md").readLines()

        fun cells(line: String) = line.split('|').map { it.trim() }.filter { it.isNotEmpty() }

        test("the table of META1 lists the fields of the fixed part at their offsets") {
            val documented =
                page
                    .map(::cells)
                    .filter { it.size == 4 && it[0].toIntOrNull() != null && it[1].toIntOrNull() != null }
                    .map { Triple(it[2], it[0].toLong(), it[1].toLong()) }
            val meter = FieldMeter(0)
            FileHeader.fields(meter, FileHeader.BLANK)
            documented shouldContainExactly meter.fields().map { Triple(it.name(), it.offset(), it.size()) }
        }

        test("the worked example is the real file, byte by byte") {
            val file = Path.of("src/test/resources/fixtures/sion/s01-one-task.sion").readBytes()
            val example = Regex("""\| (\d+) – (\d+) \| .* \| `((?:[0-9a-f]{2} )*[0-9a-f]{2})`.*""")
            val rows = page.mapNotNull { example.matchEntire(it.trim().removeSuffix(" |")) }
            rows.size shouldBe 13
            rows.forEach { row ->
                val (from, to, hex) = row.destructured
                file.slice(from.toInt()..to.toInt()).joinToString(" ") { "%02x".format(it) } shouldBe hex
            }
        }
    })
