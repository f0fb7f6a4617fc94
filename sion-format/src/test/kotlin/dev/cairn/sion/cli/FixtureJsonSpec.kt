package dev.cairn.sion.cli

import dev.cairn.sion.fixture.Fixture
import dev.cairn.sion.fixture.Fixtures
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long

/** The numbers of `sion dump --json` are those of the manifests. */
class FixtureJsonSpec :
    FunSpec({
        Fixtures.all.filterNot { it.unreadable }.forEach { fixture ->
            test("the JSON of ${fixture.name} says what the manifest says") {
                val dump = sion("dump", "--json", "-k", "-K", fixture.file.toString()).json

                dump.number("ntasks") shouldBe fixture.tasks.size
                dump.number("fsblksize") shouldBe fixture.blockSize
                dump.text("file") shouldBe fixture.file.toString()
                compareTasks(dump, fixture)
            }
        }
    })

private fun compareTasks(dump: JsonObject, fixture: Fixture) =
    fixture.tasks.forEach { expected ->
        withClue("task ${expected.task}") {
            val task = dump.array("tasks")[expected.readIndex].jsonObject
            task.number("task") shouldBe expected.readIndex
            task.array("blocks").sumOf { it.jsonPrimitive.long } shouldBe task.getValue("size").jsonPrimitive.long
            if (fixture.isKeyValue) {
                task.array("records").map { it.jsonObject.text("key") to it.jsonObject.number("length") } shouldBe
                    expected.records.map { it.key.toULong().toString() to it.length.toInt() }
                task.array("keys").map { it.jsonObject.text("key") to it.jsonObject.number("size") } shouldBe
                    expected.keys.map { it.key.toULong().toString() to it.length.toInt() }
            } else {
                task.getValue("size").jsonPrimitive.long shouldBe expected.readBytes
            }
        }
    }
