package dev.cairn.sion

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.boolean
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import java.math.BigInteger
import java.net.URI
import java.nio.ByteOrder
import java.nio.file.FileSystems
import java.nio.file.Files
import java.nio.file.Path
import java.security.MessageDigest
import kotlin.io.path.copyTo
import kotlin.io.path.createTempDirectory
import kotlin.io.path.extension
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText

/**
 * Multifiles that the real C library wrote, with manifests that say what was asked of it. The folder is the copy in
 * the test resources, or any other one of the same kind that `-Dcairn.fixtures.sion=DIR` names.
 */
object Fixtures {
    private const val BUNDLED_COUNT = 35

    private val given: String? = System.getProperty("cairn.fixtures.sion")?.takeIf { it.isNotBlank() }

    private val bundledFolder: Path by lazy {
        pathOf(checkNotNull(Fixtures::class.java.getResource("/fixtures/sion")).toURI())
    }

    val folder: Path = given?.let { Path.of(it) } ?: bundledFolder

    /** One of the copy in the test resources, whatever folder is looked at. */
    fun bundled(name: String): Fixture = Fixture(bundledFolder, bundledFolder.resolve("$name.json"))

    val all: List<Fixture> = namesIn(folder, "json").map { Fixture(folder, it) }

    /** Whether the folder is the copy in the test resources, whose content is known. */
    val isBundled: Boolean = given == null

    /** Every file 0 stands for a fixture, so a manifest that was overlooked shows. */
    val expectedCount: Int =
        if (isBundled) BUNDLED_COUNT else maxOf(1, namesIn(folder, "sion").size)

    /** Other modules find this class and its folder in a jar. */
    private fun pathOf(resource: URI): Path = if (resource.scheme == "jar") unpacked(resource) else Path.of(resource)

    /** Files of a jar can be copied, but not opened as the door to files opens them. */
    private fun unpacked(resource: URI): Path {
        val target = createTempDirectory("cairn-fixtures")
        Runtime.getRuntime().addShutdownHook(Thread { target.toFile().deleteRecursively() })
        FileSystems.newFileSystem(resource, emptyMap<String, Any>()).use { jar ->
            jar
                .provider()
                .getPath(resource)
                .listDirectoryEntries()
                .forEach { it.copyTo(target.resolve(it.name)) }
        }
        return target
    }

    private fun namesIn(
        folder: Path,
        extension: String,
    ): List<Path> =
        Files.list(folder).use { paths ->
            paths.filter { it.extension == extension }.sorted().toList()
        }
}

/** One manifest and the files beside it. */
class Fixture(
    private val folder: Path,
    manifestPath: Path,
) {
    private val manifest: JsonObject = Json.parseToJsonElement(manifestPath.readText()).jsonObject

    val name: String = manifestPath.name.removeSuffix(".json")
    val file: Path = folder.resolve(text("file"))
    val flags: List<String> = text("flags").split(",")
    val mode: String = text("mode")
    val seed: Int = number("seed")
    val blockSize: Int = number("fsblksize")
    val fileCount: Int = number("nfiles")
    val unreadable: Boolean = flag("unreadable")
    val tasks: List<FixtureTask> = manifest.getValue("tasks").jsonArray.map { FixtureTask(it.jsonObject, seed) }
    private val calls: List<Pair<Int, List<Op>>> = manifest.getValue("ops").jsonArray.map(::opsOfTask)

    /** The calls that write. */
    val ops: List<Pair<Int, List<Op>>> = calls.map { (task, row) -> task to row.filterNot { it is Op.Reinit } }
    val colours: List<Int>? =
        manifest["local_communicator_colors"]?.jsonArray?.map { it.jsonPrimitive.int }

    /** The physical files, by name, as the C library left them. */
    val physicalFiles: Map<String, Path> =
        manifest
            .getValue("physical_files")
            .jsonArray
            .map {
                it.jsonObject
                    .getValue("name")
                    .jsonPrimitive.content
            }.associateWith { folder.resolve(it) }

    val isKeyValue: Boolean get() = flags.any { it == "keyval" || it == "keyval=inline" || it == "keyval=default" }

    /** Why no sane call of this library writes these bytes, or null if one does. */
    val notWritten: String? =
        when {
            flag("crafted") && !flag("big_endian_meta") -> "crafted by hand"
            "truncated" in manifest || manifest["closed"]?.jsonPrimitive?.boolean == false -> "cut or never closed"
            else -> null
        }

    /** Whether a group's data lie in its collector's chunks; the flags for that say nothing alone. */
    val isMerged: Boolean = "collective" in flags && ("collectivemerge" in flags || "cmerge" in flags)
    private val buddyLevels =
        flags.firstOrNull { it.startsWith("buddy") }?.let { it.substringAfter('=', "1").toInt() } ?: 0

    /** Whether one program for all tasks cannot write it, since its tasks send each other bytes. */
    val isOfRanks: Boolean get() = isMerged || buddyLevels > 0

    /** What each task asks for; who changed its mind has a chunk size that limits it. */
    val requests: List<TaskRequest> =
        tasks.map { task ->
            val reinit = calls.filter { (of, _) -> of == task.task }.flatMap { it.second }.filterIsInstance<Op.Reinit>()
            TaskRequest(task.globalRank, reinit.lastOrNull()?.chunkSize ?: task.chunkSize)
        }

    private val isReinit = calls.any { (_, row) -> row.any { it is Op.Reinit } }

    /** What to create in [directory] to get the same files. */
    fun spec(directory: Path): MultifileSpec {
        val path = directory.resolve(file.fileName.toString())
        val spec =
            when (mode) {
                "serial" -> MultifileSpec.serial(path)
                "mapped" -> MultifileSpec.mapped(path)
                else -> MultifileSpec.parallel(path)
            }
        return spec
            .withBlockSize(blockSize)
            .withContent(if (isKeyValue) Content.RECORDS else Content.BYTES)
            .withUserDataOrder(order("endianness=big" in flags || flag("big_endian_meta")))
            .withMetaDataOrder(order(flag("big_endian_meta")))
            .withMapping(mapping())
            .withGrouping(grouping())
            .withChunkLimit(if (isReinit) ChunkLimit.REQUESTED else ChunkLimit.STORED)
            .withBuddyLevels(buddyLevels)
    }

    private fun order(big: Boolean) = if (big) ByteOrder.BIG_ENDIAN else ByteOrder.LITTLE_ENDIAN

    /** Without a number of files there is one for each local communicator, or just one. */
    private fun mapping(): FileMapping =
        when {
            mode == "mapped" -> FileMapping.byPlace { tasks[it].place }
            "collmsa" in flags -> FileMapping.collectorsFirst(fileCount, groupSizeOfEnvironment())
            fileCount >= 1 -> FileMapping.contiguous(fileCount)
            colours != null -> FileMapping.byGroup { colours[it] }
            else -> FileMapping.oneFile()
        }

    private fun grouping(): Grouping {
        val size = flags.firstOrNull { it.startsWith("collsize=") }?.substringAfter('=')?.toInt() ?: -1
        val groups =
            when {
                "collective" !in flags -> return Grouping.none()
                "collmsa" in flags -> Grouping.ofExactly(groupSizeOfEnvironment())
                size > 0 -> Grouping.ofAbout(size)
                else -> Grouping.few()
            }
        return if (isMerged) groups.merged() else groups
    }

    private fun groupSizeOfEnvironment() =
        manifest
            .getValue("environment")
            .jsonObject
            .getValue("LSION_COLLSIZE")
            .jsonPrimitive.int

    fun dump(kind: String): Path = folder.resolve("$name.$kind.txt")

    private fun opsOfTask(row: JsonElement): Pair<Int, List<Op>> =
        row.jsonArray[0].jsonPrimitive.int to
            row.jsonArray[1].jsonArray.map { Op.parse(it.jsonPrimitive.content) }

    private fun text(key: String) = manifest.getValue(key).jsonPrimitive.content

    private fun number(key: String) = manifest.getValue(key).jsonPrimitive.int

    private fun flag(key: String) = manifest[key]?.jsonPrimitive?.boolean ?: false
}

/** What one task was given and what it wrote. */
class FixtureTask(
    json: JsonObject,
    private val seed: Int,
) {
    val task: Int = json.getValue("task").jsonPrimitive.int
    val globalRank: Long = json.getValue("globalrank").jsonPrimitive.long
    val chunkSize: Long = json.getValue("chunksize_requested").jsonPrimitive.long

    /** Which process wrote a mapped task. */
    val process: Int? = json["process"]?.jsonPrimitive?.int

    /** Where a mapped task was placed. */
    val place: TaskPlace? =
        json["file"]?.let { TaskPlace(it.jsonPrimitive.int, json.getValue("localrank").jsonPrimitive.int) }
    val readIndex: Int = json.getValue("read_index").jsonPrimitive.int

    /** The stream that a reader finds; in collective merge that is not what the task itself wrote. */
    val readBytes: Long = (json["as_read_bytes"] ?: json.getValue("bytes")).jsonPrimitive.long
    val readSha256: String = (json["as_read_sha256"] ?: json.getValue("sha256")).jsonPrimitive.content

    val records: List<FixtureRecord> = records(json["records"])
    val keys: List<FixtureRecord> = records(json["keys"])

    /** Byte [index] of all that the task writes, by the rule of the fixtures. */
    fun byteAt(index: Long): Byte = (seed * 131L + task * 31L + index * 7L + (index shr 8)).toByte()

    /** Byte [index] of the [occurrence]-th record of [key]. */
    fun byteAt(
        key: Long,
        occurrence: Int,
        index: Long,
    ): Byte =
        (seed * 131L + task * 31L + (key and 0xffff) * 17L + occurrence * 57L + index * 7L + (index shr 8)).toByte()

    private fun records(json: JsonElement?): List<FixtureRecord> =
        (json as? JsonArray).orEmpty().map { FixtureRecord(it.jsonObject) }
}

/** A record, or all records of a key together. */
class FixtureRecord(
    json: JsonObject,
) {
    val key: Long = BigInteger(json.getValue("key").jsonPrimitive.content).toLong()
    val length: Long = json.getValue("length").jsonPrimitive.long
    val sha256: String = json.getValue("sha256").jsonPrimitive.content
}

/** A call of the C library, as a manifest writes it. */
sealed interface Op {
    data class Write(
        val bytes: Int,
    ) : Op

    data class Record(
        val key: Long,
        val bytes: Int,
    ) : Op

    data class EnsureFreeSpace(
        val bytes: Long,
    ) : Op

    data class Reinit(
        val chunkSize: Long,
    ) : Op

    companion object {
        fun parse(text: String): Op {
            val argument = text.drop(1)
            return when (text.first()) {
                'w', 'c' -> Write(argument.toInt())
                'k' -> Record(BigInteger(argument.substringBefore(':')).toLong(), argument.substringAfter(':').toInt())
                'e' -> EnsureFreeSpace(argument.toLong())
                'R' -> Reinit(argument.toLong())
                else -> error("no rule for the operation '$text'")
            }
        }
    }
}

fun sha256(bytes: ByteArray): String =
    MessageDigest.getInstance("SHA-256").digest(bytes).joinToString("") { "%02x".format(it) }
