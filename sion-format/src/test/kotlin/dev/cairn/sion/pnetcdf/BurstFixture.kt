package dev.cairn.sion.pnetcdf

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.write
import dev.cairn.sion.store.simulated.SimulatedDisk
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.boolean
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap
import java.util.zip.GZIPInputStream
import kotlin.io.path.exists
import kotlin.io.path.inputStream
import kotlin.io.path.readBytes
import kotlin.io.path.readText

/** The logs that a program left with a release of PnetCDF, and the calls that it made. */
class BurstFixture private constructor(val name: String) {
    private val folder = Path.of(checkNotNull(BurstFixture::class.java.getResource("/pnetcdf/$name")).toURI())
    private val manifest: JsonObject = Json.parseToJsonElement(folder.resolve("manifest.json").readText()).jsonObject
    private val hosts = manifest.list("hosts").map { it.jsonPrimitive.content }
    private val dims = manifest.list("dims").map { it.jsonObject.number("len") }
    private val vars = manifest.list("vars").map { it.jsonObject.longs("dims") }

    /** The host of a rank, as its log names it. */
    fun processor(rank: Int): String = if (layout == MetaHeader.Layout.A) "" else hosts[rank]

    val rankCount: Int = manifest.number("ranks").toInt()
    val handle: Int = manifest.number("ncid").toInt()
    val target: String = manifest.text("target")
    val layout: MetaHeader.Layout = MetaHeader.Layout.valueOf(manifest.text("layout"))
    val order: ByteOrder =
        if (manifest.text("endian") == "big") ByteOrder.BIG_ENDIAN else ByteOrder.LITTLE_ENDIAN
    val logs: List<LiveLog> = manifest.list("logs").map { LiveLog(it.jsonObject) }
    val calls: List<Call> = manifest.list("requests").map { Call(it.jsonObject) }

    /** What the manifest says of the log of a rank. */
    class LiveLog(json: JsonObject) {
        val rank = json.number("rank").toInt()
        val sharer = json.number("channel").toInt()
        val sharerCount = json.number("channels").toInt()
        val headerSize = json.number("header_size").toInt()
        val putCount = json.number("entries").toInt()
        val dataEnd = json.number("data_end")
        val meta = json.text("meta")
    }

    /** A call of the program, and the puts that it left in the log. */
    inner class Call(private val json: JsonObject) {
        val rank = json.number("rank").toInt()
        val isCancelled = json.getValue("cancelled").jsonPrimitive.boolean

        /** The numbers of the entries that count; none if they are of an earlier epoch. */
        val entries = json.longsOrNull("entries")?.map { it.toInt() }.orEmpty()
        private val variable = json.number("varid").toInt()
        private val type = typeOf(json.text("mem"))

        val puts: List<Put> = if (json.number("status") == 0L) boxes().withValues() else emptyList()

        private fun boxes(): List<PutBoxes> {
            if (json.text("api") == "varn") return boxesOfVarn()
            val start = json.longsOrNull("start") ?: LongArray(vars[variable].size)
            val count =
                when (json.text("api")) {
                    "var" -> LongArray(start.size) { dims[vars[variable][it].toInt()] }
                    "var1" -> LongArray(start.size) { 1 }
                    else -> json.longs("count")
                }
            val stride = json.longsOrNull("stride")
            return listOf(if (stride == null) PutBoxes.vara(start, count) else PutBoxes.vars(start, count, stride))
        }

        private fun boxesOfVarn(): List<PutBoxes> {
            val starts = json.rows("starts")
            val counts = if (json.getValue("counts") is JsonNull) null else json.rows("counts")
            return when {
                starts.isEmpty() -> {
                    emptyList()
                }

                layout == MetaHeader.Layout.A -> {
                    starts.indices.map {
                        PutBoxes.vara(
                            starts[it],
                            counts?.get(it) ?: LongArray(starts[it].size) { 1 },
                        )
                    }
                }

                counts == null -> {
                    listOf(PutBoxes.cells(starts))
                }

                else -> {
                    listOf(PutBoxes.varn(starts, counts))
                }
            }
        }

        private fun List<PutBoxes>.withValues(): List<Put> {
            var next = 0
            return filter { it.cellCount() > 0 }.map { boxes ->
                val first = next
                next += boxes.cellCount().toInt()
                Put(variable, type, boxes, valuesOf(first, boxes))
            }
        }

        private fun valuesOf(first: Int, boxes: PutBoxes): ByteArray {
            val bytes = ByteBuffer.allocate(boxes.cellCount().toInt() * type.size()).order(order)
            val map = json.longsOrNull("imap")
            val rule = ValueRule(json.getValue("rule").jsonObject)
            repeat(boxes.cellCount().toInt()) { bytes.putValue(type, rule.value(inBuffer(first + it, boxes, map))) }
            return bytes.array()
        }

        /** Where the program's buffer has the cell [cell] of the box, with the strides of [map] if it has any. */
        private fun inBuffer(cell: Int, boxes: PutBoxes, map: LongArray?): Long {
            if (map == null) return cell.toLong()
            var rest = cell.toLong()
            return map.indices.reversed().sumOf { dimension ->
                val count = boxes.count(0, dimension)
                (rest % count * map[dimension]).also { rest /= count }
            }
        }
    }

    /** What the program has put into the elements of a buffer. */
    private class ValueRule(json: JsonObject) {
        private val base = json.number("base")
        private val step = json.number("step")
        private val modulus = json.number("mod")

        fun value(element: Long): Long = base + Math.floorMod(element * step, modulus)
    }

    /** A put with its values, which are in the byte order of the log. */
    class Put(val variable: Int, val type: StagedPut.MemoryType, val boxes: PutBoxes, val values: ByteArray)

    private val contents = ConcurrentHashMap<String, ByteArray>()

    /** A copy of what is in a file. */
    fun bytesOf(file: String): ByteArray = contents.computeIfAbsent(file, ::read).copyOf()

    private fun read(file: String): ByteArray {
        val packed = folder.resolve("$file.gz")
        return if (packed.exists()) {
            packed.inputStream().use { GZIPInputStream(it).readBytes() }
        } else {
            folder.resolve(file).readBytes()
        }
    }

    fun has(file: String): Boolean = folder.resolve(file).exists()

    /** The names of the log files. */
    val files: List<String> = logs.map { it.meta }.distinct().flatMap { listOf(it, it.dropLast(4) + "data") }

    /** The puts of a rank that count, in their order. */
    fun puts(rank: Int): List<Put> =
        calls.filter { it.rank == rank }.flatMap { call -> call.puts.takeIf { call.entries.isNotEmpty() }.orEmpty() }

    /** Copies the logs to a simulated disk, as [change] changes each file; null leaves it out. */
    fun placed(change: (String, ByteArray) -> ByteArray? = { _, bytes -> bytes }): BlockStore {
        val store = emptyStore()
        files.forEach { file -> change(file, bytesOf(file))?.let { store.put(DIRECTORY.resolve(file), it) } }
        return store
    }

    /** Makes the calls of the program again, with our writer. */
    fun written(): BlockStore = emptyStore().also { store -> logs.forEach { write(store, it) } }

    private fun write(store: BlockStore, log: LiveLog) {
        val header = MetaHeader.ofNewLog(layout, order, rankCount, log.rank, target, hosts[log.rank])
        val name = BurstLogName.of(DIRECTORY.resolve(log.meta)).get()
        val events = manifest.list("events").map { it.jsonObject }.filter { it.number("rank").toInt() == log.rank }
        BurstLogWriter.begin(store, name, header, Sharing(log.sharer, log.sharerCount)).use { writer ->
            val ofRank = calls.filter { it.rank == log.rank }
            for (made in 0..ofRank.size) {
                events
                    .filter {
                        it
                            .number(
                                "after",
                            ).toInt() == made && made > 0
                    }.forEach { writer.happen(it.text("event")) }
                ofRank.getOrNull(made)?.puts?.forEach {
                    writer.put(it.variable, it.type, it.boxes, ByteBuffer.wrap(it.values))
                }
            }
        }
    }

    private fun BurstLogWriter.happen(event: String) =
        when (event) {
            "flush", "redef", "wait_all", "begin_indep" -> flush()
            "enddef" -> storeMaxDimensions(vars.maxOf { it.size })
            else -> Unit
        }

    companion object {
        val DIRECTORY: Path = Path.of("/bb")

        private val SMALL =
            listOf("kinds-1.10", "kinds-1.12.2", "kinds-1.12.3", "kinds-1.14", "kinds-1.14-be", "grid-1.14") +
                listOf("epochs-1.12.3", "redef-1.14", "crash-1.14", "cancel-1.14", "overlap-1.14")

        val small: List<BurstFixture> = SMALL.map(::BurstFixture)
        val shared: BurstFixture = BurstFixture("shared-1.14")
        val all: List<BurstFixture> = small + shared

        fun of(name: String): BurstFixture = all.single { it.name == name }

        private fun emptyStore(): BlockStore = SimulatedDisk().host("node").also { it.makeDirectory(DIRECTORY) }
    }
}

fun BlockStore.put(path: Path, bytes: ByteArray) = create(path).use { it.write(0, bytes) }

/** Opens all logs there are. */
fun BlockStore.burstLogs(): BurstLogSet = BurstLogSet.open(this, BurstLogName.listIn(this, BurstFixture.DIRECTORY))

fun BurstLog.puts(): List<StagedPut> = List(putCount(), ::put)

fun BurstLog.valuesOf(put: StagedPut): ByteArray =
    ByteArray(Math.toIntExact(put.dataSize())).also { read(put, 0, ByteBuffer.wrap(it)) }

private fun typeOf(mem: String): StagedPut.MemoryType =
    when (mem) {
        "schar" -> StagedPut.MemoryType.SIGNED_CHAR
        "uchar" -> StagedPut.MemoryType.UNSIGNED_CHAR
        "ushort" -> StagedPut.MemoryType.UNSIGNED_SHORT
        "uint" -> StagedPut.MemoryType.UNSIGNED_INT
        "longlong" -> StagedPut.MemoryType.LONG_LONG
        "ulonglong" -> StagedPut.MemoryType.UNSIGNED_LONG_LONG
        else -> StagedPut.MemoryType.valueOf(mem.uppercase())
    }

private fun ByteBuffer.putValue(type: StagedPut.MemoryType, value: Long) {
    when (type) {
        StagedPut.MemoryType.TEXT -> {
            put((33 + Math.floorMod(value, 94)).toByte())
        }

        StagedPut.MemoryType.FLOAT -> {
            putFloat(value / 2f)
        }

        StagedPut.MemoryType.DOUBLE -> {
            putDouble(value / 2.0)
        }

        else -> {
            when (type.size()) {
                1 -> put(value.toByte())
                2 -> putShort(value.toShort())
                4 -> putInt(value.toInt())
                else -> putLong(value)
            }
        }
    }
}

private fun JsonObject.list(key: String): JsonArray = getValue(key).jsonArray

private fun JsonObject.text(key: String): String = getValue(key).jsonPrimitive.content

private fun JsonObject.number(key: String): Long = getValue(key).jsonPrimitive.long

private fun JsonObject.longs(key: String): LongArray = getValue(key).longs()

private fun JsonObject.longsOrNull(key: String): LongArray? = get(key)?.takeUnless { it is JsonNull }?.longs()

private fun JsonObject.rows(key: String): Array<LongArray> = list(key).map { it.longs() }.toTypedArray()

private fun JsonElement.longs(): LongArray = jsonArray.map { it.jsonPrimitive.long }.toLongArray()
