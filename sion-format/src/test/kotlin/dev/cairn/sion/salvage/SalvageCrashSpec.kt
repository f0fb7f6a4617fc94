package dev.cairn.sion.salvage

import dev.cairn.house.Campaign
import dev.cairn.sion.Content
import dev.cairn.sion.FileMapping
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.MultifileWriter
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.TaskView
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.TreeMap
import kotlin.random.Random

/** A writer dies anywhere between its first byte and its last: what is left is told as it is. */
class SalvageCrashSpec :
    FunSpec({
        val histogram = TreeMap<String, Int>()

        fun campaign(name: String, runs: Int, program: (Random) -> Program) =
            test(name) {
                val seed = Campaign.seed
                println("SalvageCrashSpec, $name: seed $seed")
                val random = Random(seed)
                repeat(runs) {
                    program(random).crashEverywhere {
                        state,
                        count,
                        ->
                        histogram.merge(state, count, Int::plus)
                    }
                }
            }

        campaign("of plain bytes the true length lies in the range", 30) { PlainProgram(it) }
        campaign("of records just the whole ones are there", 30) { RecordProgram(it) }

        afterSpec {
            println("Broken multifiles: ${histogram.values.sum()} salvaged")
            histogram.forEach { (outcome, count) -> println("  %9d %s".format(count, outcome)) }
            histogram.keys shouldContainAll setOf("bytes: range", "bytes: exact", "records: exact", "records: doubt")
        }
    })

private val PATH = Path.of("/run/x.sion")

/** A random multifile, written on a disk that fails when told to. */
private abstract class Program(protected val random: Random) {
    private val taskCount = random.nextInt(1, 6)
    private val fileCount = random.nextInt(1, minOf(3, taskCount) + 1)
    private val requests = List(taskCount) { TaskRequest(it.toLong(), random.nextLong(32, 200)) }
    protected abstract val content: Content

    private val spec by lazy {
        val several = listOf(MultifileSpec.parallel(PATH), MultifileSpec.mapped(PATH)).random(random)
        val plain =
            if (fileCount == 1 && random.nextInt(3) == 0) {
                MultifileSpec.serial(PATH)
            } else {
                several.withMapping(FileMapping.contiguous(fileCount))
            }
        plain.withBlockSize(listOf(1, 7, 64, 512).random(random)).withContent(content)
    }

    protected val steps: List<Int> = List(random.nextInt(1, 12)) { random.nextInt(taskCount) }

    /** Writes the piece of a step. */
    protected abstract fun write(writer: MultifileWriter, step: Int)

    /** Compares what is left with the first [done] pieces. */
    protected abstract fun judge(task: SalvageView.SalvagedTask, done: List<Int>): String

    /**
     * While tasks write the process is killed, and the system writes all it has to disk; while the multifile is closed
     * the power fails, and each write may be lost or torn.
     */
    fun crashEverywhere(tally: (String, Int) -> Unit) {
        for (killedAfter in 0..steps.size) {
            val disk = newDisk()
            newWriter(disk.host("node")).use { writer -> repeat(killedAfter) { write(writer, it) } }
            salvage(disk.host("node"), killedAfter, tally)
        }
        val operations = newDisk().let { disk -> close(disk) }
        for (operation in 1..operations) {
            val disk = newDisk()
            runCatching {
                close(
                    disk,
                    operation,
                )
            }.exceptionOrNull().let { it is SimulatedDisk.CrashException }.shouldBeTrue()
            disk.crashOutcomes().forEach { salvage(disk.afterCrash(it).host("node"), steps.size, tally) }
        }
    }

    private fun newDisk() = SimulatedDisk().also { it.host("node").apply { makeDirectory(PATH.parent) } }

    private fun newWriter(store: BlockStore) = MultifileWriter.create(store, spec, requests)

    /** Writes everything, makes it durable, and closes; the power fails at an operation of the closing. */
    private fun close(disk: SimulatedDisk, crashAt: Long = Long.MAX_VALUE / 2): Long {
        val store = disk.host("node")
        newWriter(store).use { writer ->
            steps.indices.forEach { write(writer, it) }
            force(store)
            val before = disk.operationCount()
            disk.crashAt(before + crashAt)
            writer.finish()
            return disk.operationCount() - before
        }
    }

    private fun force(store: BlockStore) {
        store.list(PATH.parent).forEach { file ->
            store.open(file, Access.READ_WRITE).use { it.force() }
        }
        store.forceDirectory(PATH.parent)
        store.forceDirectory(Path.of("/"))
    }

    private fun salvage(store: BlockStore, done: Int, tally: (String, Int) -> Unit) =
        Salvage.open(store, PATH, Salvage.SearchWatch.upTo(1L shl 32)).use { view ->
            view.taskCount() shouldBe taskCount
            (view.numbers() == SalvageView.TaskNumbers.BY_FILE) shouldBe false
            repeat(taskCount) { task ->
                val salvaged = view.task(task)
                salvaged.globalRank().asLong shouldBe task
                tally(judge(salvaged, (0 until done).filter { steps[it] == task }), 1)
            }
            repairAndCompare(store, view)
        }

    /** Whatever length is chosen, the strict reader then sees just that. */
    private fun repairAndCompare(store: BlockStore, view: SalvageView) {
        val lengths = Salvage.Lengths.entries.random(random)
        val expected = List(taskCount) { bytesOf(view.task(it).read(lengths)) }
        Salvage.repair(store, view, lengths)
        Multifile.open(store, PATH).use { whole -> List(taskCount) { bytesOf(whole.task(it)) } shouldBe expected }
    }

    protected fun bytesOf(task: TaskView): List<Byte> = task.stream().use { it.readAllBytes().toList() }
}

private class PlainProgram(random: Random) : Program(random) {
    override val content = Content.BYTES

    private val seed = random.nextInt()

    /** Many zeros, which look like bytes that were never written. */
    private fun piece(step: Int, mostBytes: Int): ByteArray =
        Random(seed + step).let { r -> ByteArray(r.nextInt(mostBytes + 1)) { r.nextInt(3).toByte() } }

    private fun isSplit(step: Int) = Random(seed - step).nextBoolean()

    override fun write(writer: MultifileWriter, step: Int) {
        val chunks = writer.task(steps[step])
        if (isSplit(step)) {
            chunks.append(ByteBuffer.wrap(piece(step, 300)))
        } else {
            chunks.write(ByteBuffer.wrap(piece(step, chunks.chunkSize().toInt())))
        }
    }

    override fun judge(task: SalvageView.SalvagedTask, done: List<Int>): String {
        val length = done.sumOf { (if (isSplit(it)) piece(it, 300) else piece(it, chunkSizeOf(task))).size.toLong() }
        length shouldBeInRange task.size(Salvage.Lengths.LEAST)..task.size(Salvage.Lengths.MOST)
        return if (task.isExact) "bytes: exact" else "bytes: range"
    }

    private fun chunkSizeOf(task: SalvageView.SalvagedTask) = task.read(Salvage.Lengths.LEAST).chunkSize().toInt()
}

private val END_BYTES = listOf<Byte>(0, 0x7f)

private class RecordProgram(random: Random) : Program(random) {
    override val content = Content.RECORDS

    /** Keys and bytes that META2 cannot hold; half of the values end in zeros. */
    private val records =
        List(steps.size) {
            val end = if (random.nextBoolean()) List(16) { END_BYTES.last() } else List(9) { END_BYTES.first() }
            val value = List(random.nextInt(150)) { END_BYTES.random(random) } + end
            (random.nextLong() or Long.MIN_VALUE) to value.takeIf { random.nextInt(5) > 0 }.orEmpty()
        }

    override fun write(writer: MultifileWriter, step: Int) {
        val (key, value) = records[step]
        writer.records(steps[step]).put(key, ByteBuffer.wrap(value.toByteArray()))
    }

    override fun judge(task: SalvageView.SalvagedTask, done: List<Int>): String {
        val written = done.map { records[it] }
        val certain = recordsOf(task, Salvage.Lengths.LEAST)
        val possible = recordsOf(task, Salvage.Lengths.MOST)
        // The bytes that follow may be a part of META2, which cannot be told from records.
        possible.take(written.size) shouldBe written
        certain shouldBe written.take(certain.size)
        if (written.lastOrNull()?.second?.lastOrNull() == END_BYTES.last()) certain shouldBe written
        (certain.size >= written.size - 1).shouldBeTrue()
        return if (task.isExact) "records: exact" else "records: doubt"
    }

    private fun recordsOf(task: SalvageView.SalvagedTask, lengths: Salvage.Lengths) =
        task.read(lengths).let { view ->
            view.records().entries().map { entry ->
                val value = ByteBuffer.allocate(entry.length().toInt())
                view.read(entry.position(), value)
                entry.key() to value.array().toList()
            }
        }
}
