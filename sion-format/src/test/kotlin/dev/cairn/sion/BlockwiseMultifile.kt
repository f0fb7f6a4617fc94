package dev.cairn.sion

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.SimulatedDisk
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.random.Random

/**
 * A multifile whose tasks have these bytes in each block, in one or several physical files. No writer of tasks has a
 * part in it, so that any block can be empty.
 */
class BlockwiseMultifile(
    val tasks: List<List<ByteArray>>,
    fileCount: Int,
) {
    private val disk = SimulatedDisk()

    val store: BlockStore = disk.host("node0")
    val path: Path = Path.of("/blocks.sion")

    /** Where each task's chunks lie. */
    val slots: List<TaskSlot>

    init {
        val spec = MultifileSpec.parallel(path).withBlockSize(4).withMapping(FileMapping.contiguous(fileCount))
        val largest = tasks.map { blocks -> blocks.maxOf { it.size }.toLong() }
        val layout = MultifileLayout.plan(spec, TaskRequest.ofSizes(*largest.toLongArray()))
        slots = tasks.indices.map(layout::slot)
        Multifile.create(store, layout)
        tasks.zip(slots).forEach { (blocks, slot) ->
            store.open(layout.file(slot.fileNumber()), Access.READ_WRITE).use { it.put(blocks, slot) }
        }
        val usages = tasks.map { blocks -> TaskUsage.of(*LongArray(blocks.size) { blocks[it].size.toLong() }) }
        Multifile.close(store, layout, usages)
    }

    private fun BlockFile.put(
        blocks: List<ByteArray>,
        slot: TaskSlot,
    ) = blocks.forEachIndexed { block, bytes ->
        write(slot.start() + block * slot.stride(), ByteBuffer.wrap(bytes))
    }

    fun stream(task: Int): ByteArray = tasks[task].fold(ByteArray(0), ByteArray::plus)

    fun <T> opened(read: (GlobalView) -> T): T = Multifile.open(store, path).use(read)

    companion object {
        /** Tasks with blocks of these lengths and any bytes. */
        fun ofLengths(
            lengths: List<List<Int>>,
            fileCount: Int,
            random: Random = Random(1),
        ) = BlockwiseMultifile(lengths.map { blocks -> blocks.map(random::nextBytes) }, fileCount)

        /** Any small geometry, with many empty blocks and tasks. */
        fun atRandom(random: Random): BlockwiseMultifile {
            val lengths = List(random.nextInt(1, 6)) { List(random.nextInt(1, 5)) { maxOf(0, random.nextInt(-3, 8)) } }
            return ofLengths(lengths, random.nextInt(1, lengths.size + 1), random)
        }
    }
}
