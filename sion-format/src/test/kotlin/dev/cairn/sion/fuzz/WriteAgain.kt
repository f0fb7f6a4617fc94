package dev.cairn.sion.fuzz

import dev.cairn.sion.FileMapping
import dev.cairn.sion.GlobalView
import dev.cairn.sion.Grouping
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.MultifileWriter
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.TaskSlot
import dev.cairn.sion.store.simulated.SimulatedDisk
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.file.Path

/**
 * What was read is planned and written again, in a layout that the input chooses, and read once more. So hostile sizes
 * come to the planning code, too, and everything that a reader takes can be written.
 */
class WriteAgain(private val view: GlobalView, choices: ByteArray) {
    private val mapping = Choice(choices[0])
    private val grouping = Choice(choices[1])
    private val levels = Choice(choices[2])
    private val order = Choice(choices[3])

    /** Only ranks that send each other bytes can write such a multifile, so it is planned and no more. */
    private val isMerged = grouping.flag

    /** Throws [IllegalArgumentException] where no such file can be. */
    fun run() {
        if (view.taskCount() > MOST_TASKS) return
        val asked = List(view.taskCount()) { TaskRequest(view.task(it).globalRank(), view.task(it).chunkSize()) }
        val spec = spec()
        plan(spec.withBuddyLevels(levels.kind), asked)
        if ((0 until view.taskCount()).sumOf { view.task(it).size() } <= MOST_BYTES && !isMerged) write(spec)
    }

    private fun plan(spec: MultifileSpec, asked: List<TaskRequest>) {
        val layout = MultifileLayout.plan(spec, asked)
        requireApart(layout)
        layout.buddies().forEach { buddy ->
            repeat(layout.fileCount()) { file ->
                same("the copy of the kept file", layout.slot(buddy.writer(buddy.keptFile(file))).fileNumber(), file)
            }
            requireApart(buddy.layout())
        }
    }

    /** No byte of a block belongs to two tasks, and no block reaches into the next one. */
    private fun requireApart(layout: MultifileLayout) {
        val slots = List(layout.taskCount(), layout::slot).groupBy { it.fileNumber() }
        slots.values.forEach { file ->
            val inOrder = file.filter { it.chunkSize() > 0 && it.isWritten() }.sortedBy { it.start() }
            inOrder.zipWithNext { one, next ->
                if (one.start() + one.chunkSize() > next.start()) throw AssertionError("$one reaches into $next")
            }
            if (inOrder.isEmpty()) return@forEach
            val used = inOrder.last().start() + inOrder.last().chunkSize() - inOrder.first().start()
            if (used > inOrder.first().stride()) throw AssertionError("${inOrder.last()} reaches into the next block")
        }
    }

    /** The others of a merged group write into the chunk of its collector. */
    private fun TaskSlot.isWritten() = !isMerged || group().map { it.collector() == task() }.orElse(true)

    /** The ranks are the tasks' numbers, by which they are found again wherever they lie. */
    private fun write(spec: MultifileSpec) {
        val store = SimulatedDisk().host("node0")
        store.makeDirectory(PATH.parent)
        val requests = List(view.taskCount()) { TaskRequest(it.toLong(), sizeOfChunks(it)) }
        MultifileWriter.create(store, spec, requests).use { writer ->
            repeat(view.taskCount()) { writer.task(it).append(bytesOf(it, view)) }
            writer.finish()
        }
        Multifile.open(store, PATH).use { again ->
            repeat(view.taskCount()) { task ->
                same("written task $task", bytesOf(task, view), bytesOf(again.taskOfGlobalRank(task.toLong()), again))
            }
        }
    }

    private fun sizeOfChunks(task: Int) = minOf(view.task(task).chunkSize(), LARGEST_CHUNK)

    private fun bytesOf(task: Int, from: GlobalView): ByteBuffer {
        val bytes = ByteBuffer.allocate(from.task(task).size().toInt())
        from.read(task, 0, bytes)
        return bytes.flip()
    }

    private fun spec(): MultifileSpec =
        when (order.number % 3) {
            0 -> MultifileSpec.parallel(PATH)
            1 -> MultifileSpec.mapped(PATH)
            else -> MultifileSpec.serial(PATH)
        }.withBlockSize(minOf(view.info().blockSize(), LARGEST_BLOCK))
            .withMapping(mapping())
            .withGrouping(grouping())
            .withMetaDataOrder(if (order.flag) ByteOrder.BIG_ENDIAN else ByteOrder.LITTLE_ENDIAN)
            .withUserDataOrder(view.info().userDataOrder())
            .withChunkLimit(if (levels.flag) MultifileSpec.ChunkLimit.REQUESTED else MultifileSpec.ChunkLimit.STORED)

    private fun mapping(): FileMapping =
        when (mapping.kind) {
            0 -> FileMapping.oneFile()
            1, 2 -> FileMapping.contiguous(mapping.number)
            3 -> FileMapping.byGroup { it % maxOf(1, mapping.number) }
            4 -> FileMapping.byFile { it * mapping.number % 7 }
            5 -> FileMapping.byPlace { view.place(it) }
            6 -> FileMapping.byPlace { FileMapping.TaskPlace(0, it * maxOf(1, mapping.number) % view.taskCount()) }
            else -> FileMapping.collectorsFirst(1 + mapping.number / 4, 2 + mapping.number % 4)
        }

    private fun grouping(): Grouping {
        val groups =
            when (grouping.kind) {
                0, 1, 2 -> Grouping.none()
                3 -> Grouping.few()
                4 -> Grouping.ofAbout(grouping.number)
                5 -> Grouping.ofExactly(grouping.number)
                else -> Grouping.whereSmall()
            }
        return if (isMerged) groups.merged() else groups
    }

    /** One byte, which says up to three things. */
    private class Choice(byte: Byte) {
        val kind = byte.toInt() and 0x7
        val number = byte.toInt() shr 3 and 0xf
        val flag = byte < 0
    }

    companion object {
        private const val MOST_TASKS = 64
        private const val MOST_BYTES = 256L
        private const val LARGEST_CHUNK = 64L
        private const val LARGEST_BLOCK = 16
        private val PATH: Path = Path.of("/again/y.sion")
    }
}
