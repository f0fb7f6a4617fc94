package dev.cairn.sion.salvage

import dev.cairn.sion.Content
import dev.cairn.sion.FileMapping
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.MultifileWriter
import dev.cairn.sion.RecordWriter
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.failure.SionException
import dev.cairn.sion.fixture.DamagedMultifile
import dev.cairn.sion.fixture.allocatedBytes
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.file.NoSuchFileException
import java.nio.file.Path

/** Reads the remains of multifiles with missing files, and of those that were not closed. */
class SalvageSpec :
    FunSpec({
        context("sets that are not complete") {
            test("a member is missing: the tasks of the others are there, and its own say why they are not") {
                broken("p05-local-comms", files = 2).apply { delete(second) }.salvage { view ->
                    view.numbers() shouldBe SalvageView.TaskNumbers.AS_WRITTEN
                    view.missingFiles().toArray().toList() shouldContainExactly listOf(1)
                    view.tasks { it.trouble().isEmpty } shouldContainExactly listOf(0, 2)
                    view.task(2).size(Salvage.Lengths.LEAST) shouldBe 1400
                    view.task(1).globalRank().isEmpty shouldBe true
                    shouldThrow<SionException.MissingFile> { view.task(1).read(Salvage.Lengths.LEAST) }.message shouldBe
                        "$second: it does not exist, but $path has 2 physical files, of which this is number 1, " +
                        "counted from 0. Copy it beside the others."
                }
            }

            test("file 0 with the mapping is missing: tasks are known by their global ranks") {
                broken("p05-local-comms", files = 2).apply { delete(path) }.salvage { view ->
                    view.numbers() shouldBe SalvageView.TaskNumbers.BY_FILE
                    view.missingFiles().toArray().toList() shouldContainExactly listOf(0)
                    List(view.taskCount()) { view.task(it).globalRank().asLong } shouldContainExactly listOf(1L, 3L, 4L)
                    view.task(2).size(Salvage.Lengths.MOST) shouldBe 2700
                }
            }

            test("file 0 is no multifile any more") {
                broken("p05-local-comms", files = 2).apply { replace(path, ByteArray(5000)) }.salvage { view ->
                    view.files().map { it.condition() } shouldContainExactly
                        listOf(SalvageView.SalvagedFile.Condition.LOST, SalvageView.SalvagedFile.Condition.CLOSED)
                    view.taskCount() shouldBe 3
                }
            }

            test("a file of another multifile is not read") {
                broken("p05-local-comms", files = 2).apply { change(second) { putInt(20, 1536) } }.salvage { view ->
                    view.tasks { it.trouble().isEmpty } shouldContainExactly listOf(0, 2)
                    shouldThrow<SionException.ForeignFile> { view.task(3).read(Salvage.Lengths.LEAST) }
                }
            }

            test("a number of files that cannot be is counted, not looked for") {
                broken("p05-local-comms", files = 2)
                    .apply {
                        delete(path)
                        change(second) { putInt(28, Int.MAX_VALUE) }
                    }.salvage { view ->
                        view.missingFileCount() shouldBe Int.MAX_VALUE - 1
                        view
                            .missingFiles()
                            .limit(3)
                            .toArray()
                            .toList() shouldContainExactly listOf(0, 2, 3)
                    }
            }

            test("a file with a number above the last one is ignored, also if there is no other") {
                broken("p05-local-comms", files = 2).apply {
                    delete(path)
                    change(second) { putInt(28, 1) }
                    shouldThrow<NoSuchFileException> { salvage { } }
                    disk.openFiles() shouldBe emptyList()
                }
            }

            for (count in listOf(0, 4)) {
                test("a mapping of $count tasks leaves data out: global ranks stand for it") {
                    val multifile = broken("p05-local-comms", files = 2)
                    multifile.change { putInt(MAPPING_OF_P05, count) }
                    multifile.salvage { view ->
                        view.isWhole shouldBe false
                        view.numbers() shouldBe SalvageView.TaskNumbers.BY_GLOBAL_RANK
                        view.task(4).size(Salvage.Lengths.LEAST) shouldBe 2700
                    }
                }
            }

            test("the mapping is cut: global ranks stand for it") {
                val multifile = broken("p05-local-comms", files = 2)
                multifile.replace(multifile.path, multifile.bytesOf().copyOf(4680))
                multifile.salvage { view ->
                    view.numbers() shouldBe SalvageView.TaskNumbers.BY_GLOBAL_RANK
                    List(5) { view.task(it).size(Salvage.Lengths.LEAST) } shouldContainExactly
                        listOf(500L, 700L, 1400L, 800L, 2700L)
                    view.tasks { it.isExact } shouldContainExactly (0..4).toList()
                }
            }

            test("nothing is there") {
                val store = SimulatedDisk().host("node")
                shouldThrow<NoSuchFileException> {
                    Salvage.open(
                        store,
                        Path.of("/x.sion"),
                        Salvage.SearchWatch.upTo(1),
                    )
                }
            }

            test("a whole multifile is whole") {
                broken("p05-local-comms", files = 2).salvage { view -> view.isWhole shouldBe true }
            }
        }

        context("files of the C library that were not closed") {
            test("a serial one") {
                ranges("x01-never-closed.sion") shouldContainExactly listOf(1024L..1024L, 100L..512L, 300L..512L)
            }

            test("a parallel one") {
                ranges("x02-never-closed-par.sion") shouldContainExactly listOf(1024L..1024L, 0L..512L, 300L..512L)
            }

            test("one whose META2 is cut: the tail tells how many blocks there are") {
                ranges("x03-truncated-meta2.sion") shouldContainExactly listOf(1024L..1024L, 100L..1024L, 300L..1024L)
            }

            test("one that is cut in META1 has nothing to salvage") {
                shouldThrow<SionException.Truncated> { ranges("x04-truncated-meta1.sion") }
            }
        }

        context("records") {
            test("the last of them may end in zeros that no task wrote") {
                val store =
                    unclosedRecords {
                        it.put(7, bytes(1, 2, 3))
                        it.put(8, bytes(4, 0, 0))
                    }
                salvage(store).use { view ->
                    val task = view.task(0)
                    task.size(Salvage.Lengths.LEAST) shouldBe 19
                    task.size(Salvage.Lengths.MOST) shouldBe 38
                    task.remark() shouldBe
                        "2 records, the last of key 8, which ends in 2 zero bytes that may never have been written"
                }
            }

            test("one that is cut is left out, and said") {
                val store =
                    unclosedRecords {
                        it.put(7, bytes(1))
                        it.begin(9, 5000)
                        it.append(bytes(1, 1))
                    }
                salvage(store).use { view ->
                    view.task(0).isExact shouldBe true
                    view.task(0).remark() shouldBe
                        "1 record, the last of key 7; one of key 9 with 5000 bytes begins behind and is cut"
                }
            }

            test("rests of chunks that were left unused are passed over") {
                val store =
                    unclosedRecords {
                        it.putWhole(1, filled(300))
                        it.putWhole(2, filled(300))
                        it.putWhole(3, filled(480))
                    }
                salvage(store).use { view ->
                    val task = view.task(0).read(Salvage.Lengths.LEAST)
                    List(3) { task.bytesInBlock(it) } shouldContainExactly listOf(316L, 316L, 496L)
                    task.records().keys().toList() shouldContainExactly listOf(1L, 2L, 3L)
                }
            }

            test("one that continues in a block is whole, although the block's bytes could be META2's") {
                val store = unclosed(64, 64, 64) { it.records(0).put(7, filled(64 - 16 + 1, 1)) }
                salvage(store).use { view ->
                    view.task(0).isExact shouldBe true
                    view.task(0).remark() shouldBe "1 record, the last of key 7"
                }
            }

            test("one that lies where the mapping could is whole if no mapping has such entries") {
                val store =
                    unclosed(64, 36, 1, 1) {
                        it.records(1).put(7, filled(36 - 16, 1))
                        it.records(1).put(8, filled(36 - 16, 1))
                    }
                salvage(store).use { view ->
                    view.task(1).isExact shouldBe true
                    view.task(1).remark() shouldBe "2 records, the last of key 8"
                }
            }

            test("one that lies where META2 could, and looks like it, is in doubt") {
                val store =
                    unclosed(64, 64, 64) {
                        it.records(0).put(7, filled(64 - 16, 1))
                        it.records(0).put(1, filled(1, 1))
                    }
                salvage(store).use { view ->
                    view.task(0).size(Salvage.Lengths.LEAST) shouldBe 64
                    view.task(0).size(Salvage.Lengths.MOST) shouldBe 64 + 17
                }
            }

            for (order in listOf(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
                for (kept in 1 until Long.SIZE_BYTES) {
                    test("the $kept first or last bytes of a -1 in the META2 of a mapped file are no data, $order") {
                        listOf(0 until kept, Long.SIZE_BYTES - kept until Long.SIZE_BYTES).forEach { bytes ->
                            salvage(mappedWithTornMetaTwo(order, bytes)).use { view ->
                                view.task(0).size(Salvage.Lengths.LEAST) shouldBe 200
                            }
                        }
                    }
                }
            }

            test("the zeros behind the last one and the begin of META2 are no continued record") {
                val store = unclosed(64, 64, 64) { it.records(0).put(7, filled(64 - 16 - 8, 1)) }
                store.open(Path.of("/x.sion"), Access.READ_WRITE).use { file ->
                    val secondBlock = file.size() - 56 + 3 * 64
                    val blockCounts = bytes(1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)
                    file.write(secondBlock, blockCounts)
                }
                salvage(store).use { view -> view.task(0).size(Salvage.Lengths.LEAST) shouldBe 56 }
            }
        }

        test("a repair that is interrupted anywhere can be done again") {
            val expected = repaired(Long.MAX_VALUE / 2).let { (disk, _) -> streams(disk.host("node")) }
            val operations = repaired(Long.MAX_VALUE / 2).second
            (1..operations).forEach { operation ->
                val (disk, _) = repaired(operation)
                disk.crashOutcomes().forEach { outcome ->
                    val store = disk.afterCrash(outcome).host("node")
                    salvage(store).use { view -> Salvage.repair(store, view, Salvage.Lengths.LEAST) }
                    streams(store) shouldBe expected
                }
            }
        }

        context("a repaired set is good") {
            test("if a task without room and with a negative rank is alone in its file") {
                val store = SimulatedDisk().host("node")
                val requests = listOf(TaskRequest(0, 50), TaskRequest(-1, 0))
                MultifileWriter.create(store, setOf(FileMapping.contiguous(2)), requests).close()
                repairedSizes(store, Salvage.Lengths.LEAST) shouldBe listOf(0L, 0L)
            }

            for (lengths in Salvage.Lengths.entries) {
                test("if the mapping leaves a task out that may have written zeros, with the $lengths bytes") {
                    repairedSizes(withoutTaskInMapping(), lengths).take(2) shouldBe listOf(0L, 120L)
                }
            }
        }

        context("hostile files") {
            test("a hole of an exabyte is given up, not searched for ever") {
                val store = unclosedRecords(Content.BYTES) { }
                store.open(Path.of("/x.sion"), Access.READ_WRITE).use { it.resize(1L shl 60) }
                shouldThrow<IOException> { Salvage.open(store, Path.of("/x.sion"), Salvage.SearchWatch.upTo(1 shl 20)) }
            }

            test("more blocks than can be listed are refused before there is memory for them") {
                val store = unclosedRecords(Content.BYTES) { }
                store.open(Path.of("/x.sion"), Access.READ_WRITE).use { it.write(1L shl 55, bytes(1)) }
                shouldThrow<IOException> {
                    Salvage.open(
                        store,
                        Path.of("/x.sion"),
                        Salvage.SearchWatch.upTo(1L shl 40),
                    )
                }
            }

            test("thousands of places where META2 may begin do not each take a buffer") {
                val size = 150_000
                val store = SimulatedDisk().host("node")
                val spec = MultifileSpec.serial(Path.of("/x.sion")).withBlockSize(16)
                MultifileWriter.create(store, spec, TaskRequest.ofSizes(16, 16)).use { it.task(0).append(filled(size)) }
                store.open(Path.of("/x.sion"), Access.READ_WRITE).use { it.write(it.size(), filled(16)) }
                val before = allocatedBytes()
                salvage(store).close()
                allocatedBytes() - before shouldBeLessThan 100L * size
            }
        }
    })

/** Where the mapping of that fixture begins. */
private const val MAPPING_OF_P05 = 4700 - 44

private fun broken(name: String, files: Int) =
    DamagedMultifile.of("$name.sion", *Array(files - 1) { "$name.sion.%06d".format(it + 1) })

private val DamagedMultifile.second: Path get() = path.resolveSibling("${path.fileName}.000001")

private fun DamagedMultifile.salvage(look: DamagedMultifile.(SalvageView) -> Unit) {
    Salvage.open(store, path, Salvage.SearchWatch.upTo(1L shl 32)).use { look(it) }
    disk.openFiles() shouldBe emptyList()
}

private fun SalvageView.tasks(which: (SalvageView.SalvagedTask) -> Boolean) =
    (0 until taskCount()).filter {
        which(task(it))
    }

private fun ranges(fixture: String): List<LongRange> {
    val bytes = checkNotNull(SalvageSpec::class.java.getResource("/fixtures/sion/$fixture")).readBytes()
    val store = SimulatedDisk().host("node")
    store.create(Path.of("/x.sion")).use { it.write(0, ByteBuffer.wrap(bytes)) }
    return salvage(store).use { view ->
        List(view.taskCount()) { view.task(it).size(Salvage.Lengths.LEAST)..view.task(it).size(Salvage.Lengths.MOST) }
    }
}

/** A never closed file whose repair fails at an operation; and how many operations there are. */
private fun repaired(crashAt: Long): Pair<SimulatedDisk, Long> {
    val bytes = checkNotNull(SalvageSpec::class.java.getResource("/fixtures/sion/x01-never-closed.sion")).readBytes()
    val disk = SimulatedDisk()
    val store = disk.host("node")
    store.create(Path.of("/x.sion")).use {
        it.write(0, ByteBuffer.wrap(bytes))
        it.force()
    }
    store.forceDirectory(Path.of("/"))
    val before = disk.operationCount()
    disk.crashAt(before + crashAt)
    runCatching { salvage(store).use { view -> Salvage.repair(store, view, Salvage.Lengths.LEAST) } }
    return disk to disk.operationCount() - before
}

private fun streams(store: BlockStore) =
    Multifile.open(store, Path.of("/x.sion")).use { view ->
        List(view.taskCount()) { task -> view.task(task).stream().use { it.readAllBytes().toList() } }
    }

private fun repairedSizes(store: BlockStore, lengths: Salvage.Lengths): List<Long> {
    salvage(store).use { view -> Salvage.repair(store, view, lengths) }
    return Multifile.open(store, Path.of("/x.sion")).use { view -> List(view.taskCount()) { view.task(it).size() } }
}

private fun setOf(mapping: FileMapping) =
    MultifileSpec.parallel(Path.of("/x.sion")).withBlockSize(1).withMapping(mapping)

/**
 * Three tasks in two files. The last task wrote nothing, the mapping does not name it, and the second file, in which
 * it has room, was cut before META2.
 */
private fun withoutTaskInMapping(): BlockStore {
    val store = SimulatedDisk().host("node")
    val mapping = FileMapping.byFile { minOf(it, 1) }
    MultifileWriter.create(store, setOf(mapping), TaskRequest.ofSizes(50, 50, 50)).use {
        it.task(1).append(filled(120))
        it.finish()
    }
    store.open(Path.of("/x.sion"), Access.READ_WRITE).use { file ->
        val mappingStart = file.size() - 3 * 2 * Int.SIZE_BYTES - Int.SIZE_BYTES
        file.write(mappingStart, bytes(2))
    }
    store.open(Path.of("/x.sion.000001"), Access.READ_WRITE).use { file ->
        val metaOneEnd = 1092L + 2 * 2 * Long.SIZE_BYTES - Int.SIZE_BYTES
        file.resize(metaOneEnd + 2 * 100 + 20)
        file.write(metaOneEnd - Int.SIZE_BYTES - Long.SIZE_BYTES, ByteBuffer.allocate(Int.SIZE_BYTES + Long.SIZE_BYTES))
    }
    return store
}

private fun salvage(store: BlockStore) = Salvage.open(store, Path.of("/x.sion"), Salvage.SearchWatch.upTo(1L shl 32))

/** A multifile of two tasks, of which only the first writes, and whose writer is killed. */
private fun unclosedRecords(content: Content = Content.RECORDS, write: (RecordWriter) -> Unit): BlockStore {
    val store = SimulatedDisk().host("node")
    val spec = MultifileSpec.serial(Path.of("/x.sion")).withBlockSize(512).withContent(content)
    MultifileWriter.create(store, spec, TaskRequest.ofSizes(512, 512)).use {
        if (content == Content.RECORDS) write(it.records(0))
    }
    // A neighbour that came later has made the file longer.
    store.open(Path.of("/x.sion"), Access.READ_WRITE).use { it.resize(maxOf(it.size(), 4096)) }
    return store
}

/** A multifile of tasks with chunks of just these sizes, whose writer is killed. */
private fun unclosed(vararg chunkSizes: Long, write: (MultifileWriter) -> Unit): BlockStore {
    val store = SimulatedDisk().host("node")
    val spec = MultifileSpec.serial(Path.of("/x.sion")).withBlockSize(1).withContent(Content.RECORDS)
    MultifileWriter.create(store, spec, TaskRequest.ofSizes(*chunkSizes)).use(write)
    return store
}

/**
 * A mapped multifile of two tasks, of which the first has written four blocks. The power failed while it was closed: of the -1 for
 * the last block of the second task only the bytes [kept] reached the disk, and nothing of the mapping behind it.
 */
private fun mappedWithTornMetaTwo(order: ByteOrder, kept: IntRange): BlockStore {
    val path = Path.of("/x.sion")
    val store = SimulatedDisk().host("node")
    val spec = MultifileSpec.mapped(path).withBlockSize(1).withMetaDataOrder(order)
    MultifileWriter.create(store, spec, TaskRequest.ofSizes(50, 50)).use {
        it.task(0).append(filled(200))
        it.finish()
    }
    val blockCount = 4
    store.open(path, Access.READ_WRITE).use { file ->
        val mapping = file.size() - Int.SIZE_BYTES - 2 * 2 * Int.SIZE_BYTES
        file.resize(mapping)
        file.write(mapping - Long.SIZE_BYTES, ByteBuffer.wrap(ByteArray(Long.SIZE_BYTES) { if (it in kept) -1 else 0 }))
        val data = mapping - (2 + 2 * blockCount) * Long.SIZE_BYTES - blockCount * 100
        val tail = ByteBuffer.allocate(Int.SIZE_BYTES + Long.SIZE_BYTES)
        file.write(data - tail.capacity(), tail)
    }
    return store
}

private fun bytes(vararg bytes: Int): ByteBuffer = ByteBuffer.wrap(ByteArray(bytes.size) { bytes[it].toByte() })

private fun filled(size: Int, value: Byte = 5): ByteBuffer = ByteBuffer.wrap(ByteArray(size) { value })
