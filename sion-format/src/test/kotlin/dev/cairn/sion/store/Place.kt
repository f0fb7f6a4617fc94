package dev.cairn.sion.store

import java.nio.ByteBuffer
import java.nio.file.Files
import java.nio.file.Path

/** A store, and an empty directory in it that belongs to one test. */
class Place(
    val store: BlockStore,
    val directory: Path,
) {
    fun path(name: String): Path = directory.resolve(name)

    /** Creates a file with these bytes and closes it. */
    fun file(
        name: String,
        content: ByteArray = byteArrayOf(),
    ): Path = path(name).also { file -> store.create(file).use { it.write(0, content) } }

    fun directory(name: String): Path = path(name).also(store::makeDirectory)

    /** Hands [block] a file with these bytes, open for reading and writing, and closes it. */
    fun withFile(
        content: ByteArray = byteArrayOf(),
        block: (BlockFile) -> Unit,
    ) = store.open(file("data", content), Access.READ_WRITE).use(block)

    fun content(file: Path): ByteArray = store.open(file, Access.READ).use { it.content() }
}

/** An empty directory of the operating system below [parent]; the place removes nothing. */
fun realPlace(parent: Path): Place {
    Files.createDirectories(parent)
    return Place(FileBlockStore(), Files.createTempDirectory(parent, "door"))
}

/** On the file system of the build's own directory: a disk, as a rule. */
val diskDirectory: Path = Path.of("target", "door").toAbsolutePath()

fun BlockFile.write(
    position: Long,
    content: ByteArray,
) = write(position, ByteBuffer.wrap(content))

fun BlockFile.bytes(
    position: Long,
    count: Int,
): ByteArray = ByteArray(count).also { readFully(position, ByteBuffer.wrap(it)) }

fun BlockFile.content(): ByteArray = bytes(0, Math.toIntExact(size()))

/** All bytes of a small file. */
fun BlockStore.bytesOf(file: Path): ByteArray = open(file, Access.READ).use { it.content() }

/** Bytes that differ from place to place and from [seed] to seed, so that a mix-up shows. */
fun pattern(
    seed: Int,
    count: Int,
): ByteArray = ByteArray(count) { index -> (seed * 37 + index * 11 + index / 251).toByte() }

/** The root of a simulated disk of its own. */
fun simulatedPlace() = Place(SimulatedDisk().host("node0"), Path.of("/"))
