package dev.cairn.examples.guide

import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.MultifileWriter
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.cursor.MultifileReader
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.file.Path

/** The snippets of docs/how-to/sionlib.md. */
class LikeInCSpec :
    FunSpec({
        val path = tempdir().toPath().resolve("like-in-c.sion")

        test("what is written as in C is read as in C") {
            write(path, taskCount = 3)
            List(3) { readTask(path, it) } shouldBe List(3) { task -> List(2) { "task $task, piece $it".repeat(20) } }
        }

        test("keys are read as in C") {
            writeRecords(path)
            firstRecords(path) shouldBe mapOf(7L to "seven", 8L to "eight")
        }
    })

private fun write(path: Path, taskCount: Int) {
    // region write
    val spec = MultifileSpec.serial(path).withFlags("bw,posix").withBlockSize(512)
    MultifileWriter.create(spec, TaskRequest.equal(taskCount, 512)).use { writer ->
        for (task in 0 until taskCount) {
            val chunks = writer.task(task) // sion_seek(sid, task, SION_CURRENT_BLK, SION_CURRENT_POS)
            repeat(2) {
                val piece = "task $task, piece $it".repeat(20).encodeToByteArray()
                chunks.ensureFreeSpace(piece.size.toLong()) // sion_ensure_free_space(sid, size)
                chunks.write(ByteBuffer.wrap(piece)) // sion_fwrite
            }
        }
        writer.finish() // sion_close(sid), without which no reader accepts the file
    }
    // endregion
}

private fun readTask(path: Path, task: Int): List<String> {
    val pieces = mutableListOf<String>()
    // region read
    Multifile.open(path).use { view ->
        val reader = MultifileReader.of(view)
        val cursor = reader.task(task) // sion_seek(sid, task, SION_CURRENT_BLK, SION_CURRENT_POS)
        while (cursor.advance()) { // !sion_feof(sid)
            val piece = ByteBuffer.allocate(cursor.bytesLeft().toInt()) // sion_bytes_avail_in_chunk(sid)
            cursor.read(piece) // sion_fread
            pieces += piece.array().decodeToString()
        }
    }
    // endregion
    return pieces
}

private fun writeRecords(path: Path) {
    val spec = MultifileSpec.serial(path).withFlags("bw,keyval=inline")
    MultifileWriter.create(spec, TaskRequest.equal(1, 512)).use { writer ->
        val records = writer.records(0)
        listOf(7L to "seven", 8L to "eight", 7L to "again").forEach { (key, value) ->
            records.put(key, ByteBuffer.wrap(value.encodeToByteArray()))
        }
        writer.finish()
    }
}

private fun firstRecords(path: Path): Map<Long, String> {
    val found = mutableMapOf<Long, String>()
    // region keys
    Multifile.open(path).use { view ->
        val keys = MultifileReader.of(view).records(0)
        for (key in keys.records().keys()) { // sion_key_list_iterator_next
            keys.seek(key, 0, 0) // sion_seek_key(sid, key, 0, 0)
            val value = ByteBuffer.allocate(keys.bytesLeft(key).toInt())
            keys.read(key, value) // sion_fread_key
            found[key] = value.array().decodeToString()
        }
    }
    // endregion
    return found
}
