package dev.cairn.sion.log

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.readBytes
import kotlin.io.path.readLines

/** What docs/reference/log.md says of offsets and bytes is what the field lists and a real file say. */
class LogFormatDocSpec :
    FunSpec({
        val page = Path.of("..", "docs", "reference", "log.md").readLines()

        fun section(number: Int) =
            page.dropWhile { !it.startsWith("## $number.") }.drop(1).takeWhile { !it.startsWith("## ") }

        fun fields(section: Int) =
            section(section)
                .map { line -> line.split('|').map { it.trim() }.filter { it.isNotEmpty() } }
                .filter { it.size >= 4 && it[0].toIntOrNull() != null && !it[2].startsWith("CRC32C") }
                .map { "${it[0]} ${it[2]}" }

        fun metered(walk: (HeadMeter) -> Unit) = HeadMeter().also(walk).fields().map { "${it.offset()} ${it.name()}" }

        test("the table of a segment's head lists its fields at their offsets") {
            fields(2) shouldContainExactly metered { SegmentHead.fields(it, SegmentHead.BLANK) }
        }

        test("the tables of a record's head list the fields of a put at their offsets") {
            val put = LogEntry.Put(LogEntry.INDEPENDENT, Region.ofExtent(0, 0, 1))
            val head = RecordHead.of(LogModel.IDENTITY, 1, put, PayloadBytes.NONE)
            fields(3) shouldContainExactly metered { RecordHead.fields(it, head) }.filterNot { it.endsWith(" frames") }
        }

        test("the table of the other kinds lists their fields at their offsets") {
            val documented =
                Regex("""\| ([A-Z]+) \| (\d+) \| \d \| (\w+) \|.*""").let { row ->
                    section(3).mapNotNull { row.matchEntire(it)?.destructured }.map { (kind, offset, name) ->
                        "$kind $offset $name"
                    }
                }
            val entries =
                listOf(LogEntry.Cancel(1), LogEntry.Collective(1), LogEntry.Barrier(1), LogEntry.Seal(0, 0, 0))
            val found =
                entries.flatMap { entry ->
                    metered { RecordHead.fields(it, RecordHead.of(LogModel.IDENTITY, 1, entry, PayloadBytes.NONE)) }
                        .filter { it.substringBefore(' ').toInt() >= 40 && !it.endsWith(" frames") }
                        .map { "${RecordKind.of(entry)} $it" }
                }
            documented shouldContainExactly found
        }

        test("the example is the golden log, byte by byte") {
            val file = GOLDEN_LOGS.resolve("example/s000000.log").readBytes()
            val row = Regex("""\| (\d+) – (\d+) \| .* \| `([0-9a-f ]+)` \|""")
            val rows = section(8).mapNotNull { row.matchEntire(it)?.destructured }
            rows.map { (from, _, _) -> from.toInt() } shouldBe
                listOf(0) + rows.dropLast(1).map { (_, to, _) -> to.toInt() + 1 }
            rows.last().component2().toInt() shouldBe file.size - 1
            rows.forEach { (from, to, hex) ->
                file.slice(from.toInt()..to.toInt()).joinToString(" ") { "%02x".format(it) } shouldBe hex
            }
        }
    })
