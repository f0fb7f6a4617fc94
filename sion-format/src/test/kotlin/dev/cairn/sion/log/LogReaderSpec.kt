package dev.cairn.sion.log

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

/** What a reader finds in logs that were made by [LogModel], whole, cut and damaged. */
class LogReaderSpec :
    FunSpec({
        test("every kind of record is read") {
            val model = LogModel(EVERY_KIND)
            val log = seen(model.segments)
            log.state shouldBe LogState.Sealed()
            log.records shouldContainExactly model.records.map { it.text }
        }

        test("a log knows whose it is, how far it has come, and what it cancels") {
            LogReader.open(storeOf(LogModel(EVERY_KIND).segments), LOG).use { log ->
                log.identity().get() shouldBe LogModel.IDENTITY
                log.forcePolicy().get() shouldBe LogForcePolicy.ON_SEAL
                log.recordCount() shouldBe EVERY_KIND.size
                log.lastCollective() shouldBe 2
                log.isCancelled(1) shouldBe true
                log.isCancelled(3) shouldBe false
                val notes = recordsOf(log).filter { it.entry() is LogEntry.Note }
                notes.map(log::text) shouldBe listOf("step 1: größer", "")
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
            val put = LogStep.Put(false, Region.ofExtent(0, 0, payload.size.toLong()), payload)
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

        test("every prefix has a clean verdict and only whole records") {
            for (steps in listOf(EVERY_KIND, EVERY_KIND - LogStep.Seal)) {
                val model = LogModel(steps)
                val bytes = model.segments.single()
                for (length in 0..bytes.size) {
                    val log = seen(listOf(bytes.copyOf(length)))
                    val whole = model.records.filter { it.end <= length }
                    withClue("$length of ${bytes.size} bytes") {
                        log.records shouldContainExactly whole.map { it.text }
                        val end = whole.lastOrNull()?.end ?: if (length < 64) 0 else 64
                        when {
                            length == bytes.size && LogStep.Seal in steps -> {
                                log.name shouldBe "sealed"
                            }

                            length == end && length > 0 -> {
                                log.name shouldBe "open"
                            }

                            else -> {
                                log.name shouldBe "torn"
                                log.place shouldBe ("s000000.log" to end.toLong())
                            }
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
                    log.place shouldBe ("s000000.log" to end.toLong())
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

        test("a torn log becomes a damaged one by a seal behind the tear, and only by one of its own") {
            val model = LogModel(EVERY_KIND)
            val seal = model.records.last()
            val bytes = model.segments.single()
            val hole = bytes.copyOf().also { it.fill(0, model.records[1].offset, model.records[2].offset) }
            seen(listOf(hole)).name shouldBe "damaged"
            seen(listOf(hole.copyOf(seal.offset))).name shouldBe "torn"

            val others = LogModel(EVERY_KIND, LogIdentity(7, 42, 1, 3)).segments.single()
            val stale = bytes.copyOf(model.records[2].offset) + others.copyOfRange(model.records[2].offset, others.size)
            val log = seen(listOf(stale))
            log.name shouldBe "torn"
            log.records shouldContainExactly model.records.take(2).map { it.text }
        }

        test("a seal far behind a tear is found at each multiple of 8") {
            val model = LogModel(EVERY_KIND)
            val bytes = model.segments.single()
            val seal = bytes.copyOfRange(model.records.last().offset, bytes.size)
            for (gap in (65_536 - 200..65_536 + 200 step 8) + listOf(0, 200_000)) {
                seen(listOf(bytes.copyOf(64) + ByteArray(gap) + seal)).name shouldBe "damaged"
            }
            seen(listOf(bytes.copyOf(64) + ByteArray(12) + seal)).name shouldBe "torn"
        }

        test("bytes and segments behind a seal are damage, files with other names are nothing") {
            val model = LogModel(EVERY_KIND)
            val bytes = model.segments.single()
            val end = "s000000.log" to bytes.size.toLong()
            val longer = seen(listOf(bytes + ByteArray(1)))
            longer.name to longer.place shouldBe ("damaged" to end)
            longer.records.size shouldBe EVERY_KIND.size
            val next = model.segmentHead(1, EVERY_KIND.size + 1L, bytes.size.toLong())
            seen(listOf(bytes, next)).name shouldBe "damaged"

            val store = storeOf(model.segments)
            val names = listOf("s0000001.log", "s1.log", "s000001.log.new", "x", "s9999999999.log")
            names.forEach { store.create(LOG.resolve(it)).close() }
            see(store, LOG).name shouldBe "sealed"
        }

        test("what follows the end that the next segment announces is no data") {
            val model = LogModel(EVERY_KIND, limit = 300)
            val rubbish = model.segments.first() + model.segments.last()
            val log = seen(listOf(rubbish) + model.segments.drop(1))
            log.name shouldBe "sealed"
            log.records shouldContainExactly model.records.map { it.text }
        }

        test("a sound head with fields that no writer writes is damage, also at the end") {
            val model = LogModel(listOf(LogStep.Note("a")))
            val head = model.segments.single()
            val large = 1L shl 40
            val illegal =
                mapOf(
                    "kind should be 1 to 6, but is 9" to model.record(9, 2) { putLong(1) },
                    "cancelled should be 1 to" to model.record(2, 2) { putLong(0) },
                    "record 2 can only cancel earlier ones" to model.record(2, 2) { putLong(2) },
                    "collective 1 should follow, but 2 does" to model.record(3, 2) { putLong(2) },
                    "a put of collective 1 should follow" to model.putOf(collective = 2),
                    "boxCount should be 1 to" to model.putOf(boxCount = 0),
                    "boxes should have 1000000 times 24 bytes" to model.putOf(boxCount = 1_000_000),
                    "dimensionCount should be 0 to" to model.putOf(dimensionCount = -1),
                    "boxCount should be 1 without dimensions" to model.putOf(dimensionCount = 0, boxCount = 3),
                    "has start 0, count 0, stride 1" to model.putOf(box = longArrayOf(0, 0, 1)),
                    "has start -1, count 1" to model.putOf(box = longArrayOf(-1, 1, 1)),
                    "start 0, count $large, stride $large" to model.putOf(box = longArrayOf(0, large, large)),
                    "at most 2^63 - 1 bytes" to model.putOf(box = longArrayOf(0, Long.MAX_VALUE, 1), elementSize = 2),
                    "the payload should have 8 bytes" to model.putOf(payloadSize = 16),
                    "should be no more fields, but there are 20" to model.record(6, 2) { putLong(0).putLong(0) },
                    "the payload should have 0 bytes" to model.record(4, 2, ByteArray(3)) { putLong(1) },
                    "to 65536 bytes" to model.record(6, 2, ByteArray(65_537)) { },
                    "the seal should be" to model.record(5, 2) { putLong(1).putLong(2).putInt(3) },
                )
            illegal.forEach { (reason, record) ->
                val log = seen(listOf(head + record))
                log.records.size shouldBe 1
                log.state
                    .shouldBeInstanceOf<LogState.Damaged>()
                    .at()
                    .reason() shouldContain reason
            }
        }

        test("a log of a later version is refused") {
            val store = storeOf(listOf(LogModel().segmentHead(0, 1, 0, version = 2)))
            shouldThrow<LogException.UnsupportedVersion> { LogReader.open(store, LOG) }.message shouldBe
                "/log/s000000.log: the log has the format version 2, but only version 1 can be read. Read it" +
                " with the release of Cairn that wrote it."
        }

        test("a damaged frame is reported with its record, and the rest of the log can be read") {
            val model = LogModel(EVERY_KIND)
            val bytes = model.segments.single()
            val put = model.records[2]
            bytes[put.end - 1] = (bytes[put.end - 1] + 1).toByte()
            LogReader.open(storeOf(listOf(bytes)), LOG).use { log ->
                log.state() shouldBe LogState.Sealed()
                val found = mutableListOf<LogException.DamagedPayload>()
                log.verify(found::add)
                found.single().sequence() shouldBe 3
                found.single().message shouldContain "/log/s000000.log: the payload of record 3 should have the CRC32C"
            }
        }

        test("a verdict names the file, the byte, what was expected and what was found") {
            val bytes = LogModel(EVERY_KIND).segments.single()
            val torn = seen(listOf(bytes.copyOf(70))).state.shouldBeInstanceOf<LogState.Torn>()
            "${torn.at()}" shouldBe
                "/log/s000000.log: at byte 64 a record should begin, but the segment ends at byte 70"
            LogException.Damaged(torn.at()).message shouldBe
                "/log/s000000.log: at byte 64 a record should begin, but the segment ends at byte 70. The log is" +
                " damaged there: use another copy of it, or only the records before."
        }
    })

/** A put with the number 2. */
private fun LogModel.putOf(
    collective: Long = 0,
    elementSize: Int = 1,
    dimensionCount: Int = 1,
    boxCount: Int = 1,
    box: LongArray = longArrayOf(0, 8, 1),
    payloadSize: Int = 8,
): ByteArray =
    record(1, 2, ByteArray(payloadSize)) {
        putLong(collective)
            .putInt(0)
            .putInt(elementSize)
            .putInt(dimensionCount)
            .putInt(boxCount)
        box.forEach(::putLong)
    }
