package dev.cairn.sion.cli

import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldEndWith
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonObject
import java.nio.ByteBuffer
import java.nio.ByteOrder
import kotlin.io.path.readBytes
import kotlin.io.path.writeBytes

/** What `sion dump` does beyond siondump; the text itself is [FixtureDumpSpec]'s matter. */
class DumpVerbSpec :
    FunSpec({
        val rule = "-".repeat(155) + "\n"

        test("the JSON has a line for each task, and no keys or records unless asked for") {
            val file = bundled("s07-keyval.sion").toString()
            val run = sion("dump", "--json", file)

            run.text.lines().size shouldBe 4 + 2
            sion("dump", "--json", file)
                .json
                .array("tasks")
                .map { it.jsonObject.keys }
                .distinct() shouldBe
                listOf(setOf("task", "globalRank", "file", "localRank", "chunkSize", "size", "blocks"))
        }

        test("the JSON of a member opened alone keeps its file number") {
            val member = bundled("p04-five-two-files.sion.000001").toString()
            val dump = sion("dump", "--json", member).json

            dump.number("filenumber") shouldBe 1
            dump.array("tasks").map { it.jsonObject.number("file") } shouldBe listOf(1, 1, 1)
            dump.array("tasks").map { it.jsonObject.number("globalRank") } shouldBe listOf(2, 3, 4)
        }

        test("flags are unsigned strings, so that no reader rounds them") {
            val dump = sion("dump", "--json", bundled("s07-keyval.sion").toString()).json

            dump.getValue("flag1") shouldBe JsonPrimitive("219043332096")
            dump.text("content") shouldBe "records"
        }

        test("keys and records can be had together, which crashes the C tool") {
            val file = bundled("s07-keyval.sion").toString()
            val keys = sion("dump", "-k", file).text.substringAfter(rule)
            val records = sion("dump", "-K", file).text.substringAfter(rule)

            sion("dump", "-k", "-K", file).text shouldEndWith rule + keys + rule + records
        }

        test("asking plain bytes for keys prints a rule, and a sentence on standard error") {
            val file = bundled("s01-one-task.sion").toString()
            val run = sion("dump", "-k", file)

            run.text shouldBe sion("dump", file).text + rule
            run.complaint shouldBe "sion: $file holds plain bytes, so there are no keys to print."
            run.exitCode shouldBe 0
        }

        test("a member opened alone is not believed that it is one of two thousand millions") {
            val member = tempdir().toPath().resolve("x.sion.000001")
            val bytes = bundled("p04-five-two-files.sion.000001").readBytes()
            ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(28, Int.MAX_VALUE)
            member.writeBytes(bytes)
            val lines = sion("dump", "-M", member.toString()).text.lines()

            lines.count { it.matches(Regex("siondump: file +[0-9]+: .*")) } shouldBe 1_000
            lines.count { it.startsWith("  file[") } shouldBe 1_000
            lines.single { it.startsWith("siondump: and ") } shouldBe "siondump: and 2147482647 more"
        }
    })
