package dev.cairn.multifile

import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.ranks
import dev.cairn.sion.Multifile
import dev.cairn.sion.TaskView
import dev.cairn.sion.fixture.Fixture
import dev.cairn.sion.fixture.Fixtures
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.inspectors.forAll
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import java.util.concurrent.atomic.AtomicInteger
import kotlin.io.path.createDirectory
import kotlin.io.path.readBytes

/** What the C library wrote under MPI, written by simulated ranks. */
@Tags(JDK_DEPENDENT)
class ParallelFixtureSpec :
    FunSpec({
        val directory = tempdir().toPath()
        val fixtures = parallelFixtures

        for (fixture in fixtures) {
            for (schedule in listOf(Schedule.Fast(), Schedule.Deterministic())) {
                test("${fixture.name} is written by ranks as the C library wrote it, $schedule") {
                    val target = directory.resolve("${fixture.name}-${schedule.javaClass.simpleName}").createDirectory()
                    ranks(RankPlan(fixture.tasks.size, schedule)) { writeFixture(fixture, target) }
                    fixture.physicalFiles.entries.forAll { (name, original) ->
                        target.resolve(name).readBytes() shouldBe original.readBytes()
                    }
                }
            }
        }

        for (fixture in fixtures.filter { "collective" in it.flags && !it.isMerged }) {
            test("${fixture.name} takes one write for each collector and block, and has the same bytes") {
                val target = directory.resolve("${fixture.name}-counted").createDirectory()
                val writes = DataWrites(fixture)
                ranks(fixture.tasks.size) { writeFixture(fixture, target, shareInProcess { writes }) }
                fixture.physicalFiles.entries.forAll { (name, original) ->
                    target.resolve(name).readBytes() shouldBe original.readBytes()
                }
                println(
                    "${fixture.name}: ${fixture.ops.sumOf { it.second.size }} calls, ${writes.found} writes of data",
                )
                writes.found shouldBe writes.expected
            }
        }

        test("the fixtures of all parallel layouts that there are have been written") {
            println("written by ranks: ${fixtures.joinToString { it.name }}")
            if (Fixtures.isBundled) fixtures.size shouldBeGreaterThanOrEqual PARALLEL_COUNT
        }
    })

/** p01 to p14. Another folder has what it has. */
private const val PARALLEL_COUNT = 14

/** Counts what is written between META1 and META2, as they lie in the C library's files. */
private class DataWrites(fixture: Fixture) : ForwardingStore(FileBlockStore()) {
    private val original = Original(fixture)
    private val count = AtomicInteger()
    val found: Int get() = count.get()

    /** One for each group and block that has data. */
    val expected: Int = original.groups().sumOf { group -> blocksWithData(group) }

    /** A block that no task of the group filled takes no write. */
    private fun blocksWithData(group: List<TaskView>): Int =
        (0 until group.maxOf { it.blockCount() }).count { block ->
            group.any { block < it.blockCount() && it.bytesInBlock(block) > 0 }
        }

    override fun onOperation(operation: BlockStore.Operation) {
        val data = original.data["${operation.path().fileName}"] ?: return
        if (operation.kind() == BlockStore.Operation.Kind.WRITE && operation.position() in data) count.incrementAndGet()
    }
}

/** Where data lie in a multifile of the C library. */
private class Original(fixture: Fixture) {
    private val view = Multifile.open(fixture.file)
    private val blockSize = view.info().blockSize().toLong()
    private val tasksOfFiles: List<List<TaskView>> =
        (0 until view.taskCount())
            .groupBy { view.place(it).fileNumber() }
            .toSortedMap()
            .values
            .map { tasks -> tasks.sortedBy { view.place(it).localRank() }.map(view::task) }

    /** The bytes of each physical file that are for data. */
    val data: Map<String, LongRange> =
        fixture.physicalFiles.keys
            .sorted()
            .zip(tasksOfFiles.map(::dataOf))
            .toMap()

    private fun dataOf(tasks: List<TaskView>): LongRange {
        val start = (1088 + 16L * tasks.size + blockSize - 1) / blockSize * blockSize
        return start until start + tasks.maxOf { it.blockCount() } * tasks.sumOf { it.chunkSize() }
    }

    /** A group ends where its chunks end at a whole block. */
    fun groups(): List<List<TaskView>> =
        tasksOfFiles.flatMap { tasks ->
            val ends = tasks.runningFold(0L) { end, task -> end + task.chunkSize() }
            val starts = tasks.indices.filter { ends[it] % blockSize == 0L } + tasks.size
            starts.zipWithNext { from, to -> tasks.subList(from, to) }
        }
}
