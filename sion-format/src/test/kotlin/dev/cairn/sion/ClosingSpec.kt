package dev.cairn.sion

import dev.cairn.sion.failure.SionException
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.NoSuchFileException
import java.nio.file.Path

/** How a multifile comes to be, and what is left of it when the power fails in between. */
class ClosingSpec :
    FunSpec({
        val path = Path.of("/run/x.sion")

        fun newDisk() = SimulatedDisk().also { it.host("node").makeDirectory(path.parent) }

        test("in each file META2 is forced before META1 points to it, and file 0 is the last") {
            val trace = mutableListOf<String>()
            val store = TracingStore(newDisk().host("node"), trace)
            write(store, path, version = 1, fileCount = 2) { trace.clear() }
            val changes = setOf("WRITE", "FORCE", "FORCE_DIRECTORY")
            trace.filter { it.substringBefore(' ') in changes } shouldContainExactly
                listOf(
                    "WRITE 3072 x.sion.000001",
                    "FORCE 0 x.sion.000001",
                    "WRITE 1124 x.sion.000001",
                    "FORCE 0 x.sion.000001",
                    "WRITE 3072 x.sion",
                    "FORCE 0 x.sion",
                    "FORCE_DIRECTORY 0 run",
                    "WRITE 1124 x.sion",
                    "FORCE 0 x.sion",
                )
        }

        test("one program opens each file once, and lists the directory once") {
            val trace = mutableListOf<String>()
            write(TracingStore(newDisk().host("node"), trace), path, version = 1, fileCount = 3)
            trace.filter { it.substringBefore(' ') in setOf("CREATE", "OPEN", "LIST") } shouldContainExactly
                listOf("LIST 0 run", "CREATE 0 x.sion", "CREATE 0 x.sion.000001", "CREATE 0 x.sion.000002")
        }

        test("a writer that is closed before it has finished leaves nothing that can be read") {
            val store = newDisk().host("node")
            val writer = MultifileWriter.create(store, specOf(path, fileCount = 1), TaskRequest.ofSizes(100, 100))
            writer.task(0).write(ByteBuffer.allocate(10))
            writer.close()
            shouldThrow<SionException.NeverClosed> { Multifile.open(store, path) }.message shouldBe
                "$path: start_of_varheader at byte 1112 is 0 or missing: the writer never closed this " +
                "multifile, so the lengths of its tasks are unknown. Use an older one."
        }

        test("nothing can be written any more once the writer has finished") {
            val store = newDisk().host("node")
            MultifileWriter.create(store, specOf(path, fileCount = 1), TaskRequest.ofSizes(100)).use { writer ->
                writer.task(0).write(ByteBuffer.allocate(10))
                writer.finish()
                shouldThrow<IOException> { writer.task(0).write(ByteBuffer.allocate(1)) }
            }
            Multifile.open(store, path).use { it.task(0).size() shouldBe 10 }
        }

        test("a crash at any operation leaves the old multifile, the new one, or none, and never a mixture") {
            val operations = operationsOfRewrite(path)
            val seen = sortedMapOf<String, Int>()
            for (operation in 1..operations) {
                val disk = diskWithOldMultifile(path)
                disk.crashAt(disk.operationCount() + operation)
                shouldThrow<SimulatedDisk.CrashException> { write(disk.host("node"), path, version = 2, fileCount = 2) }
                disk.crashOutcomes().forEach { outcome ->
                    seen.merge(stateOf(disk.afterCrash(outcome).host("node"), path), 1, Int::plus)
                }
            }
            println("ClosingSpec: $operations operations, states after a crash: $seen")
            seen.keys shouldContainExactly setOf("new", "none", "old")
        }

        test("once finish has returned, no crash can take the multifile away") {
            val disk = diskWithOldMultifile(path)
            write(disk.host("node"), path, version = 2, fileCount = 2)
            disk.crashOutcomes().forEach { stateOf(disk.afterCrash(it).host("node"), path) shouldBe "new" }
        }

        test("without forces a crash can take a finished multifile away") {
            val disk = newDisk()
            write(disk.host("node"), path, version = 2, fileCount = 2, ForcePolicy.NEVER)
            disk.crashOutcomes().map { stateOf(disk.afterCrash(it).host("node"), path) } shouldContain "none"
        }

        test("files of an older, larger set and its buddies are removed") {
            val disk = newDisk()
            val store = disk.host("node")
            write(store, path, version = 1, fileCount = 5)
            copy(store, path, path.resolveSibling("x.sion_BUDDY_00.000001"))
            write(store, path, version = 2, fileCount = 2)
            store.list(path.parent) shouldContainExactly listOf(path, path.resolveSibling("x.sion.000001"))
            stateOf(store, path) shouldBe "new"
        }

        test("a file that only has a member's name is not touched: the new multifile is refused") {
            val store = newDisk().host("node")
            write(store, path, version = 1, fileCount = 2)
            val notes = path.resolveSibling("x.sion.000009")
            store.create(notes).use { it.write(0, ByteBuffer.wrap("notes".toByteArray())) }
            shouldThrow<IllegalArgumentException> { write(store, path, version = 2, fileCount = 2) }.message shouldBe
                "$notes: the name is that of a physical file of $path, but it is no multifile: move it away, " +
                "or choose another name."
            stateOf(store, path) shouldBe "old"
            store.exists(notes) shouldBe true
        }

        test("creating over a longer file leaves none of its bytes") {
            val disk = newDisk()
            val store = disk.host("node")
            val old = ByteBuffer.wrap(ByteArray(100_000) { 1 })
            store.create(path).use { it.write(0, old) }
            write(store, path, version = 1, fileCount = 1)
            store.open(path, Access.READ).use { it.size() shouldBe 4608 + 96 }
        }

        test("a multifile without any written bytes is valid") {
            val store = newDisk().host("node")
            val requests = TaskRequest.equal(4, 100)
            MultifileWriter.create(store, specOf(path, fileCount = 2), requests).use { it.finish() }
            Multifile.open(store, path).use { view -> List(4) { view.task(it).size() } shouldBe List(4) { 0L } }
        }
    })

private class TracingStore(target: BlockStore, private val trace: MutableList<String>) : ForwardingStore(target) {
    override fun onOperation(operation: BlockStore.Operation) {
        trace += "${operation.kind()} ${operation.position()} ${operation.path().fileName}"
    }
}

private const val TASKS = 6

private fun specOf(path: Path, fileCount: Int) =
    MultifileSpec.parallel(path).withBlockSize(512).withMapping(FileMapping.contiguous(fileCount))

/** The stream of a task tells by every byte which version of the multifile it belongs to. */
private fun stream(version: Int, task: Int) = ByteArray(100 * task) { (version * 100 + task).toByte() }

private fun write(
    store: BlockStore,
    path: Path,
    version: Int,
    fileCount: Int,
    policy: ForcePolicy = ForcePolicy.ON_CLOSE,
    beforeFinish: () -> Unit = {},
) {
    val spec = specOf(path, fileCount).withForcePolicy(policy)
    MultifileWriter.create(store, spec, TaskRequest.equal(TASKS, 100)).use { writer ->
        repeat(TASKS) { writer.task(it).append(ByteBuffer.wrap(stream(version, it))) }
        beforeFinish()
        writer.finish()
    }
}

private fun diskWithOldMultifile(path: Path): SimulatedDisk {
    val disk = SimulatedDisk()
    val store = disk.host("node")
    store.makeDirectory(path.parent)
    store.forceDirectory(Path.of("/"))
    write(store, path, version = 1, fileCount = 3)
    return disk
}

private fun operationsOfRewrite(path: Path): Long {
    val disk = diskWithOldMultifile(path)
    val before = disk.operationCount()
    write(disk.host("node"), path, version = 2, fileCount = 2)
    return disk.operationCount() - before
}

/** "old" and "new" only if every byte of every task is that version's. */
private fun stateOf(store: BlockStore, path: Path): String =
    try {
        Multifile.open(store, path).use { view ->
            val streams = List(view.taskCount()) { wholeStream(view.task(it)) }
            when (streams) {
                List(TASKS) { stream(1, it).toList() } -> "old"
                List(TASKS) { stream(2, it).toList() } -> "new"
                else -> "mixture: $streams"
            }
        }
    } catch (refused: SionException) {
        "none"
    } catch (gone: NoSuchFileException) {
        "none"
    }

private fun wholeStream(task: TaskView): List<Byte> = task.stream().use { it.readAllBytes().toList() }

private fun copy(store: BlockStore, from: Path, to: Path) {
    store.open(from, Access.READ).use { source ->
        val bytes = ByteBuffer.allocate(source.size().toInt())
        source.readFully(0, bytes)
        store.create(to).use { it.write(0, bytes.flip()) }
    }
}
