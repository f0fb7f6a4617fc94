package dev.cairn.proof.format

import dev.cairn.house.Need
import dev.cairn.house.isOnPath
import io.kotest.core.test.Enabled
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import java.nio.file.Path
import java.util.concurrent.TimeUnit

/** The reader in `src/test/python`, which shares nothing with Cairn but the pages on the format. */
internal object PythonReader {
    private val script = Path.of("src/test/python/read_checkpoint.py")

    /** Whether there is a Python to run it. */
    val isThere: Enabled get() = Need.PYTHON.given(isOnPath("python3"))

    /** What is in the checkpoint [save]; an [AssertionError] tells its complaint if it has one. */
    fun read(save: Path): PythonCheckpoint {
        val process = run("$script", "$save")
        if (process.status != 0) throw AssertionError("the reader in Python says: ${process.complaint}")
        return PythonCheckpoint(Json.parseToJsonElement(process.output).jsonObject)
    }

    private class Ended(val status: Int, val output: String, val complaint: String)

    private fun run(vararg arguments: String): Ended {
        val process = ProcessBuilder("python3", "-B", *arguments).start()
        val complaint = StringBuilder()
        val listener = Thread { complaint.append(process.errorStream.reader().readText()) }.apply { start() }
        val output = process.inputStream.reader().readText()
        check(process.waitFor(1, TimeUnit.MINUTES)) { "python3 does not end" }
        listener.join()
        return Ended(process.exitValue(), output, "$complaint")
    }
}

/** A checkpoint as the reader in Python prints it. */
internal class PythonCheckpoint(private val json: JsonObject) {
    fun number(name: String): Long =
        json
            .getValue(name)
            .jsonPrimitive.content
            .toLong()

    /** The cells of a field in the order of their global numbers, or the values of all ranks. */
    fun list(item: String): List<String> = (item(item) as JsonArray).jsonArray.map { it.jsonPrimitive.content }

    /** A column of a table, with the rows of rank 0 first. */
    fun column(table: String, name: String): List<String> =
        item(table)
            .jsonObject
            .getValue(name)
            .jsonArray
            .map { it.jsonPrimitive.content }

    fun text(item: String): String = item(item).jsonPrimitive.content

    /** The values of an item, rank by rank, as JSON. */
    fun values(item: String): String =
        json
            .getValue("values")
            .jsonObject
            .getValue(item)
            .toString()

    /** The tables of the graphs of all ranks, as compact JSON. */
    fun graphs(item: String): String = "${item(item)}"

    private fun item(name: String) = json.getValue("items").jsonObject.getValue(name)
}
