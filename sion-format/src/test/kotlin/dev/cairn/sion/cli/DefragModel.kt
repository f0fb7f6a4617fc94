package dev.cairn.sion.cli

import dev.cairn.sion.fixture.ModelContent
import dev.cairn.sion.fixture.ModelTask
import java.nio.ByteBuffer
import java.nio.ByteOrder

/**
 * What defrag must write, stated once more from docs/reference/multifile.md on whole files in memory: one chunk per task, as large as
 * its stream. [shares] are the tasks of each physical file; without them the file is a serial one.
 */
class DefragModel(
    private val content: ModelContent,
    private val name: String,
    private val blockSize: Int = content.first.blockSize,
    private val order: ByteOrder = ByteOrder.LITTLE_ENDIAN,
    private val shares: List<IntRange>? = null,
) {
    fun files(): List<ByteArray> =
        (shares ?: listOf(content.tasks.indices)).mapIndexed { file, tasks -> bytes(file, content.tasks.slice(tasks)) }

    private fun bytes(file: Int, tasks: List<ModelTask>): ByteArray {
        val streams = tasks.map(::stream)
        val chunks = streams.map { up(it.size) }
        val start = up(1088 + 16 * tasks.size)
        val metaTwo = start + chunks.sum()
        val mapping = mapping(file)
        val out = ByteBuffer.allocate(metaTwo + 16 * tasks.size + mapping.size * 4).order(order)
        putHeader(out, file, tasks.size)
        tasks.forEach { out.putLong(it.globalRank) }
        chunks.forEach { out.putLong(it.toLong()) }
        out.putInt(1).putLong(metaTwo.toLong())
        streams.forEachIndexed { task, stream ->
            out.position(start + chunks.take(task).sum()).put(stream)
        }
        out.position(metaTwo)
        tasks.forEach { _ -> out.putLong(1) }
        streams.forEach { out.putLong(it.size.toLong()) }
        mapping.forEach { out.putInt(it) }
        return out.array()
    }

    private fun putHeader(out: ByteBuffer, file: Int, taskCount: Int) {
        val outer = if (order == ByteOrder.BIG_ENDIAN) 1 else 0
        val inner = if (content.first.userDataIsBig) 1 else 0
        out.put("sion".toByteArray())
        listOf(outer, inner, inner, outer).forEach { out.put(it.toByte()) }
        listOf(
            1007,
            6,
            5,
            blockSize,
            taskCount,
            shares?.size ?: 1,
            if (shares ==
                null
            ) {
                1
            } else {
                file
            },
        ).forEach(out::putInt)
        out.putLong((if (content.first.holdsRecords) 51L else 50L) shl 32).putLong(0)
        out.put(name.toByteArray().copyOf(1024))
    }

    /** A serial file ends in an empty one; of several files the first has it, with its count in front. */
    private fun mapping(file: Int): List<Int> =
        when {
            shares == null -> {
                listOf(0)
            }

            file > 0 -> {
                emptyList()
            }

            else -> {
                listOf(content.tasks.size) +
                    shares.flatMapIndexed { share, tasks -> tasks.flatMap { listOf(share, it - tasks.first) } }
            }
        }

    /** Headers of records follow the order of the meta data. */
    private fun stream(task: ModelTask): ByteArray {
        if (!task.holdsRecords) return task.stream
        val out = ByteBuffer.wrap(task.stream.clone()).order(order)
        checkNotNull(task.records()).forEach {
            out.putLong(it.position.toInt() - 16, it.key).putLong(it.position.toInt() - 8, it.length)
        }
        return out.array()
    }

    private fun up(bytes: Int) = (bytes + blockSize - 1) / blockSize * blockSize
}
