package dev.cairn.sion.log

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.DiskException
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.simulated.DiskSettings
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.FileAlreadyExistsException

/** What a writer leaves: the bytes of the format, and earlier records whatever fails. */
class LogWriterSpec :
    FunSpec({
        test("a log has the bytes that the format says, in one segment and in several") {
            for (limit in listOf(1L, 200L, 300L, 1L shl 20)) {
                val store = newLog()
                writeLog(store, EVERY_KIND, limit)
                val expected = LogModel(EVERY_KIND, limit = limit).segments
                segmentsOf(store).map { it.toList() } shouldContainExactly expected.map { it.toList() }
            }
        }

        test("random programs leave the bytes that the format says") {
            withRandom { random ->
                repeat(200) {
                    val steps = randomSteps(random, random.nextInt(40))
                    val limit = random.nextLong(1, 2000)
                    val store = newLog()
                    writeLog(store, steps, limit)
                    val model = LogModel(steps, limit = limit)
                    segmentsOf(store).map { it.toList() } shouldContainExactly model.segments.map { it.toList() }
                    see(store, LOG).records shouldContainExactly model.records.map { it.text }
                }
            }
        }

        test("a payload of several frames, in a segment of its own") {
            val payload = ByteArray(2_500_001) { (it / 777).toByte() }
            val large = LogStep.Put(extent(0, 0, payload.size.toLong()), payload)
            val steps = listOf(LogStep.Note("a"), large, LogStep.Note("b"))
            val store = newLog()
            writeLog(store, steps, 1 shl 20)
            val model = LogModel(steps, limit = 1 shl 20)
            model.segments.size shouldBe 3
            segmentsOf(store).map { it.contentHashCode() } shouldBe model.segments.map { it.contentHashCode() }
            see(store, LOG).records shouldContainExactly model.records.map { it.text }
        }

        test("sequence numbers count all records") {
            val numbers =
                LogWriter.create(newLog(), LOG, LogModel.IDENTITY).use { log ->
                    listOf(log.note("a"), log.put(extent(0, 0, 1), bytes(1)), log.note("b"))
                }
            numbers shouldBe listOf(1L, 2, 3)
        }

        test("buffers stay as they are") {
            val buffer = bytes(20).position(4).limit(14)
            LogWriter.create(newLog(), LOG, LogModel.IDENTITY).use { it.put(extent(0, 0, 10), buffer) }
            buffer.position() to buffer.limit() shouldBe (4 to 14)
        }

        test("a log that exists is neither continued nor replaced") {
            val store = newLog()
            writeLog(store, listOf(LogStep.Note("a")))
            val before = segmentsOf(store).single().toList()
            shouldThrow<FileAlreadyExistsException> { writeLog(store, emptyList()) }.message shouldContain
                "/log/s000000.log: a log is there already: read or delete it first"
            store.rename(segmentPath(0), segmentPath(3))
            shouldThrow<FileAlreadyExistsException> { writeLog(store, emptyList()) }.message shouldContain
                "/log/s000003.log"
            store.list(LOG).size shouldBe 1
            segmentsOf(store).single().toList() shouldBe before
        }

        fun refused(name: String, sentence: String, call: (LogWriter) -> Unit) =
            test("$name is refused, and changes nothing") {
                val store = newLog()
                LogWriter.create(store, LOG, LogModel.IDENTITY).use { log ->
                    log.note("before")
                    shouldThrow<IllegalArgumentException> { call(log) }.message shouldContain sentence
                    log.note("behind")
                }
                val log = see(store, LOG)
                log.state shouldBe LogReader.State.Open()
                log.records.size shouldBe 2
            }

        refused("a payload of another size", "a put of 5 bytes should have a payload of as many, not of 4.") {
            it.put(extent(0, 0, 5), bytes(4))
        }
        refused("a long note", "a note has at most 65536 bytes, not 65538.") { it.note("ü".repeat(32_769)) }
        refused("more boxes than a head can have", "Write it in several parts.") {
            it.put(Region(0, 1, List(50_000) { extent(0, 2L * it, 1).boxes().single() }), bytes(50_000))
        }

        test("whichever operation fails, all records whose call returned are there, and the log goes on") {
            var failures = 0
            for (failing in 1..operations()) {
                for (partial in listOf(0, 20)) {
                    val store = FailingStore(newLog(), failing, partial)
                    runWith(store)
                    failures += store.failures
                }
            }
            failures shouldBeGreaterThan 20
        }

        test("wherever its process ends, a log is open or torn, and has all records whose call returned") {
            val ends = mutableSetOf<String>()
            for (limit in listOf(1L, 300L, 1L shl 20)) {
                for (failing in 1L..30L) {
                    for (partial in listOf(0, 20, 50, 90)) {
                        // Its last write reaches the file in part, and nothing is cut off.
                        val store = FailingStore(newLog(), failing, partial, kinds = setOf(Kind.RESIZE))
                        val written = appendUntilFailure(store, limit)
                        val log = see(store, LOG)
                        ends += log.name
                        log.records shouldBe LogModel(EVERY_KIND).records.take(log.records.size).map { it.text }
                        (log.records.size in written..written + 1) shouldBe true
                    }
                }
            }
            ends shouldBe setOf("open", "torn")
        }

        test("a segment that cannot be cut takes no more records, and its rest is a torn end") {
            val store = FailingStore(newLog(), failing = 0, partial = 70, kinds = setOf(Kind.RESIZE))
            LogWriter.create(store, LOG, LogModel.IDENTITY).use { log ->
                log.note("a")
                store.failing = store.operations + 1
                val failure = shouldThrow<IOException> { log.note("b".repeat(100)) }
                failure.suppressed.size shouldBe 1
                store.kinds = emptySet()
                shouldThrow<IOException> { log.note("c") } shouldBe failure
            }
            val found = see(store, LOG)
            found.name shouldBe "torn"
            found.records.size shouldBe 1
            store.list(LOG).size shouldBe 1
        }

        test("a full disk fails the put that does not fit, and a smaller one still fits") {
            val disk = logDisk(SimulatedDisk(DiskSettings.DEFAULT.withCapacity(4096)))
            val store = disk.host("node")
            LogWriter.create(store, LOG, LogModel.IDENTITY).use { log ->
                log.put(extent(0, 0, 3000), bytes(3000))
                shouldThrow<DiskException> { log.put(extent(0, 0, 3000), bytes(3000)) }
                log.put(extent(0, 3000, 500), bytes(500))
            }
            val log = see(store, LOG)
            log.state shouldBe LogReader.State.Open()
            log.records.size shouldBe 2
            store.list(LOG).size shouldBe 1
        }

        test("no file stays open") {
            val disk = logDisk()
            writeLog(disk.host("node"), EVERY_KIND, 1)
            LogReader.open(disk.host("node"), LOG).use { log -> log.verify { } }
            disk.openFiles() shouldBe emptyList()
        }
    })

private fun bytes(count: Int) = ByteBuffer.wrap(ByteArray(count) { it.toByte() })

private const val NOTES = 8

private fun operations(): Long {
    val store = FailingStore(newLog(), failing = 0, partial = 0)
    runWith(store)
    return store.operations
}

/** Each note is tried until it is written. */
private fun runWith(store: FailingStore) {
    val log =
        try {
            LogWriter.create(store, LOG, LogModel.IDENTITY, 150)
        } catch (failed: InjectedFailure) {
            LogWriter.create(store, LOG, LogModel.IDENTITY, 150)
        }
    val written = mutableListOf<String>()
    log.use {
        repeat(NOTES) { number ->
            persistently(store) { log.note("note $number") }
            written += "note $number"
        }
    }
    LogReader.open(store, LOG).use { found ->
        found.state() shouldBe LogReader.State.Open()
        recordsOf(found).map(found::text) shouldBe written
    }
}

/** Before the second attempt everything that was written before can be read. */
private fun persistently(store: BlockStore, call: () -> Unit) =
    try {
        call()
    } catch (failed: InjectedFailure) {
        (see(store, LOG).name in listOf("open", "torn")) shouldBe true
        call()
    }

/** How many appends returned before the first one that did not. */
private fun appendUntilFailure(store: FailingStore, limit: Long): Int {
    var count = 0
    try {
        LogWriter.create(store, LOG, LogModel.IDENTITY, limit).use { log ->
            for (step in EVERY_KIND) {
                log.append(step)
                count++
            }
        }
    } catch (_: InjectedFailure) {
    }
    return count
}
