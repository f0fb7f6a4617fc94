package dev.cairn.sion

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.SimulatedDisk
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.file.Path

/**
 * A multifile on a simulated disk whose bytes a test changes at will, and the model's copy of the same bytes. It
 * starts from files in the test resources, whose names it keeps.
 */
class DamagedMultifile(
    files: Map<Path, ByteArray>,
) {
    private val bytes = files.mapValuesTo(LinkedHashMap()) { (_, content) -> content.clone() }

    val disk = SimulatedDisk()
    val store: BlockStore = disk.host("node0")
    val model = MultifileModel(bytes)

    /** File 0, or the one that stands for the whole. */
    val path: Path = files.keys.first()

    val taskCount: Int

    init {
        store.makeDirectory(path.parent)
        files.forEach { (file, content) -> store.create(file).use { it.write(0, ByteBuffer.wrap(content)) } }
        taskCount = model.open(path).tasks.size
    }

    /** The bytes of all physical files together. */
    fun size(): Long = bytes.values.sumOf { it.size.toLong() }

    fun bytesOf(file: Path = path): ByteArray = bytes.getValue(file)

    fun setByte(
        file: Path,
        offset: Int,
        value: Byte,
    ) {
        bytesOf(file)[offset] = value
        write(file, offset.toLong(), byteArrayOf(value))
    }

    /** Lets [change] loose on the bytes of a file, as little-endian ones, and then writes them all. */
    fun change(
        file: Path = path,
        change: ByteBuffer.() -> Unit,
    ) {
        ByteBuffer.wrap(bytesOf(file)).order(ByteOrder.LITTLE_ENDIAN).change()
        write(file, 0, bytesOf(file))
    }

    /** Replaces a whole file; it may get another length. */
    fun replace(
        file: Path,
        content: ByteArray,
    ) {
        bytes[file] = content
        store.open(file, Access.READ_WRITE).use { it.resize(content.size.toLong()) }
        write(file, 0, content)
    }

    fun delete(file: Path) {
        bytes.remove(file)
        store.delete(file)
    }

    /** Forces what it wrote, so that the simulated disk need not remember how to undo it. */
    private fun write(
        file: Path,
        offset: Long,
        content: ByteArray,
    ) = store.open(file, Access.READ_WRITE).use {
        it.write(offset, ByteBuffer.wrap(content))
        it.force()
    }

    companion object {
        /**
         * No library that writes format 2 is left to ask, so a file of format 3 is made into one: its META1 lacks the
         * file number and the two flags.
         */
        fun ofFormat2(): DamagedMultifile =
            of("c02-format3.sion").apply {
                val metaOneEnd = 1088 + 16 * taskCount
                val bytes = bytesOf()
                val shorter = bytes.copyOfRange(0, 32) + bytes.copyOfRange(52, metaOneEnd) + ByteArray(20)
                change {
                    put(0, shorter)
                    put(16, 2)
                }
            }

        private val DIRECTORY: Path = Path.of("/data")

        /** The physical files [names] of the test resources, which need not be all that belong together. */
        fun of(vararg names: String) = DamagedMultifile(names.associate { DIRECTORY.resolve(it) to resource(it) })

        private fun resource(name: String): ByteArray =
            checkNotNull(DamagedMultifile::class.java.getResource("/fixtures/sion/$name")) { name }.readBytes()
    }
}
