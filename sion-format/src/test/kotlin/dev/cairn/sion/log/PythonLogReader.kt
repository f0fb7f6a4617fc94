package dev.cairn.sion.log

import dev.cairn.house.Need
import dev.cairn.house.isOnPath
import dev.cairn.sion.stripe.Hyperslab
import io.kotest.core.test.Enabled
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.createTempFile
import kotlin.io.path.deleteExisting
import kotlin.io.path.readText

/** The reader in `src/test/python`, which shares nothing with Cairn but the page on the format. */
internal object PythonLogReader {
    private val script = Path.of("src/test/python/read_log.py")

    /** Whether there is a Python to run it. */
    val isThere: Enabled get() = Need.PYTHON.given(isOnPath("python3"))

    /** What it sees in each of the logs. */
    fun read(directories: List<Path>): List<PythonLog> {
        val lines = run("$script", *directories.map(Path::toString).toTypedArray()).lines().filter { it.isNotBlank() }
        check(lines.size == directories.size) { "${lines.size} lines for ${directories.size} logs" }
        return lines.map { PythonLog(Json.parseToJsonElement(it).jsonObject) }
    }

    private fun run(vararg arguments: String): String {
        val complaint = createTempFile("python", ".txt")
        val process = ProcessBuilder("python3", "-B", *arguments).redirectError(complaint.toFile()).start()
        val output = process.inputStream.reader().readText()
        check(process.waitFor(1, TimeUnit.MINUTES)) { "python3 does not end" }
        if (process.exitValue() != 0) throw AssertionError("the reader in Python says: ${complaint.readText()}")
        complaint.deleteExisting()
        return output
    }
}

/** A log as the reader in Python prints it. */
internal class PythonLog(json: JsonObject) {
    val state: String = json.text("state")

    /** As in [SeenLog.place]. */
    val place: Pair<String, Long>? =
        json.getValue("break").takeIf { it != JsonNull }?.jsonArray?.let {
            "s%06d.log".format(it[0].jsonPrimitive.long) to it[1].jsonPrimitive.long
        }

    /** In the words of [LogModel], with payloads in hexadecimal. */
    val records: List<String> = json.getValue("records").jsonArray.map { textOf(it.jsonObject) }

    private fun textOf(record: JsonObject): String {
        val words = if (record.text("kind") == "put") "put ${regionOf(record)}" else "note"
        val payload = if (record.text("intact") == "true") record.text("payload") else "damaged"
        return "${record.text("sequence")} $words $payload"
    }

    private fun regionOf(record: JsonObject): Region {
        val boxes =
            record.getValue("boxes").jsonArray.map { box ->
                Hyperslab.of(longs(box, 0), longs(box, 1), longs(box, 2))
            }
        return Region(record.text("variable").toInt(), record.text("elementSize").toInt(), boxes)
    }

    private fun longs(box: JsonElement, row: Int) =
        box.jsonArray[row]
            .jsonArray
            .map { it.jsonPrimitive.long }
            .toLongArray()

    private fun JsonObject.text(name: String) = getValue(name).jsonPrimitive.content
}
