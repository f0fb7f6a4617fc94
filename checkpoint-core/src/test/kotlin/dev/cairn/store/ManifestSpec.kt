package dev.cairn.store

import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.shouldThrowFor
import dev.cairn.house.Campaign
import dev.cairn.sion.store.fixture.write
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import java.nio.file.Path
import java.security.MessageDigest
import java.util.HexFormat

class ManifestSpec :
    FunSpec({
        val file = Path.of("/run/heat.cairn/000007/manifest.json")
        val bytes = ManifestFormat.encode(manifest(save = 7, parent = 6))

        test("a manifest comes back as it was, with its digest") {
            val stored = ManifestFormat.decode(file, bytes)
            stored.manifest shouldBe manifest(save = 7, parent = 6)
            stored.digest shouldBe sha256(head(bytes.decodeToString()))
        }

        test("it is the text that the format describes, field by field") {
            bytes.decodeToString() shouldBe TEXT.replace("<digest>", sha256(head(TEXT)))
        }

        test("the first save of a run is stored explicitly without a parent") {
            ManifestFormat.encode(manifest(save = 1)).decodeToString() shouldContain "\"parent\": null,"
        }

        test("a table takes a key for each column, and messages about a key name its column") {
            val whole = manifest(save = 7, parent = 6)
            val columns = listOf(ManifestColumn("id", "long"), ManifestColumn("x", "double"))
            val first = whole.items.first().copy(name = "time")
            val bodies = first.copy(name = "bodies", columns = columns)
            val last = first.copy(name = "steps")
            val mixed = whole.copy(items = listOf(first, bodies, last))
            mixed.keyed() shouldBe listOf(first to 1, bodies to 2, last to 4)
            (1..4).map(mixed::nameOf) shouldBe listOf("time", "bodies.id", "bodies.x", "steps")
        }

        test("a change of any byte to any other is refused") {
            println("ManifestSpec: seed ${Campaign.seed}")
            for (position in Campaign.DAMAGED_BYTES.someOf(bytes.indices.toList())) {
                for (change in 1..255) {
                    val changed = bytes.copyOf().also { it[position] = (it[position].toInt() xor change).toByte() }
                    shouldThrow<CheckpointException.Damaged> { ManifestFormat.decode(file, changed) }
                }
            }
        }

        test("a manifest that was cut anywhere is refused, and so is one with bytes behind its end") {
            for (size in bytes.indices) {
                shouldThrow<CheckpointException.Damaged> { ManifestFormat.decode(file, bytes.copyOf(size)) }
            }
            shouldThrow<CheckpointException.Damaged> { ManifestFormat.decode(file, bytes + bytes) }
            shouldThrow<CheckpointException.Damaged> { ManifestFormat.decode(file, bytes + 10) }
        }

        test("a refusal says what was expected, what was found, and what to do") {
            val found = sha256(head(TEXT))
            val changed = bytes.decodeToString().replace("\"step\": 700", "\"step\": 800")
            val expected = sha256(head(changed))
            shouldThrow<CheckpointException.Damaged> {
                ManifestFormat.decode(
                    file,
                    changed.encodeToByteArray(),
                )
            }.message shouldBe
                "$file: its end should be the digest of the bytes before, $expected, but is $found. " +
                "The manifest is damaged: restore it from another copy."
            shouldThrow<CheckpointException.Damaged> { ManifestFormat.decode(file, byteArrayOf()) }
                .message shouldContain "but is no digest. "
        }

        test("another major version is refused, before any field is looked at") {
            val newer = signed("{\n    \"format\": \"3.0\",\n")
            shouldThrowFor<CheckpointException.Unreadable>(Reason.NEWER_FORMAT) {
                ManifestFormat.decode(file, newer)
            }.message shouldBe
                "$file: its format should be 1.x or 2.x, but is 3.0. Use a newer version of Cairn. The checkpoint " +
                "may be good, so no older one is used in its place."
            shouldThrowFor<CheckpointException.Unreadable>(
                Reason.NEWER_FORMAT,
            ) { ManifestFormat.decode(file, signed("{\n")) }
                .message shouldContain "but is missing."
        }

        test("unknown fields are ignored in a newer minor version, and refused in ours") {
            val extended = head(TEXT).replace("    \"run\"", "    \"weather\": \"fine\",\n    \"run\"")
            val newer = extended.replace("\"2.0\"", "\"2.7\"")
            ManifestFormat.decode(file, signed(newer)).manifest shouldBe
                manifest(7, 6).copy(format = FormatVersion(2, 7))
            shouldThrow<CheckpointException.Damaged> { ManifestFormat.decode(file, signed(extended)) }
                .message shouldContain "weather"
        }

        test("one of format 1.0, which counts no tasks by role, comes back, and is written as it was") {
            val new = head(TEXT).substringAfter("    \"history\"").substringBefore("    \"format\"")
            val old = head(TEXT).replace("    \"history\"$new", "").replace("\"2.0\"", "\"1.0\"")
            val found = ManifestFormat.decode(file, signed(old)).manifest
            found shouldBe manifest(7, 6).copy(format = FormatVersion.V1)
            found.indexTask shouldBe 4
            ManifestFormat.encode(found).decodeToString() shouldBe signed(old).decodeToString()
        }

        test(
            "parameters are a field of format 2.1, which an older version of Cairn ignores as one of a newer minor version",
        ) {
            val parameters = listOf(Parameter("agents", "int", "3000"), Parameter("model", "text", "A"))
            val with = manifest(7, 6).copy(parameters = parameters, format = FormatVersion.V2_1)
            val bytes = ManifestFormat.encode(with)
            val field =
                """
                |    "parameters": [
                |        {
                |            "name": "agents",
                |            "type": "int",
                |            "value": "3000"
                |        },
                |        {
                |            "name": "model",
                |            "type": "text",
                |            "value": "A"
                |        }
                |    ],
                |    "history
                """.trimMargin()
            val text = head(TEXT).replace("    \"history", field).replace("\"2.0\"", "\"2.1\"")
            bytes.decodeToString() shouldBe signed(text).decodeToString()
            ManifestFormat.decode(file, bytes).manifest shouldBe with
            val unfit =
                listOf(
                    text.replace("\"2.1\"", "\"2.0\""),
                    text.replace("\"3000\"", "\"many\""),
                    text.replace("\"model\"", "\"agents\""),
                    text.replace("\"model\"", "\"time\""),
                )
            unfit.forEach {
                shouldThrow<CheckpointException.Damaged> { ManifestFormat.decode(file, signed(it)) }
                    .message shouldStartWith "$file: its content should be as format "
            }
        }

        test("tasks of other roles may stand between those of the ranks and the index") {
            val roles = listOf(TaskCount("rank", 4), TaskCount("stripe", 2), TaskCount("index", 1))
            val found = ManifestFormat.decode(file, ManifestFormat.encode(manifest(7).copy(tasks = roles))).manifest
            found.tasks shouldBe roles
            found.indexTask shouldBe 6
        }

        test("what no writer writes is refused although its digest is right") {
            val text = head(TEXT)
            val wrong =
                listOf(
                    text.replace("\"rankCount\": 4", "\"rankCount\": 0"),
                    text.replace("\"parent\": 6", "\"parent\": 7"),
                    text.replace("1-6", "1-5"),
                    text.replace("1-6", "1-3, 4-6"),
                    text.replace("1-6", "6-1"),
                    text.replace("\"role\": \"index\"", "\"role\": \"rank\""),
                    text.replace("\"count\": 4", "\"count\": 5"),
                    text.replace("\"tasks\"", "\"roles\""),
                    text.replace("\"name\": \"time\"", "\"name\": \"temperature\""),
                    text.replace("\"byteCount\": 8", "\"byteCount\": -8"),
                    text.replace("2025-01-31T12:00:00Z", "noon"),
                    text.replace("2025-01-31T12:00:00Z", "2025-02-31T12:00:00Z"),
                    text.replace("2025-01-31T12:00:00Z", "+1000000000-12-31T23:59:59Z"),
                    text.replace("    \"step\": 700,\n", ""),
                    text.replace("{\n    \"run\"", "[\n    \"run\""),
                    "\u0000\u0001",
                )
            wrong.forEach {
                shouldThrow<CheckpointException.Damaged> { ManifestFormat.decode(file, signed(it)) }
                    .message shouldStartWith "$file: its content should be as format "
            }
        }

        test("a manifest does not grow with the ranks, and 1,000 items fit into half a mebibyte") {
            val many = manifest(7).items.first()
            val wide = manifest(7).copy(rankCount = 100_000, tasks = TaskCount.of(100_000))
            val large = wide.copy(items = List(1000) { many.copy(name = "item $it") })
            ManifestFormat.encode(wide).size shouldBeLessThan 2048
            ManifestFormat.encode(large).size shouldBeLessThan (512 shl 10)
        }

        test("a size is checked before anything is allocated") {
            val store = SimulatedDisk().host("node0")
            val huge = Path.of("/manifest.json")
            store.create(huge).use { it.write(1L shl 40, byteArrayOf(1)) }
            shouldThrow<CheckpointException.Damaged> { ManifestFormat.read(store, huge) }.message shouldBe
                "$huge: its size should be at most 16777216 bytes, but is more. " +
                "The manifest is damaged: restore it from another copy."
            val tooMany = List(60_000) { manifest(7).items.first().copy(name = "item $it") }
            shouldThrow<IllegalArgumentException> { ManifestFormat.encode(manifest(7).copy(items = tooMany)) }
                .message shouldContain "describe its 60000 items in fewer words"
        }
    })

private fun sha256(text: String): String =
    HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.encodeToByteArray()))

/** All that the last digest speaks of. */
private fun head(text: String) = text.substringBeforeLast("    \"digest\"")

/** These bytes, with the right digest behind them. */
private fun signed(text: String): ByteArray = "$text    \"digest\": \"${sha256(text)}\"\n}\n".encodeToByteArray()

private val TEXT =
    """
    {
        "run": "heat-7f3a",
        "parent": 6,
        "save": 7,
        "step": 700,
        "phase": "main",
        "rankCount": 4,
        "time": "2025-01-31T12:00:00Z",
        "contents": "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "items": [
            {
                "name": "temperature",
                "kind": "field",
                "elementType": "float64",
                "shape": [
                    300,
                    200
                ],
                "elementCount": 60000,
                "byteCount": 480000,
                "digest": "feedfeedfeedfeedfeedfeedfeedfeed",
                "layout": {
                    "blocks": "2 x 2"
                }
            },
            {
                "name": "time",
                "kind": "replicated",
                "elementType": "float64",
                "shape": [],
                "elementCount": 1,
                "byteCount": 8,
                "digest": "beefbeefbeefbeefbeefbeefbeefbeef",
                "layout": {}
            }
        ],
        "provenance": {
            "program": "heat",
            "host": "node0",
            "java": "17",
            "cairn": "0.1.0"
        },
        "hints": {
            "firstFile": "data.sion",
            "fileCount": 2,
            "byteCount": 3000
        },
        "history": "1-6",
        "tasks": [
            {
                "role": "rank",
                "count": 4
            },
            {
                "role": "index",
                "count": 1
            }
        ],
        "format": "2.0",
        "digest": "<digest>"
    }

    """.trimIndent()
