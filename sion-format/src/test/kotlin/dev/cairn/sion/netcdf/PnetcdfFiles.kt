package dev.cairn.sion.netcdf

import dev.cairn.sion.stripe.Hyperslab
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import java.nio.file.Path
import kotlin.io.path.readBytes
import kotlin.io.path.readText

/** A file that PnetCDF wrote, and the calls that it was asked to do. */
internal class PnetcdfFile(val name: String) {
    val bytes: ByteArray = FILES.resolve("$name.nc").readBytes()

    val writes: List<PnetcdfWrite> =
        Json
            .parseToJsonElement(FILES.resolve("$name.json").readText())
            .jsonObject
            .getValue("requests")
            .jsonArray
            .flatMap { writesOf(it.jsonObject) }

    override fun toString() = name

    companion object {
        private val FILES = Path.of("src/test/resources/netcdf")

        val ALL = listOf("kinds-1.10", "kinds-1.14", "grid-1.14", "epochs-1.12.3", "redef-1.14").map(::PnetcdfFile)
    }
}

/** What one call writes to one box of a variable. */
internal class PnetcdfWrite(val variable: String, val section: Hyperslab, val values: Values)

/** A call of `varn` writes several boxes. */
private fun writesOf(request: JsonObject): List<PnetcdfWrite> {
    val variable = request.getValue("var").jsonPrimitive.content
    val count = request.getValue("n").jsonPrimitive.int
    val numbers = numbers(request.getValue("rule").jsonObject, count)
    val starts = request["starts"]
    if (starts == null) {
        val box = box(request["start"], request["count"], request["stride"])
        val ordered = request["imap"].longs()?.let { numbers.throughMap(request["count"].longs()!!, it) } ?: numbers
        return listOf(PnetcdfWrite(variable, box, values(request, ordered)))
    }
    var next = 0
    return starts.jsonArray.mapIndexed { index, start ->
        val box = box(start, (request["counts"] as? JsonArray)?.get(index), null)
        val cells = (request["counts"] as? JsonArray)?.get(index).longs()?.fold(1L, Long::times) ?: 1
        PnetcdfWrite(variable, box, values(request, numbers.subList(next, next + cells.toInt()))).also {
            next += cells.toInt()
        }
    }
}

private fun numbers(rule: JsonObject, count: Int): List<Long> {
    val (base, step, mod) = listOf("base", "step", "mod").map { rule.getValue(it).jsonPrimitive.long }
    return List(count) { base + it * step % mod }
}

private fun List<Long>.throughMap(count: LongArray, distances: LongArray): List<Long> =
    cellsOf(count).map { cell -> this[cell.indices.sumOf { cell[it] * distances[it] }.toInt()] }

private fun box(start: JsonElement?, count: JsonElement?, stride: JsonElement?): Hyperslab {
    val starts = start.longs() ?: return Hyperslab.WHOLE
    val ones = LongArray(starts.size) { 1 }
    return Hyperslab.of(starts, count.longs() ?: ones, stride.longs() ?: ones)
}

private fun JsonElement?.longs(): LongArray? =
    if (this == null || this == JsonNull) null else jsonArray.map { it.jsonPrimitive.long }.toLongArray()

private fun values(request: JsonObject, numbers: List<Long>): Values =
    when (val type = request.getValue("mem").jsonPrimitive.content) {
        "schar" -> Values.of(numbers.map(Long::toByte).toByteArray())
        "uchar" -> Values.ofUnsigned(numbers.map(Long::toByte).toByteArray())
        "short" -> Values.of(numbers.map(Long::toShort).toShortArray())
        "ushort" -> Values.ofUnsigned(numbers.map(Long::toShort).toShortArray())
        "int" -> Values.of(numbers.map(Long::toInt).toIntArray())
        "uint" -> Values.ofUnsigned(numbers.map(Long::toInt).toIntArray())
        "longlong" -> Values.of(numbers.toLongArray())
        "ulonglong" -> Values.ofUnsigned(numbers.toLongArray())
        "float" -> Values.of(numbers.map { it / 2f }.toFloatArray())
        "double" -> Values.of(numbers.map { it / 2.0 }.toDoubleArray())
        "text" -> Values.ofText(numbers.map { (33 + Math.floorMod(it, 94)).toByte() }.toByteArray())
        else -> error("no type $type")
    }
