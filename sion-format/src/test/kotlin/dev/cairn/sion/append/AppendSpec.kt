package dev.cairn.sion.append

import dev.cairn.house.Campaign
import dev.cairn.sion.FileMapping
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.MultifileWriter
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.fixture.DamagedMultifile
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.bytesOf
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.longs.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import java.io.ByteArrayOutputStream
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.random.Random

/** A closed multifile is opened again, grows, and is closed again. */
class AppendSpec :
    FunSpec({
        val path = Path.of("/x.sion")

        fun written(fileCount: Int, vararg sizes: Int): BlockStore {
            val store = SimulatedDisk().host("node")
            val spec = MultifileSpec.parallel(path).withBlockSize(512).withMapping(FileMapping.contiguous(fileCount))
            MultifileWriter.create(store, spec, TaskRequest.equal(sizes.size, 512)).use { writer ->
                sizes.forEachIndexed { task, size -> writer.task(task).append(bytes(size, 1)) }
                writer.finish()
            }
            return store
        }

        fun append(store: BlockStore, vararg sizes: Pair<Int, Int>) =
            MultifileAppender.open(store, path).use { appender ->
                sizes.forEach { (task, size) -> appender.task(task).append(bytes(size, 2)) }
                appender.finish()
            }

        fun blocks(store: BlockStore) =
            Multifile.open(store, path).use { view ->
                List(view.taskCount()) { task ->
                    view.task(task).let { t ->
                        List(t.blockCount()) { t.bytesInBlock(it) }
                    }
                }
            }

        test("what fits goes into the current chunk, and what META2 covers is passed over") {
            val store = written(1, 100, 512)
            append(store, 0 to 500, 1 to 10)
            // META2 lay at the start of block 1, in the chunk of task 0 alone.
            blocks(store) shouldContainExactly listOf(listOf(512L, 0L, 88L), listOf(512L, 10L))
        }

        test("small appends need no more room each time: META2 goes to and fro") {
            val store = written(1, 100, 100)
            val sizes =
                List(6) {
                    append(store, 1 to 10)
                    store.open(path, Access.READ).use { it.size() }
                }
            blocks(store)[1][0] shouldBe 160
            sizes.max() shouldBeLessThanOrEqual 1536 + 2 * 1024 + 16 * 3
        }

        test("nothing appended, nothing changed; and only files with appended bytes are touched") {
            val store = written(2, 100, 100)
            val member = path.resolveSibling("x.sion.000001")
            val before = listOf(path, member).map { store.bytesOf(it) }
            append(store)
            listOf(path, member).map { store.bytesOf(it) } shouldBe before
            append(store, 1 to 5)
            store.bytesOf(path) shouldBe before[0]
        }

        test("until it is finished no reader sees its bytes, and its remains are cut off") {
            val store = written(1, 100, 100)
            val before = store.bytesOf(path)
            MultifileAppender.open(store, path).use { it.task(0).append(bytes(5000, 9)) }
            blocks(store) shouldContainExactly listOf(listOf(100L), listOf(100L))
            AppendLayout.read(store, path)
            store.bytesOf(path).size shouldBe before.size
        }

        test("two programs cannot append at once") {
            val store = written(1, 100)
            MultifileAppender.open(store, path).use {
                shouldThrow<IllegalStateException> { MultifileAppender.open(store, path) }.message shouldBe
                    "$path: another program is appending to it: wait until it has finished."
            }
            append(store, 0 to 1)
        }

        test("buddies would not get what is appended") {
            val store = written(1, 100)
            store.create(Path.of("/x.sion_BUDDY_00")).close()
            shouldThrow<IllegalArgumentException> { AppendLayout.read(store, path) }.message shouldBe
                "$path: its buddy /x.sion_BUDDY_00 would not get what is appended: delete the buddies first."
        }

        test("files of the C library can be appended to, independently of their writer") {
            listOf(
                "s11-ensure-space",
                "s07-keyval",
                "m01-mapped",
                "m02-mapped-one-file",
                "c03-big-endian-meta",
                "p09-coll-two-files",
            ).forEach { name -> appendToFixture(name) }
        }

        test("any row of appends is read back") {
            val seed = Campaign.seed
            println("AppendSpec: seed $seed")
            val random = Random(seed)
            repeat(150) { appendAtRandom(random) }
        }
    })

private fun bytes(size: Int, value: Int): ByteBuffer = ByteBuffer.wrap(ByteArray(size) { value.toByte() })

/** The last task of a fixture gets some bytes more, or a record; all else is as it was. */
private fun appendToFixture(name: String) {
    val files =
        generateSequence(0) { it + 1 }
            .map { if (it == 0) "$name.sion" else "$name.sion.%06d".format(it) }
            .takeWhile { AppendSpec::class.java.getResource("/fixtures/sion/$it") != null }
    val multifile = DamagedMultifile.of(*files.toList().toTypedArray())
    val before = streams(multifile.store, multifile.path)
    val last = before.size - 1
    MultifileAppender.open(multifile.store, multifile.path).use { appender ->
        if (name == "s07-keyval") {
            appender.records(last).put(1, bytes(700, 3))
        } else {
            appender.task(last).append(bytes(700, 3))
        }
        appender.finish()
    }
    val header = if (name == "s07-keyval") 16 else 0
    val after = streams(multifile.store, multifile.path)
    after.dropLast(1) shouldBe before.dropLast(1)
    after[last].dropLast(700 + header) shouldBe before[last]
    after[last].takeLast(700) shouldBe List(700) { 3.toByte() }
}

private fun streams(store: BlockStore, path: Path) =
    Multifile.open(store, path).use { view ->
        List(view.taskCount()) { task -> view.task(task).stream().use { it.readAllBytes().toList() } }
    }

private fun appendAtRandom(random: Random) {
    val store = SimulatedDisk().host("node")
    val path = Path.of("/x.sion")
    val taskCount = random.nextInt(1, 6)
    val written = List(taskCount) { ByteArrayOutputStream() }

    fun piece(task: Int, write: (ByteBuffer) -> Unit) =
        random.nextBytes(random.nextInt(600)).let {
            write(ByteBuffer.wrap(it))
            written[task].writeBytes(it)
        }

    val spec =
        MultifileSpec
            .parallel(path)
            .withBlockSize(listOf(1, 7, 64, 512).random(random))
            .withMapping(FileMapping.contiguous(random.nextInt(1, taskCount + 1)))
    val requests = List(taskCount) { TaskRequest(it.toLong(), random.nextLong(8, 200)) }
    MultifileWriter.create(store, spec, requests).use { writer ->
        repeat(random.nextInt(8)) {
            random.nextInt(taskCount).let { task ->
                piece(task) { writer.task(task).append(it) }
            }
        }
        writer.finish()
    }
    repeat(random.nextInt(1, 4)) {
        MultifileAppender.open(store, path).use { appender ->
            repeat(random.nextInt(6)) {
                random.nextInt(taskCount).let { task -> piece(task) { appender.task(task).append(it) } }
            }
            appender.finish()
        }
        streams(store, path) shouldBe written.map { it.toByteArray().toList() }
    }
}
