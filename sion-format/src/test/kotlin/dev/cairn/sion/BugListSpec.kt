package dev.cairn.sion

import dev.cairn.sion.cli.bundled
import dev.cairn.sion.cli.sion
import dev.cairn.sion.cursor.ChunkCursor
import dev.cairn.sion.cursor.KeyCursor
import dev.cairn.sion.cursor.MultifileReader
import dev.cairn.sion.failure.SionException
import dev.cairn.sion.fixture.BlockwiseMultifile
import dev.cairn.sion.fixture.DamagedMultifile
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.file.Path
import kotlin.io.path.readBytes
import kotlin.io.path.writeBytes

/**
 * The bugs of SIONlib 1.7.6 by the numbers of src/test/resources/sionlib-tests.md, each with what is right. Those that take ranks are in
 * checkpoint-core's RankBugListSpec.
 */
class BugListSpec :
    FunSpec({
        val path = Path.of("/bugs.sion")
        val directory = tempdir().toPath()

        fun newStore(): BlockStore = SimulatedDisk().host("node0")

        fun bytes(size: Int): ByteBuffer = ByteBuffer.wrap(ByteArray(size) { (it * 7 + (it shr 8)).toByte() })

        fun write(
            spec: MultifileSpec,
            vararg chunkSizes: Long,
            store: BlockStore = newStore(),
            write: (MultifileWriter) -> Unit,
        ): BlockStore {
            MultifileWriter.create(store, spec, TaskRequest.ofSizes(*chunkSizes)).use { writer ->
                write(writer)
                writer.finish()
            }
            return store
        }

        test("B1: a file that was cut anywhere is refused") {
            for (size in 0 until SERIAL_SIZE step 20) {
                val multifile = DamagedMultifile.of(SERIAL)
                multifile.replace(multifile.path, multifile.bytesOf().copyOf(size))
                shouldThrow<SionException> { Multifile.open(multifile.store, multifile.path) }
            }
        }

        test("B2: a task opened alone has all its own blocks, and one out of range is refused") {
            val set = DamagedMultifile.of(*SET)
            Multifile.openTask(set.store, set.path, 0).use { it.blockCount() shouldBe 1 }
            Multifile.openTask(set.store, set.path, 4).use {
                List(it.blockCount(), it::bytesInBlock) shouldBe
                    List(3) { 900L }
            }
            val single = DamagedMultifile.of(SERIAL)
            shouldThrow<IllegalArgumentException> { Multifile.openTask(single.store, single.path, 1) }.message shouldBe
                "/data/$SERIAL has tasks 0 to 0, but task 1 was asked for."
        }

        test("B3: of a file that is created anew no old byte is left, neither in holes nor behind the end") {
            val store = newStore()
            store.create(path).use { it.write(0, ByteBuffer.wrap(ByteArray(100_000) { -1 })) }
            write(MultifileSpec.serial(path).withBlockSize(512), 1000, store = store) { it.task(0).write(bytes(600)) }
            store.open(path, Access.READ).use { file ->
                file.size() shouldBe SERIAL_SIZE
                val all = ByteBuffer.allocate(SERIAL_SIZE).also { file.readFully(0, it) }.array()
                (1104..1535).plus(2136..2559).map { all[it] }.toSet() shouldBe setOf<Byte>(0)
            }
        }

        test("B4: a read at the end of a block returns no more than the next block holds") {
            BlockwiseMultifile.ofLengths(listOf(listOf(5, 3, 8)), fileCount = 1).let { multifile ->
                multifile.opened { view ->
                    val cursor = ChunkCursor.over(view.task(0))
                    cursor.seek(0, 5)
                    val target = ByteBuffer.allocate(100)
                    cursor.read(target) shouldBe 3
                    target.array().copyOf(3) shouldBe multifile.tasks[0][1]
                    cursor.bytesLeft() shouldBe 0
                }
            }
        }

        test("B5: a missing physical file is named, and the tasks of the others can be read") {
            val set = DamagedMultifile.of(*SET)
            set.delete(Path.of("/data/${SET[1]}"))
            shouldThrow<SionException.MissingFile> { Multifile.open(set.store, set.path) }.file().toString() shouldBe
                "/data/${SET[1]}"
            Multifile.openTask(set.store, set.path, 2).use { it.size() shouldBe 1400 }
        }

        test("B7: a seek that fails moves nothing, and every task can be taken up again where it was") {
            BlockwiseMultifile.ofLengths(listOf(listOf(4), listOf(0), listOf(3, 3)), fileCount = 2).opened { view ->
                val reader = MultifileReader.of(view)
                reader.task(0).read(ByteBuffer.allocate(9)) shouldBe 4
                shouldThrow<IllegalArgumentException> { reader.task(2).seek(1, 4) }
                reader.task(2).position() shouldBe 0
                reader.task(2).seekAbsolute(6)
                List(3) { reader.task(it).position() } shouldBe listOf(4L, 0L, 6L)
                List(3) { reader.task(it).advance() } shouldBe listOf(false, false, false)
            }
        }

        test("B7: tasks are written in any order, and each continues at its own position") {
            val store =
                write(MultifileSpec.serial(path).withBlockSize(8), 8, 8) { writer ->
                    repeat(6) { writer.task(it % 2).write(ByteBuffer.wrap(ByteArray(3) { _ -> it.toByte() })) }
                }
            Multifile.open(store, path).use { view ->
                List(2) { task ->
                    view
                        .task(task)
                        .stream()
                        .use { it.readAllBytes() }
                        .toList()
                } shouldBe
                    List(2) { task -> listOf(0, 0, 0, 2, 2, 2, 4, 4, 4).map { (it + task).toByte() } }
            }
        }

        test("B8: an empty record is read like any other, also as the last of the stream") {
            val store =
                write(MultifileSpec.serial(path).withContent(Content.RECORDS).withBlockSize(64), 64) { writer ->
                    listOf(3, 0, 2, 0).forEach { writer.records(0).put(7, bytes(it)) }
                }
            Multifile.openTask(store, path, 0).use { task ->
                val cursor = KeyCursor.over(task.records())
                List(5) { cursor.read(7, ByteBuffer.allocate(9)) } shouldBe listOf(3, 0, 2, 0, -1)
                cursor.asSequence().map { it.length() }.toList() shouldBe listOf(3L, 0L, 2L, 0L)
            }
        }

        test("B9: tasks that all ask for nothing can share blocks, of which there are none") {
            for (grouping in listOf(
                Grouping.few(),
                Grouping.ofAbout(2),
                Grouping.ofExactly(2),
                Grouping.whereSmall(),
            )) {
                val spec = MultifileSpec.parallel(path).withBlockSize(512).withGrouping(grouping)
                val store = write(spec, 0, 0, 0) { writer -> writer.task(1).write(bytes(0)) }
                Multifile.open(store, path).use { view ->
                    List(3) { view.task(it).chunkSize() + view.task(it).size() } shouldBe listOf(0L, 0L, 0L)
                }
            }
        }

        test("B11: a record that has no chunk to go to is refused") {
            write(MultifileSpec.serial(path).withContent(Content.RECORDS).withBlockSize(64), 0, 64) { writer ->
                shouldThrow<IllegalArgumentException> { writer.records(0).put(1, bytes(3)) }.message shouldContain
                    "task 0 asked for chunks of 0 bytes, so it cannot write 16: ask for larger chunks."
            }
        }

        test("B12: a mapped multifile refuses global ranks that are no task numbers, before it creates anything") {
            for (globalRank in listOf(-1L, 2L, 1L shl 40)) {
                val store = newStore()
                val requests = listOf(TaskRequest(0, 8), TaskRequest(globalRank, 8))
                shouldThrow<IllegalArgumentException> {
                    MultifileWriter.create(store, MultifileSpec.mapped(path).withBlockSize(8), requests)
                }.message shouldContain "task 1 has the global rank $globalRank"
                store.exists(path) shouldBe false
            }
        }

        test("B13: what a buffer holds back is counted, and a multifile is not finished without it") {
            val store =
                write(MultifileSpec.parallel(path).withBlockSize(512), 1024) { writer ->
                    val stream = writer.task(0).stream(ByteBuffer.allocate(512))
                    repeat(567) { stream.write(it) }
                    shouldThrow<IllegalStateException> { writer.finish() }
                    stream.close()
                }
            Multifile.openTask(store, path, 0).use { it.size() shouldBe 567 }
        }

        test("B14: the value of keyval is heeded, and one that means nothing is refused") {
            val spec = MultifileSpec.parallel(path)
            spec.withFlags("bw,keyval=inline").content() shouldBe Content.RECORDS
            spec.withFlags("bw,keyval=none").content() shouldBe Content.BYTES
            for (value in listOf("meta", "hash", "unknown", "")) {
                shouldThrow<IllegalArgumentException> { spec.withFlags("bw,keyval=$value") }.message shouldBe
                    "$path: keyval is inline, default or none, not '$value'."
            }
        }

        test("B15: buddies that would keep their own file are refused, before anything is created") {
            for ((fileCount, levels) in listOf(1 to 1, 4 to 2, 6 to 3, 9 to 4)) {
                val store = newStore()
                val spec = MultifileSpec.parallel(path).withBlockSize(512).withBuddyLevels(levels)
                shouldThrow<IllegalArgumentException> {
                    val mapping = FileMapping.contiguous(fileCount)
                    Multifile.create(store, MultifileLayout.plan(spec.withMapping(mapping), TaskRequest.equal(9, 8)))
                }.message shouldContain "not $fileCount: choose another number of files."
                store.exists(path) shouldBe false
            }
        }

        for (verb in listOf("dump", "cat", "verify", "map")) {
            test("B16: $verb ends with exit code 1 when it cannot read a file") {
                val cut = directory.resolve("cut.sion")
                cut.writeBytes(bundled(SERIAL).readBytes().copyOf(2500))
                sion(verb, cut.toString()).exitCode shouldBe 1
                sion(verb, directory.resolve("missing.sion").toString()).exitCode shouldBe 1
            }
        }

        for (verb in listOf("split", "defrag", "repair")) {
            test("B16: $verb ends with exit code 1 when it cannot read a file") {
                val missing = directory.resolve("missing.sion")
                sion(verb, missing.toString(), directory.resolve("$verb-out").toString()).exitCode shouldBe 1
            }
        }

        test("B17: groups with their collectors in front need not divide the tasks evenly") {
            for (taskCount in 1..13) {
                val spec =
                    MultifileSpec
                        .parallel(path)
                        .withBlockSize(64)
                        .withMapping(FileMapping.collectorsFirst(if (taskCount > 4) 2 else 1, 4))
                        .withGrouping(Grouping.ofExactly(4))
                val store =
                    write(spec, *LongArray(taskCount) { 20 }) { writer ->
                        repeat(taskCount) { writer.task(it).append(bytes(10 * it)) }
                    }
                Multifile.open(store, path).use { view ->
                    List(
                        taskCount,
                    ) { task -> ByteBuffer.wrap(view.task(task).stream().use { it.readAllBytes() }) } shouldBe
                        List(taskCount) { bytes(10 * it) }
                }
            }
        }

        test("B18: keys and records of the last task are dumped one after the other") {
            sion("dump", "-k", "-K", bundled("s07-keyval.sion").toString()).exitCode shouldBe 0
        }

        test("B19: each task has its own count of each block, also if one writer has several tasks") {
            val spec = MultifileSpec.mapped(path).withBlockSize(512)
            val store =
                write(spec, 512, 512) { writer ->
                    repeat(3) { writer.task(0).write(bytes(500)) }
                    writer.task(1).write(bytes(400))
                    writer.task(1).ensureFreeSpace(512)
                    writer.task(0).write(bytes(500))
                }
            Multifile.open(store, path).use { view ->
                List(2) { task -> List(view.task(task).blockCount(), view.task(task)::bytesInBlock) } shouldBe
                    listOf(listOf(500L, 500L, 500L, 500L), listOf(400L, 0L))
            }
        }

        test("B19: a block with more bytes than its chunk is refused") {
            val damaged = DamagedMultifile.of(SERIAL)
            damaged.change { putLong(2568, 1025) }
            shouldThrow<SionException.Corrupt> { Multifile.open(damaged.store, damaged.path) }.field() shouldBe
                "bytes in block 0 of local rank 0"
        }

        for (spec in listOf(MultifileSpec.serial(path), MultifileSpec.mapped(path), MultifileSpec.parallel(path))) {
            test("B20: several tasks may have hundreds of blocks each, ${spec.dialect()}") {
                val store =
                    write(spec.withBlockSize(8), 8, 8, 8) { writer ->
                        repeat(900) { writer.task(it % 3).write(ByteBuffer.allocate(8).putLong(it.toLong()).flip()) }
                    }
                Multifile.open(store, path).use { view ->
                    for (task in 0 until 3) {
                        view.task(task).blockCount() shouldBe 300
                        val stream = ByteBuffer.wrap(view.task(task).stream().use { it.readAllBytes() })
                        List(300) { stream.getLong() } shouldBe List(300) { 3L * it + task }
                    }
                }
            }
        }

        mapOf<String, ByteBuffer.() -> Unit>(
            "a block size of 0" to { putInt(20, 0) },
            "fewer than no blocks" to { putInt(1092, -1) },
            "far too many blocks" to { putInt(1092, Int.MAX_VALUE) },
            "a task of far too many blocks" to { putLong(2560, Long.MAX_VALUE) },
            "far too many tasks" to { putInt(24, 1 shl 27) },
        ).forEach { (damage, change) ->
            test("B21: a header with $damage is refused") {
                val damaged = DamagedMultifile.of(SERIAL)
                damaged.change(change = change)
                shouldThrow<SionException> { Multifile.open(damaged.store, damaged.path) }
            }
        }

        test("B22: a block size below 1 is refused") {
            for (blockSize in listOf(0, -1, -2, Int.MIN_VALUE)) {
                shouldThrow<IllegalArgumentException> {
                    MultifileSpec
                        .parallel(
                            path,
                        ).withBlockSize(blockSize)
                }.message shouldBe
                    "a block size is at least 1 byte, not $blockSize."
            }
        }

        test("B23: a record may be longer than 2 GiB") {
            val length = (3L shl 30) + 5
            val store = newStore()
            val spec = MultifileSpec.serial(path).withBlockSize(512).withContent(Content.RECORDS)
            val layout = MultifileLayout.plan(spec, TaskRequest.ofSizes(16 + length))
            Multifile.create(store, layout)
            store.open(path, Access.READ_WRITE).use { file ->
                val header =
                    ByteBuffer
                        .allocate(16)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(1)
                        .putLong(length)
                file.write(layout.slot(0).start(), header.flip())
                file.write(layout.slot(0).start() + 15 + length, ByteBuffer.wrap(byteArrayOf(42)))
            }
            Multifile.close(store, layout, listOf(TaskUsage.of(16 + length)))
            Multifile.openTask(store, path, 0).use { task ->
                val cursor = KeyCursor.over(task.records())
                cursor.bytesLeft(1) shouldBe length
                cursor.seek(1, 0, length - 1)
                val last = ByteBuffer.allocate(4)
                cursor.read(1, last) shouldBe 1
                last.get(0) shouldBe 42
            }
        }

        test("B24: closing the global view closes every physical file") {
            val set = DamagedMultifile.of(*SET)
            Multifile.open(set.store, set.path).use {
                set.disk.openFiles().map { "${it.fileName}" } shouldBe
                    SET.toList()
            }
            set.disk.openFiles().shouldBeEmpty()
        }

        test("B25: a name that does not fit into the format is refused") {
            MultifileSpec
                .serial(Path.of("n".repeat(1016)))
                .path()
                .toString()
                .length shouldBe 1016
            for (name in listOf("n".repeat(1017), "ü".repeat(509))) {
                shouldThrow<IllegalArgumentException> { MultifileSpec.serial(Path.of(name)) }.message shouldContain
                    "the name of a multifile takes 1 to 1016 bytes"
            }
        }

        test("B26: a block of format 3 that is longer than was asked for, but not than its chunk, is read whole") {
            val multifile = DamagedMultifile.of("c02-format3.sion")
            val file = multifile.model.open(multifile.path).first
            val rank = file.chunkSizes.indexOfFirst { it % file.blockSize != 0L }
            val aligned = file.chunkSizes[rank] / file.blockSize * file.blockSize + file.blockSize
            multifile.change { putLong((file.metaTwoStart() + 8 * (file.taskCount + rank)).toInt(), aligned) }
            Multifile.open(multifile.store, multifile.path).use { view ->
                val cursor = ChunkCursor.over(view.task(rank))
                val target = ByteBuffer.allocate(aligned.toInt() + 9)
                cursor.read(target) shouldBe aligned
                cursor.block() shouldBe 0
                view.task(rank).chunkSize() shouldBeLessThan aligned
            }
        }
    })

private const val SERIAL = "s01-one-task.sion"
private const val SERIAL_SIZE = 2580

/** Two physical files of five tasks: 0 and 2 in the first, 1, 3 and 4 in the second. */
private val SET = arrayOf("p05-local-comms.sion", "p05-local-comms.sion.000001")
