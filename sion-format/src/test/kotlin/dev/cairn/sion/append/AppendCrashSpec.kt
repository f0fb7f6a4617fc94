package dev.cairn.sion.append

import dev.cairn.sion.FileMapping
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.MultifileWriter
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.TaskView
import dev.cairn.sion.failure.SionException
import dev.cairn.sion.salvage.Salvage
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.TreeMap

/** The power fails at every operation of an append, and everything is lost or torn that may be. */
class AppendCrashSpec :
    FunSpec({
        fun campaign(fileCount: Int, chunkSize: Long, expected: Set<String>) =
            test("of $fileCount files with chunks of $chunkSize each is as it was or as appended, whole") {
                val histogram = TreeMap<String, Int>()
                val operations = operationsOf(newDisk(fileCount, chunkSize))
                for (operation in 1..operations) {
                    val disk = newDisk(fileCount, chunkSize)
                    disk.crashAt(disk.operationCount() + operation)
                    shouldThrow<SimulatedDisk.CrashException> { append(disk.host("node")) }
                    disk.crashOutcomes().forEach {
                        val left = disk.afterCrash(it).host("node")
                        histogram.merge(stateOf(left, fileCount), 1, Int::plus)
                        append(left)
                        stateOf(left, fileCount) shouldBe List(fileCount) { "new" }.joinToString(" ")
                    }
                }
                println("AppendCrashSpec, $fileCount files, chunks of $chunkSize: $operations operations, $histogram")
                histogram.keys shouldContainExactly expected
            }

        campaign(fileCount = 1, chunkSize = 512, setOf("new", "old"))
        campaign(fileCount = 2, chunkSize = 512, setOf("new new", "old new", "old old"))

        // META2 moves so far that half of a torn tail tells another place than the other half.
        campaign(
            fileCount = 1,
            chunkSize = 65_536,
            setOf("new", "new, its tail repaired", "old", "old, its tail repaired"),
        )

        test("once an append has returned, no crash can take it away") {
            val disk = newDisk(fileCount = 2)
            append(disk.host("node"))
            disk.crashOutcomes().forEach { stateOf(disk.afterCrash(it).host("node"), 2) shouldBe "new new" }
        }

        test("the tail that is changed lies in one sector of 512 bytes, whatever the number of tasks") {
            for (taskCount in 1..1000) {
                val tail = 1076 + 16 * taskCount
                tail / 512 shouldBe (tail + 11) / 512
            }
        }
    })

private val PATH = Path.of("/run/x.sion")
private const val TASKS = 4

private fun newDisk(fileCount: Int, chunkSize: Long = 512) =
    SimulatedDisk().also { disk ->
        val store = disk.host("node")
        store.makeDirectory(PATH.parent)
        store.forceDirectory(Path.of("/"))
        val spec = MultifileSpec.parallel(PATH).withBlockSize(512).withMapping(FileMapping.contiguous(fileCount))
        MultifileWriter.create(store, spec, TaskRequest.equal(TASKS, chunkSize)).use { writer ->
            repeat(TASKS) { writer.task(it).append(ByteBuffer.wrap(stream(it, "old").toByteArray())) }
            writer.finish()
        }
    }

/** A task's bytes before and after the append tell which state they are of by their number. */
private fun stream(task: Int, state: String): List<Byte> =
    List(100 + 150 * task + if (state == "new") 700 else 0) { (it % 100 + task).toByte() }

/** Brings every task to the new state, whichever it is in. */
private fun append(store: BlockStore) =
    MultifileAppender.open(store, PATH).use { appender ->
        repeat(TASKS) { task ->
            val chunks = appender.task(task)
            chunks.append(ByteBuffer.wrap(stream(task, "new").drop(chunks.size().toInt()).toByteArray()))
        }
        appender.finish()
    }

private fun operationsOf(disk: SimulatedDisk): Long {
    val before = disk.operationCount()
    append(disk.host("node"))
    return disk.operationCount() - before
}

/** For each file whether its tasks are all old or all new; a torn tail is refused first, and can be repaired. */
private fun stateOf(store: BlockStore, fileCount: Int): String {
    val repaired =
        try {
            Multifile.open(store, PATH).close()
            ""
        } catch (torn: SionException) {
            Salvage.open(store, PATH, Salvage.SearchWatch.upTo(1L shl 32)).use { view ->
                (0 until view.taskCount()).filter { !view.task(it).isExact } shouldBe emptyList()
                Salvage.repair(store, view, Salvage.Lengths.LEAST)
            }
            ", its tail repaired"
        }
    val states =
        Multifile.open(store, PATH).use { view ->
            List(fileCount) { file ->
                (0 until TASKS)
                    .filter { view.place(it).fileNumber() == file }
                    .map { stateOf(view.task(it)) }
                    .distinct()
                    .single()
            }
        }
    return states.joinToString(" ") + repaired
}

private fun stateOf(task: TaskView): String {
    val bytes = task.stream().use { it.readAllBytes().toList() }
    val state = if (bytes.size == stream(task.task(), "old").size) "old" else "new"
    bytes shouldBe stream(task.task(), state)
    state shouldBeIn listOf("old", "new")
    return state
}
