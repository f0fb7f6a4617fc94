package dev.cairn.sion.cursor

import dev.cairn.house.Campaign
import dev.cairn.sion.Content
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.MultifileWriter
import dev.cairn.sion.RecordView
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainOnly
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import kotlin.random.Random

/** The keys of the C library: sequential reading, the iterator, seeks and statistics, against plain lists of values. */
class KeyCursorSpec :
    FunSpec({
        test("a read goes to the end of the current record and not into the next one") {
            opened(7L to ByteArray(10) { 1 }, 8L to ByteArray(3), 7L to ByteArray(20) { 2 }) { records ->
                val cursor = KeyCursor.over(records)
                val target = ByteBuffer.allocate(25)
                cursor.read(7, target) shouldBe 10
                cursor.read(7, target.clear()) shouldBe 20
                target.flip().get(19) shouldBe 2
                cursor.read(7, target.clear()) shouldBe -1
                cursor.read(9, target.clear()) shouldBe -1
                cursor.read(8, target.clear()) shouldBe 3
            }
        }

        test("an empty record is a record like any other, wherever it stands") {
            val values = listOf("" to 0L, "ab" to 0L, "" to 0L, "" to 1L, "c" to 0L, "" to 0L)
            opened(*values.map { (value, key) -> key to value.encodeToByteArray() }.toTypedArray()) { records ->
                val cursor = KeyCursor.over(records)
                List(7) { cursor.read(0, ByteBuffer.allocate(9)) } shouldBe listOf(0, 2, 0, 1, 0, -1, -1)
                cursor.isAtEnd(1) shouldBe false
                cursor.read(1, ByteBuffer.allocate(9)) shouldBe 0
                cursor.isAtEnd(1) shouldBe true
                cursor.seek(0, 4, 0)
                cursor.bytesLeft(0) shouldBe 0
                cursor.isAtEnd(0) shouldBe false
                cursor.asSequence().map { it.length() }.toList() shouldBe listOf(0L, 2L, 0L, 0L, 1L, 0L)
            }
        }

        test("the walk over all records moves each key to the record that it found, and can begin again") {
            opened(1L to ByteArray(2), 2L to ByteArray(3), 1L to ByteArray(4)) { records ->
                val cursor = KeyCursor.over(records)
                val target = ByteBuffer.allocate(9)
                cursor.next().key() shouldBe 1
                cursor.next().key() shouldBe 2
                cursor.read(1, target) shouldBe 2
                cursor.read(1, target.limit(5)) shouldBe 3
                cursor.next().length() shouldBe 4
                cursor.bytesLeft(1) shouldBe 4
                shouldThrow<NoSuchElementException> { cursor.next() }
                cursor.bytesLeft(1) shouldBe 4
                cursor.reset()
                cursor.bytesLeft(1) shouldBe 4
                cursor.next().length() shouldBe 2
                cursor.bytesLeft(1) shouldBe 2
            }
        }

        test("what is not there is said in a sentence, and no key moves") {
            opened(-1L to ByteArray(5), -1L to ByteArray(0)) { records ->
                val cursor = KeyCursor.over(records)
                cursor.seek(-1, 0, 3)
                val key = "key 18446744073709551615"
                mapOf(
                    { cursor.seek(-1, 2, 0) } to "$key has 2 records, but number 2, counted from 0, was asked for.",
                    { cursor.seek(-1, 0, 5) } to "record 0 of $key has 5 bytes, so it has no position 5.",
                    { cursor.seek(-1, 1, 1) } to "record 1 of $key has 0 bytes, so it has no position 1.",
                    { cursor.seekAbsolute(-1, 5) } to
                        "the records of $key have 5 bytes together, so there is no position 5.",
                    { cursor.seek(3, 0, 0) } to "key 3 has 0 records, but number 0, counted from 0, was asked for.",
                ).forEach { (seek, sentence) ->
                    shouldThrow<IllegalArgumentException> { seek() }.message shouldBe "/keys.sion, task 0: $sentence"
                    cursor.bytesLeft(-1) shouldBe 2
                }
            }
        }

        test("any row of calls on several cursors does what lists of values say") {
            val seed = Campaign.seed
            println("KeyCursorSpec: seed $seed")
            val random = Random(seed)
            repeat(200) {
                val keys = List(random.nextInt(1, 5)) { random.nextLong() }
                val written = List(random.nextInt(15)) { keys.random(random) to random.nextBytes(random.nextInt(6)) }
                opened(*written.toTypedArray(), chunkSize = random.nextLong(1, 40)) { records ->
                    withClue("seed $seed, round $it") { compareCalls(records, keys + 0L, written, random) }
                }
            }
        }

        test("statistics: every key once, in the order of the first records, with its records and bytes") {
            opened(5L to ByteArray(1), -3L to ByteArray(0), 5L to ByteArray(7), 0L to ByteArray(2)) { records ->
                records.keys().toList() shouldBe listOf(5L, -3L, 0L)
                records.keys().map(records::recordCount) shouldBe listOf(2, 1, 1)
                records.keys().map(records::size) shouldBe listOf(8L, 0L, 2L)
                records.recordCount(1) shouldBe 0
            }
        }

        test("cursors on the records of one task are independent, on one thread and on several") {
            val values = List(60) { (it % 3).toLong() to ByteArray(it % 7) { index -> (it + index).toByte() } }
            val pool = Executors.newFixedThreadPool(4)
            try {
                opened(*values.toTypedArray()) { records ->
                    val readers =
                        List(24) { number ->
                            Callable {
                                val key = (number % 3).toLong()
                                KeyCursor.over(records).valuesOf(key) ==
                                    values.filter { it.first == key }.map { it.second.toList() }
                            }
                        }
                    pool.invokeAll(readers).map { it.get() } shouldContainOnly listOf(true)
                }
            } finally {
                pool.shutdown()
            }
        }

        test("a reader keeps one cursor for each task's records, and another reader has its own") {
            val store = storeWith(listOf(1L to ByteArray(4)), 64)
            Multifile.open(store, KEYS).use { view ->
                val first = MultifileReader.of(view)
                val second = MultifileReader.of(view)
                first.records(0).read(1, ByteBuffer.allocate(3)) shouldBe 3
                first.records(0).bytesLeft(1) shouldBe 1
                second.records(0).bytesLeft(1) shouldBe 4
            }
        }
    })

private val KEYS = Path.of("/keys.sion")

private fun storeWith(records: List<Pair<Long, ByteArray>>, chunkSize: Long): BlockStore {
    val store = SimulatedDisk().host("node0")
    val spec = MultifileSpec.serial(KEYS).withBlockSize(1).withContent(Content.RECORDS)
    MultifileWriter.create(store, spec, TaskRequest.ofSizes(chunkSize)).use { writer ->
        records.forEach { (key, value) -> writer.records(0).put(key, ByteBuffer.wrap(value)) }
        writer.finish()
    }
    return store
}

private fun opened(vararg records: Pair<Long, ByteArray>, chunkSize: Long = 64, read: (RecordView) -> Unit) =
    Multifile.openTask(storeWith(records.toList(), chunkSize), KEYS, 0).use { read(it.records()) }

private fun KeyCursor.valuesOf(key: Long): List<List<Byte>> =
    buildList {
        while (!isAtEnd(key)) {
            val value = ByteBuffer.allocate(bytesLeft(key).toInt())
            if (read(key, value) < value.capacity()) error("a record lacks bytes")
            if (value.capacity() == 0) read(key, ByteBuffer.allocate(1))
            add(value.array().toList())
        }
    }

/** One key on plain lists: what is still to be read, record by record. */
private class KeyModel(private val values: List<ByteArray>) {
    private var left: List<List<Byte>> = values.map { it.toList() }

    val bytesLeft get() = left.firstOrNull()?.size ?: 0
    val isAtEnd get() = left.isEmpty()

    fun read(byteCount: Int): List<Byte>? {
        if (byteCount == 0) return emptyList()
        val record = left.firstOrNull() ?: return null
        left = listOf(record.drop(byteCount)).filter { it.isNotEmpty() } + left.drop(1)
        return record.take(byteCount)
    }

    fun seek(number: Int, position: Int): Boolean {
        val record = values.getOrNull(number) ?: return false
        if (position !in record.indices && !(position == 0 && record.isEmpty())) return false
        left = listOf(record.drop(position)) + values.drop(number + 1).map { it.toList() }
        return true
    }

    /** Every byte of the value in order, as the record and the position where it lies. */
    fun seekAbsolute(position: Int): Boolean {
        val places = values.flatMapIndexed { number, value -> value.indices.map { number to it } }
        val (number, inRecord) = places.getOrNull(position) ?: return false
        return seek(number, inRecord)
    }
}

private fun compareCalls(records: RecordView, keys: List<Long>, written: List<Pair<Long, ByteArray>>, random: Random) {
    fun models() = keys.associateWith { key -> KeyModel(written.filter { it.first == key }.map { it.second }) }
    val cursors = List(2) { KeyCursor.over(records) to models() }
    val walked = IntArray(2)
    repeat(80) {
        val number = random.nextInt(2)
        val (cursor, models) = cursors[number]
        if (random.nextInt(6) == 0) {
            walked[number] = compareWalk(cursor, models, written, walked[number])
        } else {
            val key = keys.random(random)
            compareCall(cursor, models.getValue(key), key, random)
        }
        keys.forEach { cursor.bytesLeft(it) shouldBe models.getValue(it).bytesLeft }
        keys.forEach { cursor.isAtEnd(it) shouldBe models.getValue(it).isAtEnd }
    }
}

/** One step of the walk over all records, which begins again at its end. */
private fun compareWalk(
    cursor: KeyCursor,
    models: Map<Long, KeyModel>,
    written: List<Pair<Long, ByteArray>>,
    walked: Int,
): Int {
    cursor.hasNext() shouldBe (walked < written.size)
    if (walked == written.size) {
        cursor.reset()
        return 0
    }
    val (key, value) = written[walked]
    val entry = cursor.next()
    entry.key() shouldBe key
    entry.length() shouldBe value.size
    models.getValue(key).seek(written.take(walked).count { it.first == key }, 0)
    return walked + 1
}

private fun compareCall(cursor: KeyCursor, model: KeyModel, key: Long, random: Random) {
    when (random.nextInt(4)) {
        0 -> {
            val number = random.nextInt(-1, 5)
            val position = random.nextInt(-1, 7)
            cursor.seeks(model.seek(number, position)) { seek(key, number, position.toLong()) }
        }

        1 -> {
            val position = random.nextInt(-1, 20)
            cursor.seeks(model.seekAbsolute(position)) { seekAbsolute(key, position.toLong()) }
        }

        else -> {
            val target = ByteBuffer.allocate(random.nextInt(8))
            val expected = model.read(target.capacity())
            cursor.read(key, target) shouldBe (expected?.size ?: -1)
            target.limit() shouldBe target.capacity()
            target.array().take(target.position()) shouldBe expected.orEmpty()
        }
    }
}

private fun KeyCursor.seeks(succeeds: Boolean, seek: KeyCursor.() -> Unit) {
    if (succeeds) seek() else shouldThrow<IllegalArgumentException> { seek() }
}
