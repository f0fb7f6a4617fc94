package dev.cairn.multifile

import dev.cairn.event.RankFailedException
import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.ranks
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.TaskView
import dev.cairn.sion.failure.SionException
import dev.cairn.sion.fixture.Fixture
import dev.cairn.sion.fixture.FixtureTask
import dev.cairn.sion.fixture.FixtureTaskWriter
import dev.cairn.sion.fixture.Fixtures
import dev.cairn.sion.fixture.sha256
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.inspectors.forAll
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.readBytes

/** Ranks that write any tasks of a multifile, and other numbers of ranks that read them. */
@Tags(JDK_DEPENDENT)
class MappedWritingSpec :
    FunSpec({
        val directory = tempdir().toPath()
        val fixtures = Fixtures.all.filter { it.mode == "mapped" }

        for (fixture in fixtures) {
            test("${fixture.name} is written by ranks with several tasks each as the C library wrote it") {
                val target = directory.resolve(fixture.name).createDirectory()
                val rankCount = fixture.tasks.maxOf { checkNotNull(it.process) } + 1
                ranks(rankCount) {
                    val own = fixture.tasks.filter { it.process == rank }
                    val tasks = own.map { MappedTask(it.task, it.chunkSize, checkNotNull(it.place)) }
                    if (fixture.isKeyValue) {
                        writeMappedRecords(fixture.spec(target), tasks) { records ->
                            fixture.run(
                                own.zip(records) { task, it -> FixtureTaskWriter(task, { error("") }, { _ -> it }) },
                            )
                        }
                    } else {
                        writeMapped(fixture.spec(target), tasks) { chunks ->
                            fixture.run(
                                own.zip(chunks) { task, it -> FixtureTaskWriter(task, { _ -> it }, { error("") }) },
                            )
                        }
                    }
                }
                fixture.physicalFiles.entries.forAll { (name, original) ->
                    target.resolve(name).readBytes() shouldBe original.readBytes()
                }
            }

            test("${fixture.name} is read by 1 to 9 ranks, each task once") {
                for (rankCount in 1..9) {
                    val found = ranks(rankCount) { readTasks(fixture.file) { tasks -> tasks.map(fixture::contentOf) } }
                    found.flatten() shouldBe fixture.tasks.sortedBy { it.readIndex }.map(fixture::contentOf)
                    found.maxOf { it.size } - found.minOf { it.size } shouldBe
                        if (fixture.tasks.size % rankCount == 0) 0 else 1
                }
            }
        }

        val spec = MultifileSpec.mapped(Path.of("m.sion")).withBlockSize(64)

        test("records of mapped tasks are found by other ranks") {
            val disk = SimulatedDisk()
            ranks(RankPlan(3, Schedule.Deterministic(5))) {
                val tasks = (0 until 10).filter { it % 3 == rank }.map { MappedTask(it, 30, it % 2, it / 2) }
                writeMappedRecords(spec, tasks, disk.host("node0")) { writers ->
                    for (writer in writers) {
                        repeat(writer.task()) {
                            writer.put(
                                it.toLong(),
                                ByteBuffer.wrap(
                                    ByteArray(9 * it),
                                ),
                            )
                        }
                    }
                }
            }
            ranks(4) {
                readTasks(spec.path(), disk.host("node0")) { tasks ->
                    for (task in tasks) {
                        task.records().entries().map { it.length() } shouldBe List(task.task()) { 9L * it }
                    }
                }
            }
        }

        test("ranks that do not specify the same mapped multifile are told in which argument they differ") {
            val store = SimulatedDisk().host("node0")
            val refusal =
                shouldThrow<RunFailedException> {
                    ranks(3) {
                        val own = if (rank == 1) spec.withBlockSize(128) else spec
                        writeMapped(own, listOf(MappedTask(rank, 8, 0, rank)), store) {}
                    }
                }
            refusal.message shouldContain
                "the ranks do not specify the same multifile (block size 64: ranks 0, 2; block size 128: rank 1). " +
                "Pass the same arguments on all ranks."
            store.exists(spec.path()) shouldBe false
        }

        test("when one rank fails, all throw, and the mapped multifile is not closed") {
            val store = SimulatedDisk().host("node0")
            val refusal =
                shouldThrow<RunFailedException> {
                    ranks(3) {
                        writeMapped(spec, listOf(MappedTask(rank, 8, 0, rank)), store) {
                            if (rank == 2) throw IOException("no more")
                        }
                    }
                }
            refusal.message shouldContain "rank 2 on host0 failed: no more"
            shouldThrow<SionException.NeverClosed> { Multifile.open(store, spec.path()) }
        }

        test("a mapped multifile for which there is no room is refused before it is created") {
            val full =
                object : ForwardingStore(SimulatedDisk().host("node0")) {
                    override fun onOperation(operation: BlockStore.Operation) = Unit

                    override fun freeSpace(path: Path) = 20L
                }
            val refusal =
                shouldThrow<RunFailedException> {
                    ranks(3) { writeMapped(spec, listOf(MappedTask(rank, 8, 0, rank)), full) {} }
                }
            refusal.message shouldContain
                "m.sion: it needs 24 bytes or more, but the file system reports 20 bytes free."
            full.exists(spec.path()) shouldBe false
        }

        test("a rank without tasks takes part in writing a mapped multifile") {
            val store = SimulatedDisk().host("node0")
            ranks(3) {
                val tasks = if (rank == 1) listOf(MappedTask(0, 8, 0, 0)) else emptyList()
                writeMapped(
                    spec,
                    tasks,
                    store,
                ) { chunks -> chunks.forEach { it.write(ByteBuffer.wrap(byteArrayOf(7))) } }
            }
            Multifile.open(store, spec.path()).use { it.task(0).size() shouldBe 1 }
        }

        test("a task with two writers or none is refused on all ranks") {
            suspend fun refusal(store: BlockStore, vararg tasksOfRanks: List<MappedTask>) =
                shouldThrow<RunFailedException> {
                    ranks(tasksOfRanks.size) {
                        shouldThrow<RankFailedException> {
                            writeMapped(
                                spec,
                                tasksOfRanks[rank],
                                store,
                            ) {}
                        }.let { throw it }
                    }
                }.message.orEmpty()

            val store = SimulatedDisk().host("node0")
            refusal(store, listOf(MappedTask(0, 8, 0, 0)), listOf(MappedTask(0, 8, 0, 1))) shouldContain
                "m.sion: task 0 is written by ranks 0-1, but each of the tasks 0 to 1 must be " +
                "written by exactly one rank."
            refusal(store, listOf(MappedTask(0, 8, 0, 0)), listOf(MappedTask(2, 8, 0, 1))) shouldContain
                "m.sion: task 1 is written by no rank, but each of the tasks 0 to 1 must be " +
                "written by exactly one rank."
            refusal(store, listOf(MappedTask(0, 8, 0, 0)), listOf(MappedTask(1, 8, 0, 2))) shouldContain
                "task 1 is placed as local rank 2 of file 0, whose 2 tasks have the local ranks 0 to 1, each once."
        }
    })

/** Runs the calls of the tasks that have a writer. */
private fun Fixture.run(writers: List<FixtureTaskWriter>) {
    val byTask = writers.associateBy { it.taskNumber }
    ops.forEach { (task, ops) -> byTask[task]?.let { ops.forEach(it::run) } }
}

/** What can be compared of a task: the digest of its stream, or each key with its value's. */
private fun Fixture.contentOf(task: FixtureTask): List<String> =
    if (isKeyValue) task.keys.map { "${it.key} ${it.sha256}" } else listOf(task.readSha256)

private fun Fixture.contentOf(task: TaskView): List<String> {
    if (!isKeyValue) return listOf(sha256(task.stream().use { it.readAllBytes() }))
    val records = task.records()
    return records.keys().map { key ->
        val value = ByteBuffer.allocate(records.size(key).toInt())
        records.read(key, 0, value)
        "$key ${sha256(value.array())}"
    }
}
