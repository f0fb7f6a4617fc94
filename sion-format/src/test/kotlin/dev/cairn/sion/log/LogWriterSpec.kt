package dev.cairn.sion.log

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.DiskException
import dev.cairn.sion.store.Operation.Kind
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
                for (policy in LogForcePolicy.values()) {
                    val store = newLog()
                    writeLog(store, EVERY_KIND, spec(policy, limit))
                    val expected = LogModel(EVERY_KIND, policy = policy.ordinal, limit = limit).segments
                    segmentsOf(store).map { it.toList() } shouldContainExactly expected.map { it.toList() }
                }
            }
        }

        test("random programs leave the bytes that the format says") {
            withRandom { random ->
                repeat(200) {
                    val steps = randomSteps(random, random.nextInt(40))
                    val limit = random.nextLong(1, 2000)
                    val store = newLog()
                    writeLog(store, steps, spec(LogForcePolicy.ON_SEAL, limit))
                    val model = LogModel(steps, limit = limit)
                    segmentsOf(store).map { it.toList() } shouldContainExactly model.segments.map { it.toList() }
                    see(store, LOG).records shouldContainExactly model.records.map { it.text }
                }
            }
        }

        test("a payload of several frames, in a segment of its own") {
            val payload = ByteArray(2_500_001) { (it / 777).toByte() }
            val large = LogStep.Put(false, Region.ofExtent(0, 0, payload.size.toLong()), payload)
            val steps = listOf(LogStep.Note("a"), large, LogStep.Note("b"), LogStep.Seal)
            val store = newLog()
            writeLog(store, steps, spec(LogForcePolicy.ON_SEAL, 1 shl 20))
            val model = LogModel(steps, limit = 1 shl 20)
            model.segments.size shouldBe 3
            segmentsOf(store).map { it.contentHashCode() } shouldBe model.segments.map { it.contentHashCode() }
            see(store, LOG).records shouldContainExactly model.records.map { it.text }
        }

        test("sequence numbers count all records") {
            val numbers =
                LogWriter.create(newLog(), LOG, LogSpec.of(LogModel.IDENTITY)).use { log ->
                    listOf(
                        log.note("a"),
                        log.endCollective(),
                        log.barrier(3),
                        log.put(Region.ofExtent(0, 0, 1), bytes(1)),
                        log.cancel(4),
                    )
                }
            numbers shouldBe listOf(1L, 2, 3, 4, 5)
        }

        test("buffers stay as they are") {
            val buffer = bytes(20).position(4).limit(14)
            LogWriter
                .create(
                    newLog(),
                    LOG,
                    LogSpec.of(LogModel.IDENTITY),
                ).use { it.put(Region.ofExtent(0, 0, 10), buffer) }
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

        fun refused(
            name: String,
            sentence: String,
            call: (LogWriter) -> Unit,
        ) = test("$name is refused, and changes nothing") {
            val store = newLog()
            LogWriter.create(store, LOG, LogSpec.of(LogModel.IDENTITY)).use { log ->
                log.barrier(5)
                val failure = runCatching { call(log) }.exceptionOrNull()
                (failure is IllegalArgumentException || failure is IllegalStateException) shouldBe true
                failure?.message shouldContain sentence
                log.endCollective()
                log.seal()
            }
            see(store, LOG).state shouldBe LogState.Sealed()
        }

        refused("a payload of another size", "a put of 5 bytes should have a payload of as many, not of 4.") {
            it.put(Region.ofExtent(0, 0, 5), bytes(4))
        }
        refused(
            "an independent put in a collective",
            "/log: collective 1 should end first, but an independent put follows.",
        ) {
            it.putCollectively(Region.ofExtent(0, 0, 1), bytes(1))
            it.put(Region.ofExtent(0, 0, 1), bytes(1))
        }
        refused("a barrier in a collective", "collective 1 should end first, but a barrier follows.") {
            it.putCollectively(Region.ofExtent(0, 0, 1), bytes(1))
            it.barrier(6)
        }
        refused("a seal in a collective", "collective 1 should end first, but a seal follows.") {
            it.putCollectively(Region.ofExtent(0, 0, 1), bytes(1))
            it.seal()
        }
        refused("an earlier epoch", "an epoch after 5 should follow, but 5 does.") { it.barrier(5) }
        refused("a cancellation of a later record", "record 2 can only cancel earlier ones, but names record 2.") {
            it.cancel(2)
        }
        refused("a long note", "a note has at most 65536 bytes, not 65538.") { it.note("ü".repeat(32_769)) }
        refused("more boxes than a head can have", "Write it in several parts.") {
            it.put(Region(0, 1, List(50_000) { StridedBox.extent(2L * it, 1) }), bytes(50_000))
        }

        test("a sealed log takes no more records") {
            val log = LogWriter.create(newLog(), LOG, LogSpec.of(LogModel.IDENTITY))
            log.seal()
            shouldThrow<IllegalStateException> { log.note("late") }.message shouldContain "nothing should follow a seal"
            shouldThrow<IllegalStateException> { log.seal() }
            log.close()
        }

        test("whichever operation fails, all records whose call returned are there, and the log goes on") {
            for (policy in LogForcePolicy.values()) {
                var failures = 0
                for (failing in 1..operationsOf(policy)) {
                    for (partial in listOf(0, 20)) {
                        val store = FailingStore(newLog(), failing, partial)
                        val lost = runWith(store, policy)
                        failures += store.failures
                        if (lost) policy shouldBe LogForcePolicy.ON_SEAL
                    }
                }
                failures shouldBeGreaterThan 20
            }
        }

        test("a segment that cannot be cut is left, and its rest is no data") {
            val store = FailingStore(newLog(), failing = 0, partial = 70, kinds = setOf(Kind.RESIZE))
            LogWriter.create(store, LOG, spec(LogForcePolicy.ON_SEAL, 1L shl 20)).use { log ->
                log.note("a")
                store.failing = store.operations + 1
                shouldThrow<IOException> { log.note("b".repeat(100)) }.suppressed.size shouldBe 1
                store.kinds = emptySet()
                log.note("c")
                log.seal()
            }
            val found = see(store, LOG)
            found.state shouldBe LogState.Sealed()
            found.records.size shouldBe 3
            store.list(LOG).size shouldBe 2
            segmentsOf(store)[0].size shouldBeGreaterThan LogModel.little(segmentsOf(store)[1]).getLong(48).toInt()
        }

        test("a full disk fails the put that does not fit, and a smaller one still fits") {
            val disk = logDisk(SimulatedDisk(DiskSettings.DEFAULT.withCapacity(4096)))
            val store = disk.host("node")
            LogWriter.create(store, LOG, LogSpec.of(LogModel.IDENTITY)).use { log ->
                log.put(Region.ofExtent(0, 0, 3000), bytes(3000))
                shouldThrow<DiskException> { log.put(Region.ofExtent(0, 0, 3000), bytes(3000)) }
                log.put(Region.ofExtent(0, 3000, 500), bytes(500))
                log.seal()
            }
            see(store, LOG).state shouldBe LogState.Sealed()
            store.list(LOG).size shouldBe 1
        }

        test("what a failed force may have lost is never sealed") {
            val store = FailingStore(newLog(), failing = 0, partial = 0)
            LogWriter.create(store, LOG, spec(LogForcePolicy.ON_SEAL, 1L shl 20)).use { log ->
                log.note("a")
                store.kinds = setOf(Kind.FORCE)
                shouldThrow<LogException.RecordsLost> { log.seal() }.message shouldContain
                    "/log/s000000.log: it could not be forced, so records that were appended before may be lost."
                store.kinds = emptySet()
                shouldThrow<LogException.RecordsLost> { log.seal() }
                shouldThrow<LogException.RecordsLost> { log.note("b") }
            }
            see(store, LOG).state shouldBe LogState.Open()
        }

        test("no file stays open") {
            val disk = logDisk()
            writeLog(disk.host("node"), EVERY_KIND, spec(LogForcePolicy.ON_RECORD, 1))
            LogReader.open(disk.host("node"), LOG).use { log -> log.verify { } }
            disk.openFiles() shouldBe emptyList()
        }
    })

private fun bytes(count: Int) = ByteBuffer.wrap(ByteArray(count) { it.toByte() })

private const val NOTES = 8

private fun operationsOf(policy: LogForcePolicy): Long {
    val store = FailingStore(newLog(), failing = 0, partial = 0)
    runWith(store, policy)
    return store.operations
}

/** Whether records were lost; each note is tried until it is written. */
private fun runWith(
    store: FailingStore,
    policy: LogForcePolicy,
): Boolean {
    val log =
        try {
            LogWriter.create(store, LOG, spec(policy, 250))
        } catch (failed: InjectedFailure) {
            LogWriter.create(store, LOG, spec(policy, 250))
        }
    val written = mutableListOf<String>()
    log.use {
        try {
            repeat(NOTES) { number ->
                persistently(store) { log.note("note $number") }
                written += "note $number"
            }
            persistently(store) { log.seal() }
        } catch (lost: LogException.RecordsLost) {
            see(store, LOG).name shouldBe "open"
            return true
        }
    }
    LogReader.open(store, LOG).use { found ->
        found.state() shouldBe LogState.Sealed()
        recordsOf(found).filter { it.entry() is LogEntry.Note }.map(found::text) shouldBe written
    }
    return false
}

/** Before the second attempt everything that was written before can be read. */
private fun persistently(
    store: BlockStore,
    call: () -> Unit,
) = try {
    call()
} catch (failed: InjectedFailure) {
    (see(store, LOG).name in listOf("open", "torn")) shouldBe true
    call()
}
