package dev.cairn.options

import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.cli.HeatCheckpoints
import dev.cairn.concentrate.Concentrators
import dev.cairn.concentrate.dedicate
import dev.cairn.event.counted
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.manifestOf
import dev.cairn.multifile.Cores
import dev.cairn.multifile.FileBounds
import dev.cairn.multifile.writeMultifile
import dev.cairn.proof.log.loggedBy
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.ranks
import dev.cairn.sion.FileMapping
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.ElementType
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.asCoroutineDispatcher
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.locks.ReentrantLock

private val STORE = Path.of("s.cairn")
private const val RANK_COUNT = 16
private const val CELLS_OF_RANK = 4096

/** No write of tables, indexes and meta data is as large, and the cells of a rank are. */
private const val LARGE = 16L shl 10

/** As by default, but for states of some kilobytes. */
private fun auto(coreCount: Int) = DataFiles.Auto(FileBounds(bytesPerFile = LARGE), Cores(coreCount))

class AutoFilesSpec :
    FunSpec({
        for ((files, fileCount) in listOf(auto(RANK_COUNT) to 16, auto(4) to 4, DataFiles.one() to 1)) {
            test("16 ranks write to ${counted(fileCount, "file")}: ${16 - fileCount} of them wait for another") {
                val disk = SimulatedDisk()
                val turns = TakingTurns(disk.host("host0"))
                val threads = Executors.newFixedThreadPool(RANK_COUNT)
                try {
                    ranks(RankPlan(RANK_COUNT, Schedule.Fast(threads.asCoroutineDispatcher()))) {
                        saveCells(CheckpointOptions { this.files = files }, turns)
                    }
                } finally {
                    threads.shutdown()
                }
                turns.fileCount shouldBe fileCount
                turns.waitCount shouldBe RANK_COUNT - fileCount
            }
        }

        test("the manifest, cairn info and the log say how many files there are, and why") {
            val disk = SimulatedDisk()
            val lines = loggedBy { ranks(6) { saveCells(CheckpointOptions { files = auto(3) }, disk.host(host)) } }
            manifestOf(disk.host("host0"), STORE, 1).hints.fileCount shouldBe 3
            HeatCheckpoints(disk.host("host0")).cairn("info", "$STORE").text shouldContain
                Regex("data +data\\.sion, 3 files\n(.+\n)+files +3, one for each core\n")
            lines.single { "save 1, step 1" in it } shouldContain ", in s.cairn (3 files, one for each core); can be"
        }

        test("small states get one file, by default, too") {
            val disk = SimulatedDisk()
            val lines = loggedBy { ranks(6) { saveCells(CheckpointOptions(), disk.host(host)) } }
            manifestOf(disk.host("host0"), STORE, 1).hints.fileCount shouldBe 1
            lines.single { "save 1, step 1" in it } shouldContain
                ", in s.cairn (1 file, for less than 128.0 MiB of state); can be"
        }

        test("a checkpoint of several files is restored on more and on fewer ranks, with other options") {
            val disk = SimulatedDisk()
            ranks(5) { saveCells(CheckpointOptions { files = auto(5) }, disk.host(host)) }
            for (rankCount in listOf(1, 3, 8)) {
                ranks(rankCount) {
                    val cells = SharedCells(this, 5)
                    checkpoints(
                        STORE,
                        CheckpointOptions { files = DataFiles.one() },
                        disk.host(host),
                    ) { cells.declare(this) }
                        .use { it.restore()?.step shouldBe 1 }
                    cells.requireSaved()
                }
            }
        }

        test("the ranks of each host have files of their own") {
            val disk = SimulatedDisk()
            ranks(
                RankPlan(6, hosts = { "node${it % 2}" }),
            ) { saveCells(CheckpointOptions { files = auto(2) }, disk.host(host)) }
            disk.fileNumbers("node0") shouldBe listOf(0, 2, 0, 2, 1, 3)
        }

        test("concentrators have a file each, and the other ranks none") {
            val disk = SimulatedDisk()
            val options =
                CheckpointOptions {
                    files = auto(RANK_COUNT)
                    concentrators = Concentrators.everyNth(4)
                }
            ranks(RANK_COUNT) { saveCells(options, disk.host(host)) }
            disk.fileNumbers("host0") shouldBe List(RANK_COUNT) { it / 4 }
        }

        test("dedicated ranks have a file each, which holds what their clients save") {
            val disk = SimulatedDisk()
            val writers = ConcurrentHashMap<String, Set<Int>>()
            ranks(6) {
                val world = rank
                val files = noting(disk.host(host)) { writers.merge(it, setOf(world)) { all, one -> all + one } }
                dedicate(Concentrators.ranks(2, 5), files) { dedicated ->
                    val cells = SharedCells(this, size).also { it.fill() }
                    checkpoints(
                        STORE,
                        CheckpointOptions { this.files = auto(8) },
                        files,
                        dedicated,
                    ) { cells.declare(this) }
                        .use { it.saveAsync(1) }
                }
            }
            writers shouldBe mapOf("data.sion" to setOf(2), "data.sion.000001" to setOf(5))
        }

        test("a multifile gets its files by themselves if its mapping says so, and otherwise one") {
            val disk = SimulatedDisk().host("host0")
            val spec = MultifileSpec.parallel(Path.of("m.sion")).withBlockSize(512)
            val chosen = minOf(3, Cores.OF_THIS_PROCESS.count)
            for ((mapping, count) in listOf(FileMapping.auto() to chosen, FileMapping.oneFile() to 1)) {
                ranks(3) {
                    writeMultifile(spec.withMapping(mapping), 64L shl 20, disk) { it.append(ByteBuffer.allocate(700)) }
                }
                Multifile.open(disk, spec.path()).use { it.info().fileCount() } shouldBe count
                disk.list(Path.of("")).forEach(disk::delete)
            }
        }

        test("a program that writes all tasks of a multifile alone makes one file") {
            val spec = MultifileSpec.parallel(Path.of("m.sion")).withBlockSize(512).withMapping(FileMapping.auto())
            MultifileLayout.plan(spec, List(3) { TaskRequest(it.toLong(), 64L shl 20) }).fileCount() shouldBe 1
        }
    })

/** The cells of a rank, of [CELLS_OF_RANK] for each of [writerCount] ranks. */
private class SharedCells(ranks: Communicator, writerCount: Int) {
    private val shape = Shape.of(writerCount.toLong() * CELLS_OF_RANK)
    private val box: Box = Decomposition.rows(shape, ranks.size).boxes(ranks.rank).single()
    private val values = LongArray(box.cellCount().toInt())

    fun fill() = values.indices.forEach { values[it] = box.start(0) + it }

    fun declare(state: StateBuilder) = state.field("n", shape, ElementType.LONG) { block(box, values) }

    fun requireSaved() = values.indices.all { values[it] == box.start(0) + it } shouldBe true
}

private suspend fun Communicator.saveCells(options: CheckpointOptions, files: BlockStore) {
    val cells = SharedCells(this, size).also { it.fill() }
    checkpoints(STORE, options, files) { cells.declare(this) }.use { it.save(1) }
}

private fun SimulatedDisk.fileNumbers(host: String): List<Int> =
    Multifile.open(host(host), STORE.resolve("000001/data.sion")).use { view ->
        (0 until view.taskCount() - 1).map { view.place(it).fileNumber }
    }

/** Tells the files of data to which large pieces are written. */
private fun noting(files: BlockStore, note: (name: String) -> Unit) =
    object : ForwardingStore(files) {
        override fun onOperation(operation: BlockStore.Operation) {
            val isLarge = operation.kind() == BlockStore.Operation.Kind.WRITE && operation.length() >= LARGE
            if (isLarge) note("${operation.path().fileName}")
        }
    }

/**
 * Admits one writer at a time into a file, and counts those that find another one there. Nobody leaves before all ranks have come, so
 * that the counts are the same in every run.
 */
private class TakingTurns(private val files: BlockStore) : BlockStore by files {
    private val locks = ConcurrentHashMap<Path, ReentrantLock>()
    private val waiting = AtomicInteger()
    private val allCame = CountDownLatch(RANK_COUNT)

    val waitCount: Int get() = waiting.get()
    val fileCount: Int get() = locks.size

    override fun open(file: Path, access: Access): BlockFile = Turns(files.open(file, access))

    private inner class Turns(private val file: BlockFile) : BlockFile by file {
        override fun write(position: Long, source: ByteBuffer) {
            if (source.remaining() < LARGE) return file.write(position, source)
            val lock = locks.computeIfAbsent(file.path()) { ReentrantLock() }
            val isFree = lock.tryLock()
            if (!isFree) waiting.incrementAndGet()
            allCame.countDown()
            if (!isFree) lock.lock()
            try {
                check(allCame.await(1, TimeUnit.MINUTES)) { "${allCame.count} ranks did not write" }
                file.write(position, source)
            } finally {
                lock.unlock()
            }
        }
    }
}
