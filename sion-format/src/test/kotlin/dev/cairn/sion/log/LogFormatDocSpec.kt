package dev.cairn.sion.log

import dev.cairn.sion.field.FieldMeter
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import java.util.Optional
import kotlin.io.path.readBytes
import kotlin.io.path.readLines

/** What docs/reference/log.md says of offsets and bytes is what the field lists and a real file say. */
class LogFormatDocSpec :
    FunSpec({
        val page = Path.of("..", "docs", "reference", "log.md").readLines()

        fun section(title: String) = page.dropWhile { it != "## $title" }.drop(1).takeWhile { !it.startsWith("## ") }

        fun fields(section: String) =
            section(section)
                .map { line -> line.split('|').map { it.trim() }.filter { it.isNotEmpty() } }
                .filter { it.size >= 3 && it[0].toIntOrNull() != null }
                .map { "${it[0]} ${it[2]}" }

        test("the table of a segment's head lists its fields at their offsets") {
            fields("The head of a segment") shouldContainExactly
                listed(FieldMeter(0).also { SegmentHead.fields(it, SegmentHead.BLANK) })
        }

        test("the tables of a record's head list the fields of a put at their offsets") {
            val head = RecordHead.of(LogModel.IDENTITY, 1, Optional.of(extent(0, 0, 1)), PayloadBytes())
            fields("The head of a record") shouldContainExactly
                listed(FieldMeter(0).also { RecordHead.fields(it, head) }).takeWhile { !it.endsWith(" padding") }
        }

        test("the example is the golden log, byte by byte") {
            val file = GOLDEN_LOGS.resolve("example/s000000.log").readBytes()
            val row = Regex("""\| (\d+) – (\d+) \| .* \| `([0-9a-f ]+)` \|""")
            val rows = section("An example").mapNotNull { row.matchEntire(it)?.destructured }
            rows.map { (from, _, _) -> from.toInt() } shouldBe
                listOf(0) + rows.dropLast(1).map { (_, to, _) -> to.toInt() + 1 }
            rows.last().component2().toInt() shouldBe file.size - 1
            rows.forEach { (from, to, hex) ->
                file.slice(from.toInt()..to.toInt()).joinToString(" ") { "%02x".format(it) } shouldBe hex
            }
        }
    })

private fun listed(meter: FieldMeter) = meter.fields().map { "${it.offset()} ${it.name()}" }
