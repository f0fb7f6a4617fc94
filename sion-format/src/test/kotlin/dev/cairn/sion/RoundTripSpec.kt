package dev.cairn.sion

import dev.cairn.house.Campaign
import dev.cairn.house.JDK_DEPENDENT
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import java.io.ByteArrayOutputStream
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.random.Random

/** Any multifile that can be asked for is read back as it was written, wherever its borders fall. */
@Tags(JDK_DEPENDENT)
class RoundTripSpec :
    FunSpec({
        val directory = tempdir().toPath()

        test("any geometry and any row of writes is read back") {
            val seed = Campaign.seed
            println("RoundTripSpec: seed $seed")
            val random = Random(seed)
            repeat(300) {
                val expected = writeAtRandom(directory.resolve("any.sion"), random)
                Multifile.open(directory.resolve("any.sion")).use { view ->
                    view.taskCount() shouldBe expected.size
                    expected.forEachIndexed { task, bytes -> compare(view.task(task), bytes, random) }
                }
            }
        }

        test("any row of records is read back, by order and by key") {
            val seed = Campaign.seed
            println("RoundTripSpec, records: seed $seed")
            val random = Random(seed)
            repeat(200) { compareRecordsAtRandom(directory.resolve("records.sion"), random) }
        }
    })

private fun specAtRandom(path: Path, taskCount: Int, random: Random): MultifileSpec {
    val spec =
        if (random.nextBoolean()) {
            MultifileSpec.serial(path)
        } else {
            MultifileSpec.parallel(path).withMapping(mappingAtRandom(taskCount, random))
        }
    return spec.withBlockSize(listOf(1, 7, 64, 512).random(random)).withForcePolicy(ForcePolicy.NEVER)
}

private fun mappingAtRandom(taskCount: Int, random: Random): FileMapping =
    when (random.nextInt(3)) {
        0 -> FileMapping.contiguous(random.nextInt(1, taskCount + 1))
        1 -> IntArray(taskCount) { random.nextInt(3) }.let { groups -> FileMapping.byGroup { groups[it] } }
        else -> FileMapping.byFile { if (it == 0) 0 else it % 2 }
    }

private fun writeAtRandom(path: Path, random: Random): List<ByteArray> {
    val taskCount = random.nextInt(1, 9)
    val requests = List(taskCount) { TaskRequest(random.nextLong(), random.nextLong(1, 200)) }
    return MultifileWriter.create(specAtRandom(path, taskCount, random), requests).use { writer ->
        val written = List(taskCount) { ByteArrayOutputStream() }
        repeat(random.nextInt(30)) {
            val task = random.nextInt(taskCount)
            written[task].writeBytes(writeOnce(writer.task(task), random))
        }
        writer.finish()
        written.map { it.toByteArray() }
    }
}

/** One call in one of the three ways to write; what it wrote. */
private fun writeOnce(task: ChunkWriter, random: Random): ByteArray =
    when (random.nextInt(3)) {
        0 -> {
            random.nextBytes(random.nextInt(task.chunkSize().toInt() + 1)).also { task.write(ByteBuffer.wrap(it)) }
        }

        1 -> {
            random.nextBytes(random.nextInt(600)).also { task.append(ByteBuffer.wrap(it)) }
        }

        else -> {
            random.nextBytes(random.nextInt(600)).also { bytes ->
                task.stream(ByteBuffer.allocate(16)).use { stream ->
                    bytes.toList().chunked(random.nextInt(1, 40)).forEach { stream.write(it.toByteArray()) }
                }
            }
        }
    }

private fun compare(task: TaskView, expected: ByteArray, random: Random) {
    task.size() shouldBe expected.size
    task.stream().use { it.readAllBytes() }.contentEquals(expected) shouldBe true
    repeat(5) {
        val position = random.nextInt(expected.size + 2)
        val target = ByteBuffer.allocate(random.nextInt(1, 300))
        val count = task.read(position.toLong(), target)
        val left = expected.size - position
        count shouldBe if (left <= 0) -1 else minOf(left, target.capacity())
        val from = minOf(position, expected.size)
        target.array().copyOf(target.position()) shouldBe expected.copyOfRange(from, from + maxOf(0, count))
    }
    task.stream().use { stream ->
        val skip = random.nextLong(expected.size + 10L)
        stream.skip(skip) shouldBe minOf(skip, expected.size.toLong())
        stream.read() shouldBe (expected.getOrNull(skip.toInt())?.toInt()?.and(0xff) ?: -1)
    }
}

private fun compareRecordsAtRandom(path: Path, random: Random) {
    val keyPool = List(random.nextInt(1, 6)) { random.nextLong() }
    val records = List(random.nextInt(20)) { keyPool.random(random) to random.nextBytes(random.nextInt(100)) }
    val spec = MultifileSpec.serial(path).withBlockSize(random.nextInt(1, 64)).withContent(Content.RECORDS)
    MultifileWriter.create(spec.withForcePolicy(ForcePolicy.NEVER), TaskRequest.ofSizes(random.nextLong(1, 64))).use {
        records.forEach { (key, value) -> it.records(0).put(key, ByteBuffer.wrap(value)) }
        it.finish()
    }
    Multifile.openTask(path, 0).use { task ->
        val view = task.records()
        view.entries().map { it.key() to it.length() } shouldBe records.map { it.first to it.second.size.toLong() }
        view.keys().toList() shouldBe records.map { it.first }.distinct()
        keyPool.forEach { key -> compareKey(view, key, records.filter { it.first == key }.map { it.second }, random) }
    }
}

private fun compareKey(view: RecordView, key: Long, values: List<ByteArray>, random: Random) {
    val whole = values.fold(ByteArray(0), ByteArray::plus)
    view.recordCount(key) shouldBe values.size
    view.size(key) shouldBe whole.size
    val position = random.nextInt(whole.size + 1)
    val target = ByteBuffer.allocate(random.nextInt(1, 200))
    val count = view.read(key, position.toLong(), target)
    count shouldBe if (position >= whole.size) -1 else minOf(whole.size - position, target.capacity())
    target.array().copyOf(maxOf(0, count)) shouldBe whole.copyOfRange(position, position + maxOf(0, count))
}
