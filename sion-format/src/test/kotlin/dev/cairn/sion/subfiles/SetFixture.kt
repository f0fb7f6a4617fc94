package dev.cairn.sion.subfiles

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.write
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.sion.stripe.Extent
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readBytes
import kotlin.io.path.readText

/** A set that HDF5 wrote, and what is known of it. */
class SetFixture(val name: String) {
    private val folder = Path.of(checkNotNull(SetFixture::class.java.getResource("/subfiling/$name")).toURI())
    private val manifest: JsonObject = Json.parseToJsonElement(folder.resolve("manifest.json").readText()).jsonObject

    val config: String = manifest.getValue("config").jsonPrimitive.content
    val depth: Long = manifest.getValue("stripe_size").jsonPrimitive.long
    val subFiles: List<String> = manifest.getValue("subfile_names").jsonArray.map { it.jsonPrimitive.content }
    val size: Long = manifest.getValue("logical_size").jsonPrimitive.long
    val rankCount: Int = manifest.getValue("ranks").jsonPrimitive.int

    /** The logical file, a new copy each time. */
    val fused: ByteArray get() = bytesOf("fused.h5")

    /** The files of the set itself. */
    val members: List<String> = listOf("ckpt.h5", config) + subFiles

    fun bytesOf(file: String): ByteArray = folder.resolve(file).readBytes()

    fun shape(dataset: String): List<Long> = dataset(dataset).getValue("shape").jsonArray.map { it.jsonPrimitive.long }

    fun offset(dataset: String): Long =
        dataset(dataset)
            .getValue("offset")
            .jsonPrimitive.long

    /** What HDF5 was asked to write for a box of a rank. */
    fun vector(rank: Int, dataset: String): List<Extent> =
        manifest
            .getValue("vectors")
            .jsonArray[rank]
            .jsonObject
            .getValue(dataset)
            .jsonArray
            .map { it.jsonArray.map { number -> number.jsonPrimitive.long } }
            .map { (offset, length) -> Extent(offset, length) }

    private fun dataset(name: String) =
        manifest
            .getValue("datasets")
            .jsonObject
            .getValue(name)
            .jsonObject

    /** Copies the set to a simulated disk, as [change] changes each file; null leaves it out. */
    fun placed(change: (String, ByteArray) -> ByteArray? = { _, bytes -> bytes }): PlacedSet {
        val disk = SimulatedDisk()
        val store = disk.host("node")
        store.makeDirectory(DIRECTORY)
        members.forEach { file ->
            change(file, bytesOf(file))?.let { bytes -> store.put(DIRECTORY.resolve(file), bytes) }
        }
        return PlacedSet(disk, store, DIRECTORY.resolve(config))
    }

    companion object {
        val DIRECTORY: Path = Path.of("/data")

        val all: List<SetFixture> = listOf("four", "seven", "odd", "one").map(::SetFixture)
        val four: SetFixture = all[0]
        val seven: SetFixture = all[1]
    }
}

/** A set on a disk. */
class PlacedSet(val disk: SimulatedDisk, val store: BlockStore, val config: Path) {
    fun open(missing: SubFileSet.MissingBytes = SubFileSet.MissingBytes.REFUSE): SubFileSet =
        SubFileSet.open(store, config, missing)

    fun path(file: String): Path = config.resolveSibling(file)
}

fun BlockStore.put(path: Path, bytes: ByteArray) = create(path).use { it.write(0, bytes) }

fun SubFileSet.bytes(offset: Long, length: Int): ByteArray =
    ByteArray(length).also { readFully(offset, ByteBuffer.wrap(it)) }

fun SubFileSet.bytes(): ByteArray = bytes(0, Math.toIntExact(size()))
