package dev.cairn.event

import dev.cairn.event.CheckpointEvent.ProgramEnd
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.proof.log.loggedBy
import dev.cairn.report.EventHistory
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.DiskSettings
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.readWhole
import dev.cairn.store.writeNew
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.longs.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import java.io.IOException
import java.nio.file.Path
import java.time.Clock
import java.time.Instant
import java.time.ZoneOffset
import kotlin.time.Duration.Companion.seconds

/** Events come back as they were written, from files of a bounded size, whatever a kill leaves of the last line. */
class EventFileSpec :
    FunSpec({
        val newer = Path.of("events.jsonl")
        val older = Path.of("events.1.jsonl")
        val clock = Clock.fixed(Instant.parse("2025-01-31T09:00:00Z"), ZoneOffset.UTC)

        fun file(files: BlockStore, mostBytes: Long = 1 shl 20, program: String = "a") =
            EventFile(files, newer, program, EventBound(mostBytes, older), clock)

        fun numbersIn(files: BlockStore) =
            EventHistory.read(files, older, newer).lines.map { (it.event as CheckpointEvent.Deleted).number }

        test("each kind of event comes back with its time and its program") {
            val files = SimulatedDisk().host("node0")
            val events =
                listOf(
                    CheckpointEvent.Started(9, 2, mapOf("a\"b" to "0-3, 8", "c" to "4-7"), "a\"b", 12, ""),
                    Restored(3, 30, 4, "relax"),
                    CheckpointEvent.Begun(4, 40, "relax"),
                    SaveOutcome.Failed(4, 40, "relax", "a reason\nof two lines"),
                    CheckpointEvent.Ended(ProgramEnd.UNSAVED, 41),
                )
            for (event in events) file(files, program = "5d1c0a52").append(event)
            val history = EventHistory.read(files, older, newer)
            history.lines.map { it.event } shouldContainExactly events
            history.lines.map { it.time }.distinct() shouldContainExactly listOf(clock.instant())
            history.lines.map { it.program }.distinct() shouldContainExactly listOf("5d1c0a52")
            history.unreadableCount shouldBe 0
            history.isComplete shouldBe true
        }

        test("two files of a bounded size keep the newest events") {
            val files = SimulatedDisk().host("node0")
            val most = 1000L
            for (number in 1..100) {
                file(files, most).append(CheckpointEvent.Deleted(number))
                files.open(newer, Access.READ).use { it.size() } shouldBeLessThanOrEqual most
            }
            val kept = numbersIn(files)
            kept shouldContainExactly (kept.first()..100).toList()
            // A line has about 70 bytes, and one file at least is full.
            (kept.size in 14..28) shouldBe true
            EventHistory.read(files, older, newer).isComplete shouldBe false
        }

        test("a line that a kill has cut short is counted, and the next one is whole") {
            val files = SimulatedDisk().host("node0")
            for (number in 1..3) file(files).append(CheckpointEvent.Deleted(number))
            files.open(newer, Access.READ_WRITE).use { it.resize(it.size() - 9) }
            file(files).append(CheckpointEvent.Deleted(4))
            numbersIn(files) shouldContainExactly listOf(1, 2, 4)
            EventHistory.read(files, older, newer).unreadableCount shouldBe 1
        }

        test("an event that only a newer version knows is counted, and so are lines of anything else") {
            val files = SimulatedDisk().host("node0")
            val text =
                """{"time":"2025-01-31T09:00:00Z","program":"a","event":"levitated"}""" +
                    "\n7\n[]\n\u0000\u00ff\n{\"time\":3}\n" +
                    """{"time":"+999999999-01-01T00:00:00Z","program":"a","event":"deleted","number":1}"""
            files.writeNew(newer, text.encodeToByteArray())
            EventHistory.read(files, older, newer).unreadableCount shouldBe 6
        }

        test("a line with more levels than a stack has is counted, and brackets in a text are no levels") {
            val files = SimulatedDisk().host("node0")
            val reason = "[{".repeat(50) + "\\\"["
            val failed =
                """{"time":"2025-01-31T09:00:00Z","program":"a",""" +
                    """"event":"failed","number":1,"step":1,"phase":"","reason":"$reason"}"""
            val lines = listOf("[".repeat(100_000), "{\"a\":".repeat(100_000), failed)
            files.writeNew(newer, lines.joinToString("\n").encodeToByteArray())
            val history = EventHistory.read(files, older, newer)
            history.unreadableCount shouldBe 2
            history.lines.map { (it.event as SaveOutcome.Failed).reason } shouldContainExactly
                listOf("[{".repeat(50) + "\"[")
        }

        test("lines with numbers that no program can have measured are counted") {
            val saved = Saved(7, 700, "", 4096, 1.seconds, 2, 0.5.seconds, 1.seconds)
            val line = EventLine(Instant.parse("2025-01-31T09:00:00Z"), "a", saved).encode()
            EventLine.decode(line)?.event shouldBe saved
            val digits = listOf("4096" to "-4096", "\"seconds\":1.0" to "\"seconds\":1e308", "0.5" to "-0.5")
            for ((good, bad) in digits) EventLine.decode(line.replaceFirst(good, bad)) shouldBe null
        }

        test("a store without events has none") {
            EventHistory.read(SimulatedDisk().host("node0"), older, newer).lines.shouldBeEmpty()
        }

        test("events that cannot be written do not reach the program, and later ones are written") {
            var isFull = true
            val files =
                object : ForwardingStore(SimulatedDisk().host("node0")) {
                    override fun onOperation(operation: BlockStore.Operation) {
                        if (isFull) throw IOException("planned: no space left")
                    }
                }
            val kept = KeptEvents(file(files)) { write -> write() }
            for (number in 1..3) kept.accept(CheckpointEvent.Deleted(number))
            isFull = false
            kept.accept(CheckpointEvent.Deleted(4))
            numbersIn(files) shouldContainExactly listOf(4)
        }

        test(
            "lines that wait are written in their order and once, in the background or by a program that waits for them",
        ) {
            val files = SimulatedDisk().host("node0")
            val background = mutableListOf<() -> Unit>()
            val kept = KeptEvents(file(files)) { write -> background += write }
            for (number in 1..3) kept.accept(CheckpointEvent.Deleted(number))
            numbersIn(files).shouldBeEmpty()
            background.first()()
            numbersIn(files) shouldContainExactly listOf(1, 2, 3)
            kept.accept(CheckpointEvent.Deleted(4))
            kept.flush()
            background.forEach { it() }
            numbersIn(files) shouldContainExactly listOf(1, 2, 3, 4)
        }

        test("what a full disk leaves of a line is cut off, and the log says how many events are missing") {
            val files = SimulatedDisk(DiskSettings.DEFAULT.withCapacity(2 * 4096L)).host("node0")
            val filler = Path.of("filler")
            val kept = KeptEvents(file(files)) { write -> write() }
            val log =
                loggedBy {
                    files.writeNew(filler, ByteArray(4096))
                    for (number in 1..99) kept.accept(CheckpointEvent.Deleted(number))
                    files.readWhole(newer, 4096)?.last() shouldBe '\n'.code.toByte()
                    files.delete(filler)
                    for (number in 100..101) kept.accept(CheckpointEvent.Deleted(number))
                }
            val written = numbersIn(files)
            val missing = (1..101).toList() - written.toSet()
            missing shouldContainExactly (missing.first()..99).toList()
            written shouldContainExactly (1..101).toList() - missing.toSet()
            EventHistory.read(files, older, newer).unreadableCount shouldBe 0
            log.first() shouldStartWith
                "WARNING: the file of events events.jsonl cannot be written, so events are missing there: "
            log.drop(1) shouldContainExactly
                listOf("INFO: the file of events events.jsonl is written again, but lacks ${missing.size} events")
        }

        test("the ranks of each host are told in runs, from which the host of each rank can be told") {
            val hosts = List(4) { "node0" } + "node1" + List(2) { "node0" } + "node1"
            val ranks = ranksByHost(hosts)
            ranks shouldBe mapOf("node0" to "0-3, 5-6", "node1" to "4, 7")
            hosts.indices.map { ranks.hostOf(it) } shouldContainExactly hosts
            ranks.hostOf(8) shouldBe null
            ranksByHost(List(100_000) { "node${it % 50_000}" }) shouldBe emptyMap()
        }
    })

private fun EventFile.append(event: CheckpointEvent) = append(lineOf(event))
