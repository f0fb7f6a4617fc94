package dev.cairn.sion.append

import dev.cairn.sion.Content
import dev.cairn.sion.FileMapping
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.MultifileWriter
import dev.cairn.sion.RecordWriter
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.fixture.Fixtures
import dev.cairn.sion.fixture.ModelTask
import dev.cairn.sion.fixture.MultifileModel
import dev.cairn.sion.fixture.SionlibRecords
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.bytesOf
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.comparables.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.random.Random

/** Records that were appended are found by the readers of the C library, which a model stands for. */
class AppendedRecordsSpec :
    FunSpec({
        test("the model finds the records of the C library's own files") {
            for (name in listOf("s07-keyval", "p11-keyval-two-files")) {
                val path = Fixtures.bundled(name).file
                val files =
                    listOf(path, path.resolveSibling("$name.sion.000001")).filter { it.toFile().exists() }
                val content = MultifileModel(files.associateWith { it.toFile().readBytes() }).open(path)
                content.tasks.forEach { task ->
                    val records = SionlibRecords(content.files[task.place.file], task.place.localRank, bytesOf(task))
                    records.iterated() shouldBe task.records()!!.map { it.key to it.length }
                }
            }
        }

        test("the model loses its place where a record ends with a block and an empty one follows") {
            // Plain bytes of the same shape, which is what an append without a rule for gaps would leave.
            val path = PATH
            val multifile = Records(path, 512L) { put(0, 1, 480) }
            val file = multifile.store.bytesOf(path)
            val model = MultifileModel(mapOf(path to file)).open(path)
            SionlibRecords(model.files[0], 0, file).iterated() shouldBe listOf(1L to 480L)
            val gap = multifile.withGapBehindBlock0()
            val lost = MultifileModel(mapOf(path to gap)).open(path)
            SionlibRecords(lost.files[0], 0, gap).iterated() shouldNotBe
                lost.tasks[0].records()!!.map { it.key to it.length }
        }

        for (length in listOf(463, 464, 465, 478, 479, 480, 481, 495, 496, 497)) {
            test("a value of $length bytes in a chunk of 512 may be followed by any other, there or behind META2") {
                for (next in listOf(0, 1, 2, 15, 16, 17, 495, 496, 497, 700)) {
                    val multifile = Records(PATH, 512L) { put(0, 1, length) }
                    multifile.append { put(0, 2, next) }
                    multifile.append { put(0, 3, 40) }
                    multifile.check()
                }
            }
        }

        test("values of 0, 1 and 2 bytes at the end of a chunk are carried over together with their headers") {
            for (length in 0..2) {
                val multifile =
                    Records(PATH, 512L) {
                        put(0, 1, 512 - 16 - 16 - length)
                        put(0, 2, length)
                    }
                multifile.append { put(0, 3, 10) }
                val carried = if (length == 1) 2L else 1L
                multifile.blocks(0) shouldContainExactly listOf(512 - carried, 0L, 26 + carried)
                multifile.check()
            }
        }

        test("where META2 is larger than a block, no task's data are followed by several empty blocks") {
            val multifile = Records(PATH, 32L, blockSize = 1) { repeat(40) { put(0, it.toLong(), 30) } }
            multifile.append { put(0, 1, 1) }
            multifile.check()
            multifile.blocks(0).takeLast(3) shouldContainExactly listOf(0L, 0L, 2L)
        }

        test("a value is whole in one chunk, but where an append passes over META2 it is split") {
            val multifile = Records(PATH, 512L) { put(0, 1, 300) }
            multifile.append { putWhole(0, 2, 300) }
            multifile.append { putWhole(0, 3, 300) }
            multifile.blocks(0) shouldContainExactly listOf(512L, 0L, 436L, 0L)
            multifile.check()
        }

        test("a record that goes through several blocks does not end at the gap either") {
            for (length in 194..198) {
                val multifile =
                    Records(PATH, 128L, 128L, blockSize = 64) {
                        put(0, 1, 200)
                        put(1, 1, 28)
                    }
                multifile.append {
                    put(1, 2, length)
                    put(1, 3, 47)
                }
                multifile.check()
            }
        }

        test("any row of appended records is found") {
            withRandom { random -> repeat(200) { appendAtRandom(random) } }
        }
    })

private val PATH = Path.of("/x.sion")

private fun bytesOf(task: ModelTask): ByteArray = task.path.toFile().readBytes()

private fun appendAtRandom(random: Random) {
    val taskCount = random.nextInt(1, 4)
    val chunkSizes = LongArray(taskCount) { random.nextLong(20, 90) }
    val blockSize = listOf(1, 1, 16, 64).random(random)
    val multifile = Records(PATH, *chunkSizes, blockSize = blockSize, fileCount = random.nextInt(1, taskCount + 1))

    fun Records.putSome() =
        repeat(random.nextInt(5)) {
            val task = random.nextInt(taskCount)
            put(task, random.nextLong(4), random.nextInt(1, 2 + 3 * chunkSizes[task].toInt()))
        }
    repeat(random.nextInt(1, 6)) {
        multifile.append { putSome() }
        multifile.check()
    }
}

/** A multifile of records, closed and appended to, and what was put into it. */
private class Records(
    private val path: Path,
    vararg chunkSizes: Long,
    blockSize: Int = 512,
    private val fileCount: Int = 1,
    first: Records.() -> Unit = {},
) {
    val store: BlockStore = SimulatedDisk().host("node")
    private val put = List(chunkSizes.size) { mutableListOf<Pair<Long, Int>>() }
    private var records: (Int) -> RecordWriter

    init {
        val spec =
            MultifileSpec
                .parallel(path)
                .withBlockSize(blockSize)
                .withContent(Content.RECORDS)
                .withMapping(FileMapping.contiguous(fileCount))
        MultifileWriter.create(store, spec, TaskRequest.ofSizes(*chunkSizes)).use {
            records = it::records
            first()
            it.finish()
        }
    }

    fun put(task: Int, key: Long, length: Int) = put(task, key, length, RecordWriter::put)

    fun putWhole(task: Int, key: Long, length: Int) = put(task, key, length, RecordWriter::putWhole)

    private fun put(task: Int, key: Long, length: Int, write: (RecordWriter, Long, ByteBuffer) -> Unit) {
        write(records(task), key, value(task, put[task].size, length))
        put[task] += key to length
    }

    fun append(write: Records.() -> Unit) =
        MultifileAppender.open(store, path).use {
            records = it::records
            write()
            it.finish()
        }

    fun blocks(task: Int): List<Long> = content().tasks[task].bytesInBlocks

    private fun files() =
        (0 until fileCount).map {
            if (it ==
                0
            ) {
                path
            } else {
                path.resolveSibling("x.sion.%06d".format(it))
            }
        }

    private fun content() = MultifileModel(files().associateWith(store::bytesOf)).open(path)

    /** The records as they were put are found by the strict reader, by the C library's iterator, and key by key. */
    fun check() {
        val content = content()
        for ((task, expected) in put.withIndex()) {
            val place = content.tasks[task].place
            val file = content.files[place.file]
            val bytes = store.bytesOf(file.path)
            withClue("task $task, blocks ${blocks(task)}, records $expected") {
                val lengths = expected.map { (key, length) -> key to length.toLong() }
                content.tasks[task].records()!!.map { it.key to it.length } shouldBe lengths
                SionlibRecords(file, place.localRank, bytes).iterated() shouldBe lengths
                if (expected.all { it.second > 0 }) {
                    SionlibRecords(file, place.localRank, bytes).split(file.blockSize) shouldBe values(task)
                }
            }
        }
    }

    private fun values(task: Int): Map<Long, ByteBuffer> =
        put[task]
            .mapIndexed { record, (key, length) -> key to value(task, record, length) }
            .groupBy({ it.first }, { it.second })
            .mapValues { (_, values) -> ByteBuffer.wrap(values.flatMap { it.array().toList() }.toByteArray()) }

    /** The same file with the tail of META1 telling that block 0 is followed by an empty one, and that by a record. */
    fun withGapBehindBlock0(): ByteArray {
        val metaTwoStart = 1536 + 3 * 512
        val file = ByteBuffer.allocate(metaTwoStart + 8 * 4).order(java.nio.ByteOrder.LITTLE_ENDIAN)
        file.put(store.bytesOf(path).copyOf(1536 + 512))
        file.putInt(1076 + 16, 3).putLong(1080 + 16, metaTwoStart.toLong())
        file.put(1536, file.array().copyOfRange(1536, 1536 + 8))
        file.putLong(1536 + 8, 496)
        file.putLong(1536 + 2 * 512, 2).putLong(1536 + 2 * 512 + 8, 10)
        for ((index, entry) in listOf(3L, 512L, 0L, 26L).withIndex()) file.putLong(metaTwoStart + 8 * index, entry)
        return file.array()
    }

    private companion object {
        fun value(task: Int, record: Int, length: Int): ByteBuffer =
            ByteBuffer.wrap(ByteArray(length) { (31 * task + 7 * record + it).toByte() })
    }
}
