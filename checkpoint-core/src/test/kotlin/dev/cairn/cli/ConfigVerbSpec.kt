package dev.cairn.cli

import dev.cairn.checkpoints
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.ranks
import dev.cairn.store.writeNew
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import java.nio.file.Path

/** `cairn config`, in text and for scripts. */
class ConfigVerbSpec :
    FunSpec({
        test("without a checkpoint it tells what a file gives here, and for scripts the same") {
            val heat = HeatCheckpoints()
            heat.files.writeNew(Path.of("cairn.conf"), "keep-last = 4".encodeToByteArray())
            heat.files.writeNew(Path.of("other"), "keep-last = 5".encodeToByteArray())

            heat.cairn("config").lines shouldContain "keep-last = 4            file cairn.conf, line 1"
            val told = heat.cairn("config", "--json", "--config", "other").json
            told.getValue("checkpoint") shouldBe JsonNull
            val keepLast =
                told.getValue("settings").jsonArray.first { it.jsonObject["name"] == JsonPrimitive("keep-last") }
            keepLast.jsonObject["value"] shouldBe JsonPrimitive("5")
            keepLast.jsonObject["origin"] shouldBe JsonPrimitive("file other, line 1")
        }

        test("of a checkpoint it tells the settings with which that was saved, whatever holds here now") {
            val heat = HeatCheckpoints()
            ranks(2) {
                checkpoints(Path.of("s"), CheckpointOptions { keepLast = 9 }, heat.files) {}.use { it.save(1) }
            }
            heat.files.writeNew(Path.of("cairn.conf"), "keep-last = 4".encodeToByteArray())

            heat.cairn("config", "s").lines shouldContain "keep-last = 9            program"
            heat.cairn("config", "s/1").text shouldBe heat.cairn("config", "s").text
            heat.cairn("info", "s").text.contains("keep-last") shouldBe false
        }

        test("what cannot be is refused in a sentence") {
            val heat = HeatCheckpoints().apply { save(2, step = 1) }
            heat.cairn("config", "heat.cairn").run {
                exitCode shouldBe 3
                complaint shouldBe "cairn: heat.cairn/000001: it does not record the settings with which it was saved."
            }
            heat.files.writeNew(Path.of("cairn.conf"), "keep-last = 1".encodeToByteArray())
            heat.cairn("config").run {
                exitCode shouldBe 3
                complaint shouldBe
                    "cairn: file cairn.conf, line 1: keep-last cannot be '1'. " +
                    "It is a whole number of at least 2, or only-newest."
            }
            val renamed = HeatCheckpoints()
            renamed.files.writeNew(Path.of("cairn.properties"), ByteArray(0))
            renamed.cairn("config").run {
                exitCode shouldBe 3
                complaint shouldContain "cairn: cairn.properties: settings are read from cairn.conf"
            }
        }
    })
