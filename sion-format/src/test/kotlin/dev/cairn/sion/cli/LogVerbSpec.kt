package dev.cairn.sion.cli

import dev.cairn.sion.log.EVERY_KIND
import dev.cairn.sion.log.LogIdentity
import dev.cairn.sion.log.LogModel
import dev.cairn.sion.log.LogWriter
import dev.cairn.sion.pnetcdf.BurstFixture
import dev.cairn.sion.pnetcdf.put
import dev.cairn.sion.pnetcdf.writeOwnLogs
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.fixture.bytesOf
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.io.path.readBytes

/** What `sion log` prints, makes, deletes and refuses. */
class LogVerbSpec :
    FunSpec({
        val crash = BurstFixture.of("crash-1.14")
        val missing =
            "sion: /bb/ckpt.nc_0: the logs of 1 of 3 processes are missing: rank 1. " +
                "Bring them from the disks of their hosts."

        fun BlockStore.run(vararg arguments: String) = sion("log", *arguments, store = this)

        fun crashed() = crash.placed().also { it.put(Path.of("/ckpt.nc"), crash.bytesOf("crashed.nc")) }

        fun incomplete() =
            crash
                .placed { file, bytes -> bytes.takeUnless { "_1." in file } }
                .also { it.put(Path.of("/ckpt.nc"), crash.bytesOf("crashed.nc")) }

        listOf("inspect", "verify", "replay", "extract", "export", "discard").forEach { verb ->
            test("$verb has a help with an example") {
                val run = sion("log", verb, "--help")

                run.exitCode shouldBe 0
                run.text shouldStartWith "Usage: sion log $verb "
                run.text shouldContain "Example: sion log $verb "
                sion("log", "--help").text shouldContain "\n  $verb "
            }
        }

        test("wrong usage is one sentence and exit code 2") {
            mapOf(
                emptyList<String>() to
                    "sion log: Which verb? inspect, verify, replay, extract, export or discard. Try 'sion log --help'.",
                listOf("inspect") to
                    "sion log inspect: Missing required parameter: 'LOG'. Try 'sion log inspect --help'.",
                listOf("replay", "/bb") to
                    "sion log replay: Missing required option: '--into=FILE'. Try 'sion log replay --help'.",
                listOf("replay", "--into", "/x", "--flush-size", "9", "/bb") to
                    "sion log replay: --flush-size is for --order pnetcdf: give both, or none of them. Try 'sion log replay --help'.",
                listOf("replay", "--into", "/x", "--order", "pnetcdf", "--flush-size", "0", "/bb") to
                    "sion log replay: --flush-size should be at least 1, but is 0. Try 'sion log replay --help'.",
            ).forEach { (arguments, sentence) ->
                val run = sion("log", *arguments.toTypedArray())
                run.complaint shouldBe sentence
                run.exitCode shouldBe 2
            }
        }

        test("inspect prints headers, misplaced fields and puts") {
            val run = BurstFixture.of("redef-1.14").placed().run("inspect", "/bb")

            run.text shouldBe
                """
                /bb/ckpt.nc_0_0.meta: log of PnetCDF
                  layout: C, of PnetCDF 1.13.0 and later
                  byte order: little
                  rank: 0 of 1
                  target: /scratch/run/ckpt.nc
                  host: n01
                  max_ndims: 0 (not used)
                  num_entries: 288230376151711744 (PnetCDF stores the number in entry_begin)
                  entry_begin: 3 (really the number of entries; they begin at 112)
                  puts: 3
                  bytes of values: 148
                  put 0: vara of variable 1, float, start [1, 0, 0] count [2, 3, 4], bytes 96
                  put 1: vara of variable 2, float, start [0, 1, 2, 0] count [3, 1, 1, 4], bytes 48
                  put 2: vara of variable 0, int, start [0] count [1], bytes 4
                note: logs of PnetCDF do not say whether they were flushed when their file was closed, which puts were cancelled, or whether bytes changed: they have no checksums.

                """.trimIndent()
            run.complaint shouldBe ""
            run.exitCode shouldBe 0
        }

        test("inspect names what is behind the puts, and what is missing") {
            val epochs = BurstFixture.of("epochs-1.12.3").placed().run("inspect", "/bb/ckpt.nc_0_1.data")
            epochs.text shouldContain "  behind them, no data: 240 bytes of entries, 88 of values\n"
            epochs.text shouldContain "defect: /bb/ckpt.nc_0: the logs of 1 of 2 processes are missing: rank 0."
            epochs.exitCode shouldBe 1
        }

        test("inspect prints the same as JSON, with all boxes") {
            val run = BurstFixture.of("grid-1.14").placed().run("inspect", "--json", "/bb")
            val json = Json.parseToJsonElement(run.text).jsonObject
            val set =
                json
                    .getValue("pnetcdf")
                    .jsonArray
                    .single()
                    .jsonObject
            val log = set.getValue("logs").jsonArray[1].jsonObject

            json.keys shouldContainExactly setOf("pnetcdf", "cairn")
            set.getValue("losses").jsonArray.shouldBeEmpty()
            log.getValue("rank").jsonPrimitive.long shouldBe 1
            log.getValue("layout").jsonPrimitive.content shouldBe "C"
            log.getValue("puts").jsonArray.size shouldBe BurstFixture.of("grid-1.14").logs[1].putCount
            val box =
                log
                    .getValue("puts")
                    .jsonArray[7]
                    .jsonObject
                    .getValue("boxes")
                    .jsonArray[1]
                    .jsonObject
            box.getValue("start").jsonArray.map { it.jsonPrimitive.long } shouldBe listOf(7L)
            run.exitCode shouldBe 0
        }

        test("verify says of each program in a line what its logs have") {
            val store = crashed()
            val other = BurstFixture.of("grid-1.14")
            other.files.forEach { store.put(Path.of("/bb", it), other.bytesOf(it)) }
            val run = store.run("verify", "/bb")

            run.text shouldBe
                "/bb/ckpt.nc_0: good; processes 3, puts 19, bytes 572\n" +
                "/bb/ckpt.nc_1: good; processes 4, puts 31, bytes 3536\n"
            run.complaint shouldBe ""
            run.exitCode shouldBe 0
        }

        test("verify reports logs that are missing") {
            val run = incomplete().run("verify", "/bb")
            run.text shouldBe ""
            run.complaint shouldBe missing
            run.exitCode shouldBe 1
        }

        test("replay makes the file that the program would have made, and does so again") {
            val store = crashed()
            repeat(2) {
                val run = store.run("replay", "--into", "/ckpt.nc", "/bb")
                run.text shouldBe "/ckpt.nc: replayed; bytes 572, records 0 before, 0 after\n"
                run.complaint shouldBe ""
                run.exitCode shouldBe 0
                val found = store.bytesOf(Path.of("/ckpt.nc"))
                found shouldBe crash.bytesOf("expected.nc").copyOf(found.size)
            }
        }

        test("a dry run prints what would be done, and does not do it") {
            val store = crashed()
            val run = store.run("replay", "--dry-run", "--into", "/ckpt.nc", "/bb")
            run.text
                .lines()
                .dropLast(1)
                .last() shouldBe "/ckpt.nc: not changed; bytes 572, records 0 before, 0 after"
            run.text shouldContain Regex("(?m)^[a-z]+: puts [0-9]+, values [0-9]+, cells [0-9]+, overlapping 0$")
            store.bytesOf(Path.of("/ckpt.nc")) shouldBe crash.bytesOf("crashed.nc")
        }

        test("an incomplete set is replayed only if that is wanted") {
            val store = incomplete()
            val refused = store.run("replay", "--into", "/ckpt.nc", "/bb")
            refused.complaint shouldBe
                "$missing\nsion: /bb/ckpt.nc_0: the logs are not whole, and nothing was done. --available takes the rest."
            refused.exitCode shouldBe 1
            store.bytesOf(Path.of("/ckpt.nc")) shouldBe crash.bytesOf("crashed.nc")
            val taken = store.run("replay", "--available", "--into", "/ckpt.nc", "/bb")
            taken.complaint shouldBe missing
            taken.exitCode shouldBe 0
        }

        test("overlaps are refused with --order error") {
            val overlap = BurstFixture.of("overlap-1.14")
            val store = overlap.placed().also { it.put(Path.of("/x.nc"), overlap.bytesOf("expected.nc")) }
            val run = store.run("replay", "--order", "error", "--into", "/x.nc", "/bb")
            run.complaint shouldContain "are put to cells that get others as well. Choose which put counts"
            run.exitCode shouldBe 1
        }

        test("extract writes the box of a variable, with zeros where nothing was put") {
            val store = BurstFixture.of("kinds-1.14-be").placed()
            val run = store.run("extract", "--variable", "5", "-o", "/label", "/bb")
            run.text shouldBe "/label: variable 5, text, byte order big, start [2] count [7], cells 7 of 7\n"
            run.exitCode shouldBe 0
            // Values 32 + 5 k mod 94 of 'text' are the characters 33 + v mod 94.
            String(store.bytesOf(Path.of("/label"))) shouldBe "AFKPUZ_"

            val pick = store.run("extract", "--variable", "7", "-o", "/pick", "/bb")
            pick.text shouldBe "/pick: variable 7, int, byte order big, start [0] count [5], cells 4 of 5\n"
            val ints = ByteBuffer.wrap(store.bytesOf(Path.of("/pick"))).asIntBuffer()
            List(5) { ints.get() } shouldBe listOf(777, 780, 778, 0, 779)
        }

        test("extract names its file when all of it is written") {
            val steps = mutableListOf<Operation>()
            val watched =
                object : ForwardingStore(BurstFixture.of("kinds-1.14-be").placed()) {
                    override fun onOperation(operation: Operation) {
                        if ("/label" in "${operation.path()}") steps += operation
                    }
                }
            watched.run("extract", "--variable", "5", "-o", "/label", "/bb").exitCode shouldBe 0
            val kinds = steps.map { "${it.kind()} ${it.path()}" }
            kinds.filter { it.startsWith("WRITE") }.distinct() shouldBe listOf("WRITE /label.part")
            kinds.filter { it.substringBefore(" ") in setOf("CREATE", "FORCE", "RENAME") } shouldBe
                listOf("CREATE /label.part", "FORCE /label.part", "RENAME /label.part")
        }

        test("extract overwrites nothing, and refuses variables without puts") {
            val store = crashed()
            store.run("extract", "--variable", "0", "-o", "/ckpt.nc", "/bb").complaint shouldBe
                "sion: /ckpt.nc: it exists and is not overwritten: delete it, or choose another name."
            store.run("extract", "--variable", "99", "-o", "/v", "/bb").complaint shouldBe
                "sion: /bb/ckpt.nc_0: nothing was put to variable 99."
        }

        test("discard deletes only what it is told to") {
            val store = crashed()
            val asked = store.run("discard", "/bb")
            asked.text.lines().filter { it.isNotEmpty() } shouldBe crash.files.map { "/bb/$it" }
            asked.complaint shouldBe "sion: nothing was deleted. Give --delete to delete these files."
            asked.exitCode shouldBe 0
            store.list(Path.of("/bb")).size shouldBe 6

            store.put(Path.of("/bb/other"), ByteArray(1))
            val deleted = store.run("discard", "--delete", "/bb")
            deleted.text shouldBe asked.text
            deleted.exitCode shouldBe 0
            store.list(Path.of("/bb")) shouldBe listOf(Path.of("/bb/other"))
        }

        test("logs of Cairn are looked at, and not replayed") {
            val store = crash.placed { _, _ -> null }
            store.makeDirectory(Path.of("/logs"))
            store.makeDirectory(Path.of("/logs/1"))
            store.put(Path.of("/logs/1/s000000.log"), LogModel(EVERY_KIND).segments.single())
            for (place in listOf("/logs", "/logs/1")) {
                val verified = store.run("verify", place)
                verified.text shouldStartWith "/logs/1: good; open, records ${EVERY_KIND.size}, bytes "
                verified.exitCode shouldBe 0
                val inspected = store.run("inspect", place)
                inspected.text shouldStartWith "/logs/1: log of Cairn\n  state: open\n"
                inspected.text shouldContain
                    "\n  rank: ${LogModel.IDENTITY.rank()} of ${LogModel.IDENTITY.rankCount()}\n"
            }
            val json = Json.parseToJsonElement(store.run("inspect", "--json", "/logs").text).jsonObject
            json
                .getValue("cairn")
                .jsonArray
                .single()
                .jsonObject
                .getValue("state")
                .jsonPrimitive.content shouldBe
                "open"
            store.run("replay", "--into", "/ckpt.nc", "/logs").complaint shouldBe
                "sion: /logs/1: it is a log of Cairn. 'sion log export' makes logs of PnetCDF of such logs."
        }

        test("export makes logs of PnetCDF of logs of Cairn, which are replayed") {
            val store = crashed()
            store.writeOwnLogs(Path.of("/ckpt.nc"), Path.of("/logs"))
            store
                .run("verify", "/logs")
                .text
                .lines()
                .first() shouldStartWith "/logs/0: good; open, records "
            store.run("inspect", "/logs/0").text shouldContain ": note: cells for /ckpt.nc\n"
            val exported = store.run("export", "--for", "/ckpt.nc", "--to", "/back", "/logs")
            exported.text.lines().filter { it.isNotEmpty() } shouldBe
                (0..2).flatMap { listOf("/back/ckpt.nc_0_$it.meta", "/back/ckpt.nc_0_$it.data") } +
                "/back: exported; processes 3, puts 19, bytes 572"
            exported.exitCode shouldBe 0
            store.run("replay", "--into", "/ckpt.nc", "/back").exitCode shouldBe 0
            val found = store.bytesOf(Path.of("/ckpt.nc"))
            found shouldBe crash.bytesOf("expected.nc").copyOf(found.size)
        }

        test("export overwrites nothing, and takes only logs of its kind") {
            val store = crashed()
            store.writeOwnLogs(Path.of("/ckpt.nc"), Path.of("/logs"))
            store.run("export", "--for", "/ckpt.nc", "--to", "/back", "/logs").exitCode shouldBe 0
            store.run("export", "--for", "/ckpt.nc", "--to", "/back", "/logs").complaint shouldBe
                "sion: /back/ckpt.nc_0_0.meta: it exists and is not overwritten: delete it, or choose another " +
                "directory."
            store.run("export", "--for", "/ckpt.nc", "--to", "/more", "/bb").complaint shouldBe
                "sion: /bb/ckpt.nc_0_0.meta: it is a log of PnetCDF. 'sion log replay' and 'sion log extract' take " +
                "it as it is."
        }

        test("a log of an earlier version is refused by every verb that reads it") {
            val store = crashed()
            store.makeDirectory(Path.of("/logs"))
            val old = Path.of("src/test/resources/log/version-1/open/s000000.log").readBytes()
            store.put(Path.of("/logs/s000000.log"), old)
            val sentence =
                "sion: /logs/s000000.log: the log has the format version 1, but only version 2 can be read. Read it " +
                    "with the release of Cairn that wrote it."
            val export = listOf("export", "--for", "/ckpt.nc", "--to", "/x")
            for (arguments in listOf(listOf("inspect"), listOf("verify"), export)) {
                val run = store.run(*(arguments + "/logs").toTypedArray())
                run.complaint shouldBe sentence
                run.exitCode shouldBe 1
            }
            store.run("discard", "--delete", "/logs").exitCode shouldBe 0
            store.exists(Path.of("/logs")) shouldBe false
        }

        test("export takes what is before the damage of a log only if that is wanted") {
            val store = crashed()
            store.writeOwnLogs(Path.of("/ckpt.nc"), Path.of("/logs"))
            val segment = Path.of("/logs/1/s000000.log")
            val bytes = store.bytesOf(segment)
            store.delete(segment)
            store.put(segment, bytes.also { it[70]++ })
            val refused = store.run("export", "--for", "/ckpt.nc", "--to", "/back", "/logs")
            refused.complaint.lines().first() shouldStartWith "sion: $segment: at byte "
            refused.complaint.lines().last() shouldBe
                "sion: the logs are not whole, and nothing was done. --available takes the rest."
            refused.exitCode shouldBe 1
            store.exists(Path.of("/back")) shouldBe false
            val taken = store.run("export", "--available", "--for", "/ckpt.nc", "--to", "/back", "/logs")
            taken.complaint shouldBe refused.complaint.lines().first()
            taken.exitCode shouldBe 0
        }

        test("discard deletes logs of Cairn and their directories, but no files of others") {
            val store = crashed()
            store.writeOwnLogs(Path.of("/ckpt.nc"), Path.of("/logs"))
            store.put(Path.of("/logs/1/mine"), ByteArray(1))
            val asked = store.run("discard", "/logs")
            asked.text shouldBe (0..2).joinToString("") { "/logs/$it/s000000.log\n" }
            asked.complaint shouldBe "sion: nothing was deleted. Give --delete to delete these files."
            val deleted = store.run("discard", "--delete", "/logs")
            deleted.text shouldBe asked.text
            deleted.exitCode shouldBe 0
            store.list(Path.of("/logs")) shouldBe listOf(Path.of("/logs/1"))
            store.list(Path.of("/logs/1")) shouldBe listOf(Path.of("/logs/1/mine"))
        }

        test("inspect prints the text of notes, but nothing that changes a terminal, and no damaged text") {
            val store = crash.placed { _, _ -> null }
            val identity = LogIdentity(1, 0, 0, 1)
            LogWriter.create(store, Path.of("/bb"), identity).use { it.note("a\u001b[2J\nb") }
            store.run("inspect", "/bb").text shouldContain ": note: a\uFFFD[2J\uFFFDb\n"
            store.open(Path.of("/bb/s000000.log"), Access.READ_WRITE).use {
                it.write(it.size() - 8, ByteBuffer.wrap(byteArrayOf(7)))
            }
            store.run("inspect", "/bb").text shouldContain ": note whose text is damaged\n"
        }

        test("a torn log of Cairn is good as far as it goes, and a damaged one is not") {
            val store = crash.placed { _, _ -> null }
            val bytes = LogModel(EVERY_KIND).segments.single()
            store.put(Path.of("/bb/s000000.log"), bytes.copyOf(70))
            val torn = store.run("verify", "/bb")
            torn.text shouldBe "/bb: good; torn, records 0, bytes 0\n"
            torn.complaint shouldBe
                "sion: /bb/s000000.log: at byte 64 the start of a record should have 36 bytes, but the segment ends at byte 70."
            torn.exitCode shouldBe 0
            store.delete(Path.of("/bb/s000000.log"))
            store.put(Path.of("/bb/s000000.log"), bytes.also { it[70]++ })
            store.run("verify", "/bb").exitCode shouldBe 1
        }

        test("places without logs, and logs of several programs, are refused") {
            val store = crashed()
            store.run("inspect", "/ckpt.nc").complaint shouldBe
                "sion: /ckpt.nc: there are no logs, neither of PnetCDF (such as ckpt.nc_0_0.meta) nor of Cairn " +
                "(s000000.log). Check the name."
            store.run("verify", "/none").complaint shouldBe "sion: /none: there is no such file. Check the name."
            val other = BurstFixture.of("grid-1.14")
            other.files.forEach { store.put(Path.of("/bb", it), other.bytesOf(it)) }
            store.run("discard", "/bb").complaint shouldBe
                "sion: there are logs of several programs or NetCDF files, ckpt.nc_0, ckpt.nc_1. Name the files of one."
        }
    })
