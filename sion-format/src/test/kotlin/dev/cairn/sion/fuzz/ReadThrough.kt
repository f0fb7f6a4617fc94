package dev.cairn.sion.fuzz

import dev.cairn.sion.Content
import dev.cairn.sion.GlobalView
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileMeta
import dev.cairn.sion.RecordView
import dev.cairn.sion.TaskView
import dev.cairn.sion.cli.Dumps
import java.nio.ByteBuffer

/**
 * Opens a multifile in every way that there is and reads all that it holds. What is no refusal with a sentence, costs
 * more than the files' size explains, or differs between two ways, is thrown.
 */
class ReadThrough(private val files: HostileFiles) {
    private val bounds = Bounds.ofReading(files.size)
    private val store = HostileStore(files.byPath, bounds)
    private val refusals = Refusals(files)

    /** How the multifile as a whole was refused; null if it was read to the last byte. */
    fun run(): Exception? {
        val refusal = refusals.of { readWhole() }
        val refusalOfTask = refusals.of { readTask(task = files.choices[0].toInt() and 0x3) }
        if (refusal == null) {
            if (refusalOfTask !is IllegalArgumentException?) throw AssertionError("refused alone", refusalOfTask)
        }
        if (store.openCount != 0) throw AssertionError("${store.openCount} files were left open")
        return refusal
    }

    private fun readWhole() {
        bounded { Multifile.open(store, files.path) }.use { view ->
            repeat(view.taskCount()) { readWhole(view, it) }
            lookUpRanks(view)
            refusals.of { goOn(view) }
        }
    }

    private fun goOn(view: GlobalView) =
        when (files.further) {
            Further.TEXT -> Dumps.text(view, NullSink(files.size))
            Further.JSON -> Dumps.json(view, NullSink(files.size))
            Further.PICTURE -> Dumps.picture(view, NullSink(files.size))
            Further.SENT_META -> readSentMeta(view)
            Further.CURSORS -> repeat(view.taskCount()) { refusals.of { walk(view.task(it), view.info().content()) } }
            Further.WRITE_AGAIN -> WriteAgain(view, files.choices).run()
            Further.SALVAGE, Further.COPIES -> Unit
        }

    private fun walk(task: TaskView, content: Content) {
        val walk = CursorWalk(task, bytesOf(task), files.choices)
        if (content == Content.RECORDS) walk.walkRecords(task.records())
        walk.decompress()
        walk.walkBlocks()
    }

    private fun readWhole(view: GlobalView, task: Int) {
        val place = view.place(task)
        if (view.spansFiles() && place.fileNumber() >= view.info().fileCount()) throw AssertionError("$place")
        val taskView = view.task(task)
        val bytes = bytesOf(taskView)
        val again = ByteBuffer.allocate(bytes.size + 1)
        same("bytes read", bytes.size, maxOf(0, view.read(task, 0, again)))
        same("the stream of task $task", ByteBuffer.wrap(bytes), again.flip())
        if (view.info().content() == Content.RECORDS) refusals.of { readRecords(taskView, bytes) }
    }

    /** Through a stream, in pieces of no round size. */
    private fun bytesOf(task: TaskView): ByteArray {
        val blocks = (0 until task.blockCount()).sumOf(task::bytesInBlock)
        same("the bytes in all blocks", task.size(), blocks)
        if (task.size() > files.size) throw AssertionError("task ${task.task()} has more bytes than the files")
        val stream = task.stream()
        val bytes = ByteArray(task.size().toInt())
        var end = 0
        while (end < bytes.size) {
            val count = stream.read(bytes, end, minOf(PIECE, bytes.size - end))
            if (count <= 0) throw AssertionError("the stream of task ${task.task()} ends after $end bytes")
            end += count
        }
        same("what follows the last byte", -1, stream.read())
        return bytes
    }

    private fun readRecords(task: TaskView, bytes: ByteArray) {
        val records = bounded { task.records() }
        val entries = records.entries()
        entries.forEach { if (it.position() + it.length() > bytes.size) throw AssertionError("$it") }
        same("the bytes of all records", bytes.size.toLong(), entries.sumOf { it.length() + RECORD_HEADER })
        records.keys().forEach { readValue(records, it, bytes) }
    }

    private fun readValue(records: RecordView, key: Long, bytes: ByteArray) {
        val value = ByteBuffer.allocate(records.size(key).toInt())
        same("bytes of key $key", value.capacity(), maxOf(0, records.read(key, 0, value)))
        val parts = ByteBuffer.allocate(value.capacity())
        records.entries(key).forEach { parts.put(bytes, it.position().toInt(), it.length().toInt()) }
        same("the value of key $key", parts.flip(), value.flip())
    }

    /** Ranks of two tasks, which others may share, and one that may belong to no task. */
    private fun lookUpRanks(view: GlobalView) {
        val last = view.taskCount() - 1
        listOf(0, last).forEach { task ->
            val rank = view.task(task).globalRank()
            refusals.of { same("the task of rank $rank", task, view.taskOfGlobalRank(rank)) }
        }
        val rank = view.task(last).globalRank()
        refusals.of { openTaskOf(rank).use { same("rank", rank, it.globalRank()) } }
        refusals.of { view.taskOfGlobalRank(files.choices[0].toLong()) }
    }

    private fun openTaskOf(rank: Long) = Multifile.openTaskOfGlobalRank(store, files.path, rank)

    private fun readTask(task: Int) {
        bounded { Multifile.openTask(store, files.path, task) }.use(::bytesOf)
    }

    private fun readSentMeta(opened: GlobalView) {
        val meta = MultifileMeta.of(files.path, MultifileMeta.read(store, files.path).bytes())
        meta.open(store).use { sent ->
            same("the sent description", opened.info(), sent.info())
            repeat(opened.taskCount()) { same("the sent task $it", sumOf(opened.task(it)), sumOf(sent.task(it))) }
        }
    }

    private fun sumOf(task: TaskView) = bytesOf(task).contentHashCode()

    private fun <T> bounded(open: () -> T) = bounds.allocating(BYTES_PER_FILE_BYTE, open)

    private companion object {
        const val PIECE = 1_000
        const val RECORD_HEADER = 16L

        /**
         * One for the bytes read ahead, three for a multifile's own notes, and at most six for tables: a task, a block
         * or a record takes 8 bytes on disk or more, and up to 48 in tables that grow by doubling.
         */
        const val BYTES_PER_FILE_BYTE = 10
    }
}

/** Fails where two ways to the same thing lead to different ones. */
internal fun same(what: String, expected: Any?, found: Any?) {
    if (expected != found) throw AssertionError("$what should be $expected, but is $found")
}
