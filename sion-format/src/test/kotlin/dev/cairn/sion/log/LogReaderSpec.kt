package dev.cairn.sion.log

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.write
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.ByteBuffer
import java.nio.channels.ClosedChannelException
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import kotlin.io.path.readBytes

/** What a reader finds in logs that were made by [LogModel], whole, cut and damaged. */
class LogReaderSpec :
    FunSpec({
        test("every kind of record is read") {
            val model = LogModel(EVERY_KIND)
            val log = seen(model.segments)
            log.state shouldBe LogReader.State.Open()
            log.records shouldContainExactly model.records.map { it.text }
        }

        test("a log knows whose it is, and how much it holds") {
            LogReader.open(storeOf(LogModel(EVERY_KIND).segments), LOG).use { log ->
                log.identity().get() shouldBe LogModel.IDENTITY
                log.recordCount() shouldBe EVERY_KIND.size
                log.payloadBytes() shouldBe recordsOf(log).sumOf { it.payloadSize() }
                val notes = recordsOf(log).filter { it.region().isEmpty }
                notes.map(log::text) shouldBe listOf("step 1: größer", "x", "step 2", "")
                shouldThrow<IllegalArgumentException> { log.text(recordsOf(log)[0]) }.message shouldContain "is no note"
            }
        }

        test("a reader that was closed opens nothing again") {
            val store = storeOf(LogModel(EVERY_KIND, limit = 300).segments)
            val log = LogReader.open(store, LOG)
            val cursor = log.cursor()
            val record = recordsOf(log).first()
            log.close()
            shouldThrow<ClosedChannelException> { while (cursor.advance()) cursor.record() }
            shouldThrow<ClosedChannelException> { log.payloadOf(record) }
        }

        test("a part of a payload is read at any position") {
            val payload = ByteArray(5 * (1 shl 19)) { (it / 1000).toByte() }
            val put = LogStep.Put(extent(0, 0, payload.size.toLong()), payload)
            LogReader.open(storeOf(LogModel(listOf(put)).segments), LOG).use { log ->
                val record = recordsOf(log).single()
                val parts = listOf(0 to 10, (1 shl 20) - 3 to 6, 100 to 2_000_000, payload.size - 1 to 1)
                for ((position, size) in parts) {
                    val target = ByteBuffer.allocate(size)
                    log.read(record, position.toLong(), target)
                    target.array() shouldBe payload.copyOfRange(position, position + size)
                }
                val behind = payload.size.toLong()
                shouldThrow<IndexOutOfBoundsException> { log.read(record, behind, ByteBuffer.allocate(1)) }
            }
        }

        test("every prefix is open or torn, and has all whole records and no other") {
            for (steps in listOf(EVERY_KIND, EVERY_KIND.dropLast(1))) {
                val model = LogModel(steps)
                val bytes = model.segments.single()
                for (length in 0..bytes.size) {
                    val log = seen(listOf(bytes.copyOf(length)))
                    val whole = model.records.filter { it.end <= length }
                    withClue("$length of ${bytes.size} bytes") {
                        log.records shouldContainExactly whole.map { it.text }
                        val end = whole.lastOrNull()?.end ?: if (length < 64) 0 else 64
                        if (length == end && length > 0) {
                            log.name shouldBe "open"
                        } else {
                            log.name shouldBe "torn"
                            log.place shouldBe ("s000000.log" to end.toLong())
                        }
                    }
                }
            }
        }

        test("every prefix of a segment that is not the last one is damage, at the first record that is missing") {
            val model = LogModel(EVERY_KIND, limit = 300)
            val first = model.segments.first()
            for (length in 0 until first.size) {
                val log = seen(listOf(first.copyOf(length)) + model.segments.drop(1))
                val whole = model.records.filter { it.segment == 0 && it.end <= length }
                withClue("$length of ${first.size} bytes") {
                    log.name shouldBe "damaged"
                    log.records shouldContainExactly whole.map { it.text }
                    val end = whole.lastOrNull()?.end ?: if (length < 64) 0 else 64
                    val next = if (length == end && length > 0) "s000001.log" to 0L else "s000000.log" to end.toLong()
                    log.place shouldBe next
                }
            }
        }

        test("every changed byte is harmless padding, or reported at its record") {
            val model = LogModel(EVERY_KIND, limit = 300)
            val places = model.segments.flatMapIndexed { segment, bytes -> bytes.indices.map { segment to it } }
            for ((segment, offset) in places) {
                val byte = model.segments[segment][offset].toInt()
                for (value in listOf(0, byte + 1, byte xor 0x80).map(Int::toByte).filter { it != byte.toByte() }) {
                    val changed = model.segments.map { it.copyOf() }
                    changed[segment][offset] = value
                    val damage = DamagedByte(model, segment, offset)
                    withClue("byte $offset of segment $segment as $value") { seen(changed) shouldBeSound damage }
                }
            }
        }

        test("a segment that is missing is damage, or the end") {
            val model = LogModel(EVERY_KIND, limit = 300)
            val count = model.segments.size
            for (missing in 0 until count) {
                val log = seen(model.segments.mapIndexed { number, bytes -> bytes.takeIf { number != missing } })
                log.records shouldContainExactly model.records.filter { it.segment < missing }.map { it.text }
                log.name shouldBe if (missing == count - 1) "open" else "damaged"
            }
            seen(emptyList()).name shouldBe "torn"
            shouldThrow<NoSuchFileException> { LogReader.open(newLog(), Path.of("/other")) }
        }

        test("a hole in a log, and a record of another log, are damage") {
            val model = LogModel(EVERY_KIND)
            val bytes = model.segments.single()
            val hole = bytes.copyOf().also { it.fill(0, model.records[1].offset, model.records[2].offset) }
            seen(listOf(hole)).name shouldBe "damaged"
            seen(listOf(hole.copyOf(model.records[2].offset))).name shouldBe "damaged"

            val others = LogModel(EVERY_KIND, LogIdentity(7, 42, 1, 3)).segments.single()
            val stale = bytes.copyOf(model.records[2].offset) + others.copyOfRange(model.records[2].offset, others.size)
            val log = seen(listOf(stale))
            log.name shouldBe "damaged"
            log.records shouldContainExactly model.records.take(2).map { it.text }
        }

        test("a record that is there twice, or left out, is damage") {
            val model = LogModel(EVERY_KIND)
            val bytes = model.segments.single()
            val (from, to) = model.records[1].let { it.offset to it.end }
            seen(listOf(bytes.copyOf(to) + bytes.copyOfRange(from, bytes.size))).name shouldBe "damaged"
            seen(listOf(bytes.copyOf(from) + bytes.copyOfRange(to, bytes.size))).name shouldBe "damaged"
        }

        test("bytes behind the last record are a torn tail only as long as they can be a record that is cut") {
            val bytes = LogModel(EVERY_KIND).segments.single()
            for (count in 1..100) {
                val log = seen(listOf(bytes + ByteArray(count)))
                log.name to log.place shouldBe
                    ((if (count < 36) "torn" else "damaged") to ("s000000.log" to bytes.size.toLong()))
                log.records.size shouldBe EVERY_KIND.size
            }
        }

        test("a segment of another log is damage, files with other names are nothing") {
            val model = LogModel(EVERY_KIND, limit = 300)
            val other = LogModel(EVERY_KIND, LogIdentity(8, 42, 1, 3), limit = 300)
            seen(listOf(model.segments[0], other.segments[1])).name shouldBe "damaged"
            seen(listOf(model.segments[0], model.segments[2])).name shouldBe "damaged"

            val store = storeOf(model.segments)
            val names = listOf("s0000001.log", "s1.log", "s000001.log.new", "x", "s9999999999.log")
            names.forEach { store.create(LOG.resolve(it)).close() }
            see(store, LOG).name shouldBe "open"
        }

        test("a sound head with fields that no writer writes is damage, also at the end") {
            val model = LogModel(listOf(LogStep.Note("a")))
            val head = model.segments.single()
            val large = 1L shl 40
            val illegal =
                mapOf(
                    "kind should be 1 to 2, but is 9" to model.record(9, 2) { putLong(1) },
                    "kind should be 1 to 2, but is 0" to model.record(0, 2) { },
                    "boxCount should be 1 to" to model.putOf(boxCount = 0),
                    "boxes should have 24000000 bytes, but only" to model.putOf(boxCount = 1_000_000),
                    "dimensionCount should be 0 to" to model.putOf(dimensionCount = -1),
                    "elementSize should be at least 1" to model.putOf(elementSize = 0),
                    "boxCount should be 1, but is 3" to model.putOf(dimensionCount = 0, boxCount = 3),
                    "a region has at least one box, and a box one cell" to model.putOf(box = longArrayOf(0, 0, 1)),
                    "has start 0, count 8, stride 0" to model.putOf(box = longArrayOf(0, 8, 0)),
                    "has start -1, count 1" to model.putOf(box = longArrayOf(-1, 1, 1)),
                    "start 0, count $large, stride $large" to model.putOf(box = longArrayOf(0, large, large)),
                    "at most 2^63 - 1 bytes" to model.putOf(box = longArrayOf(0, Long.MAX_VALUE, 1), elementSize = 2),
                    "payloadSize should be 8 by the other fields, but is 16" to model.putOf(payloadSize = 16),
                    "headSize should be 40 by the other fields, but is 56" to
                        model.record(2, 2) { putLong(0).putLong(0) },
                    "headSize should be 40 by the other fields, but is 48" to model.record(2, 2) { putInt(1) },
                    "a note should have at most 65536 bytes, not 65537" to model.record(2, 2, ByteArray(65_537)) { },
                    "record 2 should follow, but 3 does" to model.record(2, 3) { },
                    "sequence should be at least 1" to model.record(2, 0) { },
                )
            illegal.forEach { (reason, record) ->
                val log = seen(listOf(head + record))
                log.records.size shouldBe 1
                log.state
                    .shouldBeInstanceOf<LogReader.State.Damaged>()
                    .at()
                    .reason() shouldContain reason
            }
        }

        test("a log of an earlier or a later version is refused") {
            fun refusal(store: BlockStore) =
                shouldThrow<LogException.UnsupportedVersion> { LogReader.open(store, LOG) }.message
            refusal(storeOf(listOf(LogModel().segmentHead(0, 1, version = 3)))) shouldBe
                "/log/s000000.log: the log has the format version 3, but only version 2 can be read. Read it" +
                " with the release of Cairn that wrote it."
            val old = Path.of("src/test/resources/log/version-1/open/s000000.log").readBytes()
            refusal(storeOf(listOf(old))) shouldBe
                "/log/s000000.log: the log has the format version 1, but only version 2 can be read. Read it" +
                " with the release of Cairn that wrote it."
        }

        test("a damaged frame is reported with its record, and the rest of the log can be read") {
            val model = LogModel(EVERY_KIND)
            val bytes = model.segments.single()
            val put = model.records[2]
            bytes[put.end - 1] = (bytes[put.end - 1] + 1).toByte()
            LogReader.open(storeOf(listOf(bytes)), LOG).use { log ->
                log.state() shouldBe LogReader.State.Open()
                val found = mutableListOf<LogException.DamagedPayload>()
                log.verify(found::add)
                found.single().sequence() shouldBe 3
                found.single().message shouldContain "/log/s000000.log: the payload of record 3 should have the CRC32C"
            }
        }

        test("a verdict names the file, the byte, what was expected and what was found") {
            val bytes = LogModel(EVERY_KIND).segments.single()
            val torn = seen(listOf(bytes.copyOf(70))).state.shouldBeInstanceOf<LogReader.State.Torn>()
            "${torn.at()}" shouldBe
                "/log/s000000.log: at byte 64 the start of a record should have 36 bytes, but the segment ends at byte 70"
            val cut = seen(listOf(bytes.copyOf(110))).state.shouldBeInstanceOf<LogReader.State.Torn>()
            "${cut.at()}" shouldBe
                "/log/s000000.log: at byte 64 the head of a record should have 88 bytes, but the segment ends at byte 110"
            val damaged = seen(listOf(bytes.also { it[64]++ })).state.shouldBeInstanceOf<LogReader.State.Damaged>()
            "${damaged.at()}" shouldContain
                "/log/s000000.log: at byte 64 the start of a record's head should have the CRC32C"
        }

        test("a log that lost records since it was opened is reported, and so is one that was cut") {
            val model = LogModel(EVERY_KIND)
            val store = storeOf(model.segments)
            for (length in listOf(model.records[3].end, model.records[3].end + 5)) {
                LogReader.open(store, LOG).use { log ->
                    store.open(segmentPath(0), Access.READ_WRITE).use { it.resize(length.toLong()) }
                    shouldThrow<LogException.Changed> { recordsOf(log) }.message shouldContain
                        "Another program changes this log"
                    store.open(segmentPath(0), Access.READ_WRITE).use { it.write(0, model.segments.single()) }
                }
            }
        }

        test("a log that grows is read as far as it was when it was opened") {
            val model = LogModel(EVERY_KIND)
            val store = storeOf(listOf(model.segments.single().copyOf(model.records[3].end)))
            LogReader.open(store, LOG).use { log ->
                store.open(segmentPath(0), Access.READ_WRITE).use { it.write(0, model.segments.single()) }
                recordsOf(log).map { log.textOf(it) } shouldContainExactly model.records.take(4).map { it.text }
            }
        }
    })

/** A put with the number 2. */
private fun LogModel.putOf(
    elementSize: Int = 1,
    dimensionCount: Int = 1,
    boxCount: Int = 1,
    box: LongArray = longArrayOf(0, 8, 1),
    payloadSize: Int = 8,
): ByteArray =
    record(1, 2, ByteArray(payloadSize)) {
        putInt(0).putInt(elementSize).putInt(dimensionCount).putInt(boxCount)
        box.forEach(::putLong)
    }
