package dev.cairn.multifile

import dev.cairn.ranks.ranks
import dev.cairn.sion.FileMapping
import dev.cairn.sion.GlobalView
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.MultifileWriter
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.cursor.ChunkCursor
import dev.cairn.sion.cursor.KeyCursor
import dev.cairn.sion.cursor.MultifileReader
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.io.ByteArrayOutputStream
import java.nio.ByteBuffer
import java.nio.file.Path

/** What the C library's own parallel tests try, on simulated ranks. sionlib-tests.md of sion-format says which test is where. */
class SionTestsSpec :
    FunSpec({
        val path = Path.of("t.sion")

        test("ranks write piece by piece, and read by C's feof loop what they wrote, together or one task alone") {
            val store = SimulatedDisk().host("node0")
            ranks(4) {
                writeMultifile(MultifileSpec.parallel(path).withBlockSize(512), 1000L + rank, store) { chunks ->
                    for (piece in 0 until 7) {
                        chunks.ensureFreeSpace(300)
                        chunks.write(piece(300, rank, piece))
                    }
                }
                readTask(path, store) { ChunkCursor.over(it).readByLoop() shouldBe stream(rank) }
            }
            for (task in 0 until 4) {
                Multifile.openTask(store, path, task).use { ChunkCursor.over(it).readByLoop() shouldBe stream(task) }
            }
        }

        for (fileCount in 1..3) {
            test("chunks of different sizes in $fileCount files are read by ranks and by one program") {
                val store = SimulatedDisk().host("node0")
                val spec =
                    MultifileSpec
                        .parallel(
                            path,
                        ).withBlockSize(512)
                        .withMapping(FileMapping.contiguous(fileCount))
                ranks(5) {
                    writeMultifile(spec, 400L + 300 * rank, store) { chunks ->
                        for (piece in 0 until 7) chunks.write(piece(300, rank, piece))
                    }
                    readMultifile(path, store) { it.cursorOf(rank).readByLoop() shouldBe stream(rank) }
                }
                Multifile.open(store, path).use { view ->
                    view.info().fileCount() shouldBe fileCount
                    for (task in 0 until 5) view.cursorOf(task).readByLoop() shouldBe stream(task)
                }
            }
        }

        for (readerCount in listOf(1, 2, 3, 6, 9)) {
            test("a mapped multifile of 6 tasks is read by $readerCount ranks, each the tasks that it wants") {
                val store = SimulatedDisk().host("node0")
                writeMapped(store, path)
                ranks(readerCount) {
                    readMultifile(path, store) { view ->
                        for (globalRank in rank until 6 step size) {
                            val task = view.taskOfGlobalRank(globalRank.toLong())
                            view.place(task) shouldBe FileMapping.TaskPlace(globalRank % 2, globalRank / 2)
                            view.cursorOf(task).readByLoop() shouldBe stream(globalRank)
                        }
                    }
                }
            }
        }

        test("each rank walks over its keys, seeks in them and counts them") {
            val store = SimulatedDisk().host("node0")
            ranks(4) {
                writeRecords(MultifileSpec.parallel(path).withBlockSize(512), 700, store) { records ->
                    for (number in 0 until 6) records.put((number % 2).toLong(), piece(200 * number, rank, number))
                }
                readTask(path, store) { task ->
                    val records = task.records()
                    records.keys().toList() shouldBe listOf(0L, 1L)
                    records.keys().map(records::size) shouldBe listOf(1200L, 1800L)
                    records.keys().map(records::recordCount) shouldBe listOf(3, 3)
                    val cursor = KeyCursor.over(records)
                    for ((number, entry) in cursor.asSequence().withIndex()) {
                        entry.key() shouldBe number % 2
                        val value = ByteBuffer.allocate(200 * number + 9)
                        cursor.read(entry.key(), value) shouldBe 200 * number
                        value.flip() shouldBe piece(200 * number, rank, number)
                    }
                    cursor.seek(1, 2, 990)
                    cursor.read(1, ByteBuffer.allocate(50)) shouldBe 10
                    cursor.isAtEnd(1) shouldBe true
                    cursor.seekAbsolute(0, 400)
                    cursor.bytesLeft(0) shouldBe 800
                }
            }
        }

        test("each rank seeks in its own task") {
            val store = SimulatedDisk().host("node0")
            ranks(3) {
                writeMultifile(MultifileSpec.parallel(path).withBlockSize(512), 512, store) { chunks ->
                    for (piece in 0 until 7) chunks.write(piece(300, rank, piece))
                }
                readTask(path, store) { task ->
                    val cursor = ChunkCursor.over(task)
                    val byte = ByteBuffer.allocate(1)
                    for (position in listOf(0, 299, 300, 1234, 2099)) {
                        cursor.seekAbsolute(position.toLong())
                        cursor.read(byte.clear()) shouldBe 1
                        byte.get(0) shouldBe stream(rank)[position]
                        cursor.seekFromEnd(2100L - position)
                        cursor.read(byte.clear()) shouldBe 1
                        byte.get(0) shouldBe stream(rank)[position]
                    }
                    shouldThrow<IllegalArgumentException> { cursor.seek(7, 0) }
                }
            }
        }
    })

private fun writeMapped(store: BlockStore, path: Path) {
    val spec =
        MultifileSpec
            .mapped(
                path,
            ).withBlockSize(512)
            .withMapping(FileMapping.byPlace { FileMapping.TaskPlace(it % 2, it / 2) })
    MultifileWriter.create(store, spec, TaskRequest.equal(6, 600)).use { writer ->
        for (piece in 0 until 7) {
            for (task in 0 until 6) writer.task(task).write(piece(300, task, piece))
        }
        writer.finish()
    }
}

private fun GlobalView.cursorOf(task: Int): ChunkCursor = MultifileReader.of(this).task(task)

/** As C programs read: as many bytes at once as the chunk has left, until there are no more. */
private fun ChunkCursor.readByLoop(): ByteArray {
    val read = ByteArrayOutputStream()
    while (advance()) {
        val piece = ByteBuffer.allocate(bytesLeft().toInt())
        read(piece) shouldBe piece.capacity()
        read.writeBytes(piece.array())
    }
    return read.toByteArray()
}

/** What a task of seven pieces holds. */
private fun stream(task: Int): ByteArray = List(7) { piece(300, task, it).array() }.reduce(ByteArray::plus)

private fun piece(size: Int, task: Int, number: Int): ByteBuffer =
    ByteBuffer.wrap(ByteArray(size) { (it * 7 + task * 31 + number * 57 + (it shr 8)).toByte() })
