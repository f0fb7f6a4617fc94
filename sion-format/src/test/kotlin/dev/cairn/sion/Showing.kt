package dev.cairn.sion

import java.nio.ByteBuffer
import java.nio.ByteOrder

/**
 * Fails unless this view shows what the model says, down to every byte of every stream. Returns the complaints about
 * streams that are no row of whole records, which the model must refuse as well.
 */
fun GlobalView.shouldShow(expected: ModelContent): List<SionException> {
    info().shouldShow(expected)
    same("the number of tasks", expected.tasks.size, taskCount())
    same("the largest number of blocks", expected.files.maxOf { it.maxBlocks }, blockCount())
    same("whether there are several files", expected.spansFiles, spansFiles())
    return expected.tasks.mapIndexedNotNull { task, model ->
        same("the place of task $task", model.place, ModelPlace(place(task).fileNumber(), place(task).localRank()))
        task(task).shouldShow(model)
    }
}

private fun MultifileInfo.shouldShow(expected: ModelContent) {
    val first = expected.first
    same("the path", first.path, path())
    same("the order of the meta data", first.order, metaDataOrder())
    same("the order of the user data", first.userDataIsBig, userDataOrder() == ByteOrder.BIG_ENDIAN)
    same("the library version", first.libraryVersion, libraryVersion())
    same("the patch level", first.patchLevel, patchLevel())
    same("the format", first.version, formatVersion())
    same("the block size", first.blockSize, blockSize())
    same("the number of files", first.fileCount, fileCount())
    same("the file number", first.fileNumber, fileNumber())
    same("flag1", first.flag1, flag1())
    same("flag2", first.flag2, flag2())
    same("the prefix", first.prefix, prefix())
    same("whether there are records", first.holdsRecords, content() == Content.RECORDS)
}

/** Fails unless this view shows what the model says, records included; returns the complaint about the records. */
fun TaskView.shouldShow(expected: ModelTask): SionException? {
    same("the global rank", expected.globalRank, globalRank())
    same("the chunk size", expected.chunkSize, chunkSize())
    same("the bytes in blocks", expected.bytesInBlocks, List(blockCount(), ::bytesInBlock))
    same("the length of the stream", expected.stream.size.toLong(), size())
    same("the stream", true, readAll().contentEquals(expected.stream))
    return if (expected.holdsRecords) recordsShouldShow(expected) else null
}

private fun TaskView.recordsShouldShow(expected: ModelTask): SionException? {
    val model = expected.records()
    try {
        val records = records()
        same("the records", model, records.entries().map { ModelRecord(it.key(), it.position(), it.length()) })
        valuesShouldBe(model.orEmpty().groupBy { it.key }.mapValues { (_, ofKey) -> expected.valueOf(ofKey) }, records)
        return null
    } catch (refused: SionException) {
        same("the records", model, null)
        return refused
    }
}

private fun valuesShouldBe(
    expected: Map<Long, ByteBuffer>,
    records: RecordView,
) {
    same("the keys", expected.keys.toList(), records.keys().toList())
    expected.forEach { (key, value) -> same("the value of key $key", value, records.valueOf(key)) }
}

private fun TaskView.readAll(): ByteArray {
    val bytes = ByteBuffer.allocate(size().toInt())
    read(0, bytes)
    return bytes.array()
}

private fun ModelTask.valueOf(records: List<ModelRecord>): ByteBuffer {
    val value = ByteBuffer.allocate(records.sumOf { it.length }.toInt())
    records.forEach { value.put(stream, it.position.toInt(), it.length.toInt()) }
    return value.flip()
}

private fun RecordView.valueOf(key: Long): ByteBuffer {
    val value = ByteBuffer.allocate(size(key).toInt())
    read(key, 0, value)
    return value.flip()
}

private fun same(
    what: String,
    expected: Any?,
    found: Any?,
) {
    if (expected != found) throw AssertionError("$what should be $expected, but is $found")
}
